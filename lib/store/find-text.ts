import { safeEnd } from "@/lib/trajectory/text-cuts";

/** A stretch of a text: it begins at `start` of the whole text, in UTF-16 units, and is its end when `isLast`. */
export interface TextStretch {
  n: number;
  start: number;
  text: string;
  isLast: boolean;
}

/** What stands around a match on its line. */
export interface Surroundings {
  before: string;
  words: string;
  after: string;
}

/** A match in a text: UTF-16 units of the whole text. */
export interface TextMatch {
  offset: number;
  length: number;
  around: () => Surroundings;
}

/** Characters of a line that are shown before and after a match. */
const BEFORE_CHARS = 60;
const AFTER_CHARS = 120;

/**
 * Finds the matches of a text that comes in stretches, also those across their borders: the end of a stretch is searched
 * together with the next one. It holds never more than a stretch and a few hundred characters.
 */
export class TextSearch {
  private buffer = "";
  private bufferStart = 0;
  private isWhole = false;
  /** The stretches that the buffer is made of. */
  private stretches: { n: number; start: number }[] = [];

  /** @param from where to begin, in UTF-16 units of the whole text. */
  constructor(
    private readonly finder: RegExp,
    private readonly wordChars: number,
    private from: number,
  ) {}

  /** Where the search can go on: everything before `from` is done; `n` is the stretch that holds it, from `start` on. */
  get position(): { n: number; start: number; from: number } {
    const { n, start } = this.stretches.findLast((each) => each.start <= this.from) ?? { n: 0, start: 0 };
    return { n, start, from: this.from };
  }

  /**
   * Searches on in the next stretch. `found` says false to stop behind a match.
   * @returns false when it was stopped.
   */
  add(stretch: TextStretch, found: (match: TextMatch) => boolean): boolean {
    if (this.buffer === "") this.bufferStart = stretch.start;
    this.buffer += stretch.text;
    this.isWhole = stretch.isLast;
    this.stretches = this.stretches.slice(this.stretches.findLastIndex((each) => each.start <= this.bufferStart));
    this.stretches.push({ n: stretch.n, start: stretch.start });
    const end = this.bufferStart + this.buffer.length;
    // A match that begins behind this line is found with the stretch after it: whole, and with its surroundings.
    const limit = stretch.isLast ? end : end - this.wordChars - AFTER_CHARS;
    this.finder.lastIndex = Math.max(0, this.from - this.bufferStart);
    for (;;) {
      const match = this.finder.exec(this.buffer);
      if (match === null || this.bufferStart + match.index >= limit) break;
      const [words] = match;
      this.from = this.bufferStart + match.index + words.length;
      const around = (): Surroundings => this.around(match.index, words);
      if (!found({ offset: this.bufferStart + match.index, length: words.length, around })) return false;
    }
    this.from = Math.max(this.from, limit);
    const kept = Math.max(0, this.from - this.bufferStart - BEFORE_CHARS);
    this.buffer = this.buffer.slice(kept);
    this.bufferStart += kept;
    return true;
  }

  private around(at: number, words: string): Surroundings {
    let start = Math.max(0, at - BEFORE_CHARS);
    if (safeEnd(this.buffer, start) !== start) start += 1;
    const before = this.buffer.slice(start, at);
    const lineStart = before.lastIndexOf("\n") + 1;
    const isCutBefore = lineStart === 0 && this.bufferStart + start > 0;
    const end = at + words.length;
    const stop = safeEnd(this.buffer, end + AFTER_CHARS);
    const [after = ""] = this.buffer.slice(end, stop).split(/\r?\n/, 1);
    const isCutAfter = end + after.length === stop && !(this.isWhole && stop === this.buffer.length);
    return {
      before: `${isCutBefore ? "…" : ""}${before.slice(lineStart)}`,
      words,
      after: `${after}${isCutAfter ? "…" : ""}`,
    };
  }
}
