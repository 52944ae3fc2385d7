import type { TextView } from "@/lib/views/turn";
import type { AnsiStyle } from "./ansi";
import { PLAIN_STYLE, scanAnsi } from "./ansi";
import type { TextMark } from "./text-runs";

/** A line of a text, with the look that goes on from the line before and its quotations in its own offsets. */
export interface TextLine {
  /** 1-based; null for the later parts of a line that is too long for one row, or where the number is not known. */
  no: number | null;
  text: string;
  /** Where it begins in the whole text, in UTF-16 units. */
  start: number;
  style: AnsiStyle;
  marks: TextMark[];
}

/** Characters of one row; a longer line goes on in rows without a number. */
export const ROW_MAX_CHARS = 1_000;

/**
 * Cuts a stretch of a text into rows.
 * @param start where the stretch begins in the whole text, in UTF-16 units: marks are given in the whole text's offsets.
 */
export function textLines(
  stretch: string,
  options: { start: number; firstLine: number | null; marks: readonly TextMark[]; style?: AnsiStyle },
): { lines: TextLine[]; style: AnsiStyle } {
  const lines: TextLine[] = [];
  let style = options.style ?? PLAIN_STYLE;
  let at = 0;
  let no = options.firstLine;
  const source = stretch.split("\n");
  source.forEach((whole, i) => {
    const line = whole.endsWith("\r") ? whole.slice(0, -1) : whole;
    for (let from = 0; from === 0 || from < line.length; from += ROW_MAX_CHARS) {
      const text = line.slice(from, from + ROW_MAX_CHARS);
      const rowStart = options.start + at + from;
      const marks = marksOfRow(options.marks, rowStart, text.length);
      lines.push({ no: from === 0 ? no : null, text, start: rowStart, style, marks });
      if (text.includes("\u001b") || text.includes("\u009b")) style = scanAnsi(text, style).style;
    }
    at += whole.length + 1;
    if (no !== null && i < source.length - 1) no++;
  });
  return { lines, style };
}

/** Marks of the whole text as marks of a row that begins at `start`. */
export function marksOfRow(marks: readonly TextMark[], start: number, length: number): TextMark[] {
  return marks
    .filter((mark) => mark.start < start + length && mark.end > start)
    .map((mark) => ({ ...mark, start: Math.max(0, mark.start - start), end: Math.min(length, mark.end - start) }));
}

/** A text as it comes: its first rows, what stands between, and its last rows. */
export interface CutText {
  head: TextLine[];
  tail: TextLine[];
  /** Between head and tail, in the whole text. */
  omittedLines: number;
  omittedChars: number;
  /** Where the part that is not here begins and ends, in UTF-16 units. */
  omittedFrom: number;
  omittedTo: number;
}

/** The rows of a text as the server cut it. A line break at the very end makes no row of its own. */
export function cutText(view: TextView, marks: readonly TextMark[]): CutText {
  const trimmed = (text: string) => (text.endsWith("\n") ? text.slice(0, -1) : text);
  const whole = view.omittedChars === 0;
  const head = textLines(whole ? trimmed(view.head) : view.head, { start: 0, firstLine: 1, marks });
  const tailStart = view.totalChars - view.tail.length;
  const tailText = trimmed(view.tail);
  const tailLineCount = tailText.split("\n").length;
  const tail =
    view.tail === ""
      ? []
      : textLines(tailText, { start: tailStart, firstLine: Math.max(1, view.totalLines - tailLineCount + 1), marks })
          .lines;
  return {
    head: head.lines,
    tail,
    omittedLines: view.omittedLines,
    omittedChars: view.omittedChars,
    omittedFrom: view.head.length,
    omittedTo: tailStart,
  };
}

/** A stretch of a text to be marked. `text` is what stands there; null when its offsets are those of this text for sure. */
export interface MarkedStretch extends TextMark {
  text: string | null;
}

/**
 * Quotations and matches of one text as marks: at their offsets when the words stand there, else where the words are
 * found. `hidden` are those in the part that is not here.
 */
export function quotationMarks(
  view: TextView,
  stretches: readonly MarkedStretch[],
): { marks: TextMark[]; hidden: TextMark[] } {
  const marks: TextMark[] = [];
  const hidden: TextMark[] = [];
  const tailStart = view.totalChars - view.tail.length;
  for (const { text, ...each } of stretches) {
    if (text === null) {
      const isHere = each.end <= view.head.length || each.start >= tailStart;
      (isHere ? marks : hidden).push(each);
      continue;
    }
    const inHead = view.head.slice(each.start, each.end) === text;
    const inTail = each.start >= tailStart && view.tail.slice(each.start - tailStart, each.end - tailStart) === text;
    if (inHead || inTail) {
      marks.push(each);
      continue;
    }
    // A share masks secrets, which moves what comes after them: look for the words themselves.
    const found = view.head.indexOf(text);
    const foundTail = found < 0 ? view.tail.indexOf(text) : -1;
    const start = found >= 0 ? found : foundTail >= 0 ? tailStart + foundTail : null;
    if (start === null) hidden.push(each);
    else marks.push({ ...each, start, end: start + text.length });
  }
  return { marks, hidden };
}
