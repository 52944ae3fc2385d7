/** A line longer than this is taken in rows: stretches of this many UTF-16 units from its start. */
export const ROW_CHARS = 1_000;

/** Lines behind the current one whose beginnings are remembered; a power of two. */
const REMEMBERED = 16;

const NEWLINE = 10;
const BY_HAND = 20;

/** How far before an offset its line's start is looked for, and how much of that by hand. */
const LINE_MAX_CHARS = 400;
const NEAR_CHARS = 48;

/**
 * Short lines are counted in blocks: 0.4 ns a character, where one by one they take 1.3 and more. In pieces, because the
 * expression goes back over what it has read when the lines of a block do not suffice.
 */
const BLOCK_LINES = 32;
const BLOCK = new RegExp("[^\\n]*\\n".repeat(BLOCK_LINES), "y");
/** Lines that are longer on average are found faster by `indexOf`. */
const SHORT_CHARS = 60;
const PIECE_MIN_CHARS = 8_192;
const PIECE_MAX_CHARS = 65_536;
const BLOCKS_MIN_CHARS = 256;

/** A row: UTF-16 offset of its start, and the 1-based number of its line. */
export interface RowStart {
  start: number;
  line: number;
}

/**
 * Walks a text row by row, forward only. A row is a line with its ending or, of a line of more than ROW_CHARS units, a
 * stretch between two multiples of ROW_CHARS from the line's start (one less where a cut would split a surrogate pair).
 * Only `\n` ends a line. Linear in the text, however long or short its lines are; nothing of the text is copied.
 */
export class RowCursor implements RowStart {
  /** The current row, end exclusive. */
  start = 0;
  end: number;
  line = 1;
  private lineStart = 0;
  /** Where the line break of the current line stands; the text's length when it has none. */
  private lineBreak: number;
  /** From this line on `starts` is filled; the lines before were counted in blocks. */
  private listedFrom = 1;
  /** Blocks are not tried before this offset, and once lines are too long for them not for `pause` characters. */
  private blocksFrom = 0;
  private pause = PIECE_MIN_CHARS;
  private pieceChars = PIECE_MIN_CHARS;
  /** Between these is no line break: `lineStartBefore` saw it last, and need not be looked through again. */
  private seenFrom = 0;
  private seenTo = 0;
  private readonly starts: number[] = new Array(REMEMBERED).fill(0);

  constructor(private readonly text: string) {
    this.lineBreak = this.breakFrom(0);
    this.end = this.endOf(0);
  }

  /** Moves to the row in which an offset at or after the current row stands; to the last row for the text's length. */
  moveTo(offset: number): void {
    const { starts } = this;
    const target = Math.min(offset, this.text.length - 1);
    if (target < this.end) return;
    if (this.lineBreak < target) this.passBlocks(target);
    let { line, lineStart, lineBreak } = this;
    while (lineBreak < target) {
      lineStart = lineBreak + 1;
      line += 1;
      starts[line % REMEMBERED] = lineStart;
      lineBreak = this.breakFrom(lineStart);
    }
    this.line = line;
    this.lineStart = lineStart;
    this.lineBreak = lineBreak;
    // Most lines are one row. A line one short of two may be cut inside a surrogate pair.
    const isRow = lineBreak - lineStart < ROW_CHARS - 1;
    this.start = isRow ? lineStart : this.rowStart(lineStart, target);
    this.end = isRow ? Math.min(lineBreak + 1, this.text.length) : this.endOf(this.start);
  }

  /** Goes on by blocks of short lines, as far as they end before an offset. Leaves the row to `moveTo`. */
  private passBlocks(target: number): void {
    let { line, lineStart } = this;
    while (lineStart >= this.blocksFrom && target - lineStart >= BLOCKS_MIN_CHARS) {
      const piece = this.text.slice(lineStart, Math.min(lineStart + this.pieceChars, target));
      let length = 0;
      let lines = 0;
      BLOCK.lastIndex = 0;
      while (BLOCK.test(piece)) {
        length = BLOCK.lastIndex;
        lines += BLOCK_LINES;
      }
      line += lines;
      lineStart += length;
      const areShort = lines * SHORT_CHARS >= piece.length;
      if (!areShort) this.blocksFrom = lineStart + this.pause;
      this.pause = areShort ? Math.max(PIECE_MIN_CHARS, this.pause / 2) : this.pause * 2;
      this.pieceChars = areShort ? Math.min(PIECE_MAX_CHARS, this.pieceChars * 2) : PIECE_MIN_CHARS;
    }
    if (line === this.line) return;
    this.line = line;
    this.lineStart = lineStart;
    this.lineBreak = this.breakFrom(lineStart);
    this.listedFrom = line;
    this.starts[line % REMEMBERED] = lineStart;
  }

  /** The number of the line that stands at the end of the current row. */
  lineAfter(): number {
    return this.end > 0 && this.text.charCodeAt(this.end - 1) === NEWLINE ? this.line + 1 : this.line;
  }

  /**
   * The beginning of the row `count` rows before the current one, or of the earliest one after that for which all rows
   * between take at most `maxChars`. Looks back 15 lines at most.
   */
  before(count: number, maxChars: number): RowStart {
    let { start, line } = this;
    for (let left = count; left > 0 && start > 0; left -= 1) {
      const isLineStart = this.text.charCodeAt(start - 1) === NEWLINE;
      const previousLine = isLineStart ? line - 1 : line;
      if (this.line - previousLine >= REMEMBERED) break;
      const previous = this.rowStart(this.lineStartOf(previousLine, start - 1), start - 1);
      if (this.start - previous > maxChars) break;
      start = previous;
      line = previousLine;
    }
    return { start, line };
  }

  /**
   * Where the line begins in which a stretch without a line break stands, anywhere in the text; 400 units before it when
   * that is further. A word so far from its line's start is in no line of code that a person wrote.
   */
  lineStartBefore(at: number, end: number): number {
    const { text } = this;
    const near = Math.max(0, at - NEAR_CHARS);
    let start = at;
    while (start > near && text.charCodeAt(start - 1) !== NEWLINE) start -= 1;
    if (start === near && near > 0) {
      const from = Math.max(0, at - LINE_MAX_CHARS);
      start = from + text.slice(from, near).lastIndexOf("\n") + 1;
    }
    this.seenFrom = start;
    this.seenTo = end;
    return start;
  }

  /** Where a line of the last ones begins, in which an offset stands. One that was counted in a block is short. */
  private lineStartOf(line: number, offset: number): number {
    if (line >= this.listedFrom) return this.starts[line % REMEMBERED] ?? 0;
    let start = offset;
    while (start > 0 && this.text.charCodeAt(start - 1) !== NEWLINE) start -= 1;
    return start;
  }

  /** Where the row begins in which an offset of the line stands. */
  private rowStart(lineStart: number, offset: number): number {
    const { text } = this;
    const multiple = offset - ((offset - lineStart) % ROW_CHARS);
    // The high half of a pair across a multiple belongs to the row of its other half.
    const next = this.cut(multiple + ROW_CHARS);
    if (offset >= next) return next;
    if (multiple === lineStart) return lineStart;
    // A line break right after a full row belongs to that row.
    const isLineEnd = offset === multiple && text.charCodeAt(offset) === NEWLINE;
    const row = isLineEnd ? multiple - ROW_CHARS : multiple;
    return row === lineStart ? lineStart : this.cut(row);
  }

  private endOf(start: number): number {
    const { text, lineStart, lineBreak } = this;
    // A row that was cut one short begins one before a multiple.
    const rows = Math.floor((start - lineStart + 1) / ROW_CHARS) + 1;
    const limit = lineStart + rows * ROW_CHARS;
    return lineBreak <= limit ? Math.min(lineBreak + 1, text.length) : this.cut(limit);
  }

  /** The next line break at or after an offset, the text's length when there is none. */
  private breakFrom(offset: number): number {
    return lineBreakFrom(this.text, offset === this.seenFrom ? this.seenTo : offset);
  }

  private cut(offset: number): number {
    const { text } = this;
    const isInsidePair =
      (text.charCodeAt(offset) & 0xfc00) === 0xdc00 && (text.charCodeAt(offset - 1) & 0xfc00) === 0xd800;
    return isInsidePair ? offset - 1 : offset;
  }
}

/**
 * The next line break at or after an offset, the text's length when there is none: looked for by hand where lines are
 * short, which is twice as fast there.
 */
export function lineBreakFrom(text: string, offset: number): number {
  const byHand = Math.min(offset + BY_HAND, text.length);
  for (let at = offset; at < byHand; at += 1) if (text.charCodeAt(at) === NEWLINE) return at;
  const found = text.indexOf("\n", byHand);
  return found < 0 ? text.length : found;
}
