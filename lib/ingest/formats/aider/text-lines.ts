import type { RawSpan } from "@/lib/trajectory/schema";
import type { NoteBook } from "../../notes";
import { storable } from "../../safe-json";
import { decodeUtf8 } from "../../text-decoding";
import { linesOfText, type TextLine } from "../../text-lines";

/**
 * The lines of a text with their places. Both line ends are taken for one, because aider writes in text mode; what had to
 * be repaired is noted.
 */
export function readLines(bytes: Uint8Array, notes: NoteBook): TextLine[] {
  const { text, replaced } = decodeUtf8(bytes);
  notes.add("invalid_utf8", "repaired", "Bytes that are not UTF-8, replaced by U+FFFD", null, replaced);
  const kept = storable(text);
  if (kept !== text) notes.add("nul_character", "repaired", "NUL characters, replaced by U+FFFD", null);
  const lines = linesOfText(kept, bytes);
  let windows = 0;
  for (const line of kept.includes("\r") ? lines : []) {
    if (!line.text.endsWith("\r")) continue;
    line.text = line.text.slice(0, -1);
    windows++;
  }
  notes.add("windows_line_end", "repaired", "Line ends of Windows, read as line feeds", null, windows);
  return lines;
}

/** The place of the lines from `first` to `last`, both included; the number of the line only where it is one alone. */
export function spanOf(lines: readonly TextLine[], first: number, last: number): RawSpan {
  const start = lines[first]?.start ?? 0;
  const end = lines[last]?.end ?? start;
  return { line: first === last ? first + 1 : null, pointer: null, start, end };
}

/** The texts of the lines from `first` to `last`, both included, with line feeds between them. */
export function textOf(lines: readonly TextLine[], first: number, last: number): string {
  return lines
    .slice(first, last + 1)
    .map(({ text }) => text)
    .join("\n");
}

/** The same stretch of lines without the blank ones at its ends; null when nothing is left. */
export function withoutBlanks(
  lines: readonly TextLine[],
  first: number,
  last: number,
): { first: number; last: number } | null {
  let [from, to] = [first, last];
  while (from <= to && isBlank(lines[from])) from++;
  while (to >= from && isBlank(lines[to])) to--;
  return from > to ? null : { first: from, last: to };
}

/** Whether a line holds nothing but blanks. */
export function isBlank(line: TextLine | undefined): boolean {
  return line === undefined || line.text.trim() === "";
}
