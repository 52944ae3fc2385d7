import { lineBreakFrom, RowCursor, type RowStart } from "./rows";
import type { KeptRange, KeptReason, PartsFold } from "./shape";
import { judgeSignal } from "./signal-judgement";
import { SIGNAL_EXPRESSION } from "./signals";

/** Lines that stay at both ends, as long as they take no more characters; at least one row of them stays. */
const FIRST_LINES = 8;
const LAST_LINES = 8;
const END_CHARS = 1_500;
/** Lines that stay around one with a signal, as long as they take no more characters on their side. */
const LINES_BEFORE = 2;
const LINES_AFTER = 3;
const CONTEXT_CHARS = 600;
/** Frames of a traceback that stay with its head. */
const STACK_ROWS = 40;
/** A gap below both is not worth its placeholder and stays. */
const GAP_LINES = 4;
const GAP_CHARS = 400;
/**
 * Once so much of an observation stays, signals are only counted. With the last row and the last lines that is about
 * 8,000 characters (2,000 tokens), as much as a page shows of a text that it cuts.
 */
const KEPT_CHARS = 5_500;
const KEPT_ROWS = 200;
/** Different reasons that a part remembers. */
const REASONS_MAX = 6;
/** Candidates of one text whose surroundings are looked at in full: a bound on the time that a hostile text can take. */
const THOROUGH_MAX = 1_000;

/** Our copy: it keeps a position. One for all texts: making one for each showed in texts of 8,000 characters. */
const EXPRESSION = new RegExp(SIGNAL_EXPRESSION);
const HUNK = /@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/y;

/** A stretch of a text that somebody quotes. UTF-16 offsets. */
export interface Quoted {
  start: number;
  end: number;
}

/** A part that stays and is not at its end yet. */
interface OpenRange extends RowStart {
  why: KeptReason[];
  /** Rows up to this line and this offset stay. */
  untilLine: number;
  untilOffset: number;
  /** Rows that begin before this offset stay whatever else: the signal's own row, a quotation's. */
  mustReach: number;
}

/** Folds one text by parts in one pass; see `foldParts`. */
export class PartsFolder {
  private readonly cursor: RowCursor;
  private readonly kept: KeptRange[] = [];
  private open: OpenRange | null;
  private keptChars = 0;
  private keptRows = 0;
  private leftOut = 0;
  private judged = 0;
  private hunk = { old: 0, new: 0 };
  private stack = { from: 0, rows: 0 };

  constructor(private readonly text: string) {
    this.cursor = new RowCursor(text);
    const untilOffset = Math.max(END_CHARS, this.cursor.end);
    this.open = { start: 0, line: 1, why: [{ kind: "first" }], untilLine: FIRST_LINES, untilOffset, mustReach: 0 };
  }

  fold(quoted: readonly Quoted[]): PartsFold {
    const { text, cursor } = this;
    const expression = EXPRESSION;
    expression.lastIndex = 0;
    const quotations = [...quoted].sort((a, b) => a.start - b.start);
    let next = 0;
    while (!this.isFull()) {
      const match = expression.exec(text);
      if (match === null) break;
      for (; (quotations[next]?.start ?? text.length) <= match.index; next += 1) this.quote(quotations[next]);
      const end = expression.lastIndex;
      const reason = judgeSignal(text, match.index, end, cursor, this.judged < THOROUGH_MAX);
      this.judged += 1;
      if (reason === null) continue;
      this.moveTo(match.index);
      this.keepAround(reason, match.index);
      if (cursor.end > end) expression.lastIndex = cursor.end;
    }
    if (this.isFull()) this.leftOut = countLines(text, expression);
    for (; next < quotations.length; next += 1) this.quote(quotations[next]);
    this.moveTo(text.length);
    this.keepEnd();
    return { kept: this.kept, leftOut: this.leftOut };
  }

  /** True when `fold` met not one candidate in the whole text. */
  foundNothing(): boolean {
    return this.judged === 0;
  }

  private isFull(): boolean {
    return this.keptChars >= KEPT_CHARS || this.keptRows >= KEPT_ROWS;
  }

  /** Moves to the row of an offset. On the way an open part takes the rows that it still covers, and is closed after them. */
  private moveTo(offset: number): void {
    const { cursor, text } = this;
    while (this.open !== null && cursor.end <= offset && cursor.end < text.length) {
      this.leaveRow(this.open);
      cursor.moveTo(cursor.end);
    }
    if (this.open === null) cursor.moveTo(offset);
  }

  /** Decides about the current row for the open part, before the cursor goes on. */
  private leaveRow(open: OpenRange): void {
    const { cursor } = this;
    const isInBlock = this.isInHunk() || this.isInStack(open);
    const isNear = cursor.line <= open.untilLine && cursor.end <= open.untilOffset;
    const stays = cursor.start < open.mustReach || ((isInBlock || isNear) && !this.isFull());
    if (!stays) {
      this.close(open, cursor.start, cursor.line);
      return;
    }
    // The line after the end of a quotation stays too.
    if (cursor.start < open.mustReach) open.untilLine = Math.max(open.untilLine, cursor.line + 1);
    this.keptChars += cursor.end - cursor.start;
    this.keptRows += 1;
  }

  /** Follows a hunk by the numbers of lines in its header. */
  private isInHunk(): boolean {
    const { hunk, cursor, text } = this;
    if (hunk.old <= 0 && hunk.new <= 0) return false;
    const sign = text[cursor.start];
    if (sign === "-") hunk.old -= 1;
    else if (sign === "+") hunk.new -= 1;
    else if (sign === " " || sign === "\n" || sign === "\r") {
      hunk.old -= 1;
      hunk.new -= 1;
    } else if (sign !== "\\" && sign !== "@") {
      this.hunk = { old: 0, new: 0 };
      return false;
    }
    return true;
  }

  /** Follows the frames under the head of a traceback, and takes the line after them too: it says what happened. */
  private isInStack(open: OpenRange): boolean {
    const { cursor, text, stack } = this;
    if (stack.rows <= 0 || cursor.start < stack.from) return false;
    const first = text[cursor.start];
    stack.rows -= 1;
    if (first === " " || first === "\t") return true;
    stack.rows = 0;
    open.untilLine = Math.max(open.untilLine, cursor.line);
    open.untilOffset = Math.max(open.untilOffset, cursor.end);
    return true;
  }

  /** The current row and its surroundings stay. */
  private keepAround(reason: KeptReason, at: number): void {
    const { cursor, text } = this;
    const open = this.open ?? this.openBefore(LINES_BEFORE);
    this.open = open;
    open.untilLine = Math.max(open.untilLine, cursor.line + LINES_AFTER);
    open.untilOffset = Math.max(open.untilOffset, cursor.end + CONTEXT_CHARS);
    open.mustReach = Math.max(open.mustReach, cursor.start + 1);
    addReason(open.why, reason);
    if (reason.kind === "signal") {
      if (reason.word === "traceback") this.stack = { from: cursor.end, rows: STACK_ROWS };
    } else if (reason.kind === "diff") {
      HUNK.lastIndex = at;
      const header = HUNK.exec(text);
      if (header !== null) this.hunk = { old: Number(header[1] ?? 1), new: Number(header[2] ?? 1) };
    }
  }

  private quote(quotation: Quoted | undefined): void {
    if (quotation === undefined) return;
    this.moveTo(quotation.start);
    const open = this.open ?? this.openBefore(1);
    this.open = open;
    open.mustReach = Math.max(open.mustReach, quotation.end);
    open.untilOffset = Math.max(open.untilOffset, quotation.end + CONTEXT_CHARS);
    addReason(open.why, { kind: "quotation" });
  }

  /** A part that begins some lines before the current row, or goes on with the one before when hardly anything is between. */
  private openBefore(lines: number): OpenRange {
    const { cursor } = this;
    const { start, line, why } = this.continued(cursor.before(lines, CONTEXT_CHARS));
    const from = this.kept.at(-1)?.end ?? 0;
    this.keptChars += cursor.start - Math.max(start, from);
    this.keptRows += cursor.line - line;
    // The same fields in the same order as the first part: an engine reads objects of several shapes more slowly.
    return { start, line, why, untilLine: 0, untilOffset: 0, mustReach: 0 };
  }

  /** The part that begins at a row; the one before, taken up again, when the gap to it is not worth a placeholder. */
  private continued(begin: RowStart): RowStart & { why: KeptReason[] } {
    const previous = this.kept.at(-1);
    const isNear =
      previous !== undefined && begin.line - previous.lineAfter < GAP_LINES && begin.start - previous.end < GAP_CHARS;
    if (!isNear) return { start: begin.start, line: begin.line, why: [] };
    this.kept.pop();
    this.keptChars -= previous.end - previous.start;
    return { start: previous.start, line: previous.line, why: previous.why };
  }

  private close({ start, line, why }: OpenRange, end: number, lineAfter: number): void {
    this.kept.push({ start, end, line, lineAfter, why });
    this.open = null;
    this.hunk = { old: 0, new: 0 };
    this.stack = { from: 0, rows: 0 };
  }

  /** The last lines stay, joined to an open part that reaches them. */
  private keepEnd(): void {
    const { cursor, text } = this;
    if (this.open !== null) this.leaveRow(this.open);
    const { start, line, why } =
      this.open ?? this.continued(cursor.before(LAST_LINES - 1, Math.max(0, END_CHARS - (cursor.end - cursor.start))));
    addReason(why, { kind: "last" });
    this.kept.push({ start, end: text.length, line, lineAfter: cursor.lineAfter(), why });
  }
}

/** How many lines hold a candidate from the expression's place on. They are only counted, not judged. */
function countLines(text: string, expression: RegExp): number {
  let lines = 0;
  while (expression.test(text)) {
    lines += 1;
    expression.lastIndex = lineBreakFrom(text, expression.lastIndex) + 1;
  }
  return lines;
}

function addReason(why: KeptReason[], reason: KeptReason): void {
  // The same word nearly always comes as the same object.
  if (why.includes(reason)) return;
  for (const each of why) {
    if (each.kind === reason.kind && wordOf(each) === wordOf(reason)) return;
  }
  if (why.length < REASONS_MAX) why.push(reason);
}

function wordOf(reason: KeptReason): string | null {
  return reason.kind === "signal" ? reason.word : null;
}
