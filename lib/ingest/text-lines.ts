import { byteOrderMark } from "./text-decoding";

const LINE_FEED = 0x0a;

/** A line of a text; `start` and `end` are its bytes without the line feed, `end` exclusive. */
export interface TextLine {
  text: string;
  start: number;
  end: number;
}

/**
 * The lines of a decoded text with their places in its bytes. What ends with a line feed has an empty line behind it.
 * @param text the bytes without a byte order mark; replacing characters in it must not change how many lines there are
 */
export function linesOfText(text: string, bytes: Uint8Array): TextLine[] {
  const lines: TextLine[] = [];
  let start = byteOrderMark(bytes);
  for (const one of text.split("\n")) {
    const end = lineEnd(bytes, start, one.length);
    lines.push({ text: one, start, end });
    start = end + 1;
  }
  return lines;
}

/**
 * Where a line of so many characters ends. It has as many bytes when all of them are ASCII, and more otherwise: then that
 * place is inside the line, where no line feed is.
 */
function lineEnd(bytes: Uint8Array, start: number, length: number): number {
  const end = start + length;
  if (end >= bytes.length || bytes[end] === LINE_FEED) return Math.min(end, bytes.length);
  const found = bytes.indexOf(LINE_FEED, end);
  return found === -1 ? bytes.length : found;
}
