import type { RawSpan } from "@/lib/trajectory/schema";
import { storable } from "../../safe-json";
import { decodeUtf8 } from "../../text-decoding";
import { linesOfText } from "../../text-lines";

/** One line of what a program printed: its text without terminal sequences, and its bytes with the line end. */
export interface PrintedLine {
  text: string;
  start: number;
  end: number;
}

const ESCAPES = /\p{Cc}\[[\d;]*m/gu;

/** All lines of a text. `replaced` counts bytes that are not UTF-8. */
export function printedLines(bytes: Uint8Array): { lines: PrintedLine[]; replaced: number } {
  const { text, replaced } = decodeUtf8(bytes);
  const lines = linesOfText(storable(text), bytes);
  if (lines.at(-1)?.text === "") lines.pop();
  for (const line of lines) {
    // Logs that were put together may have a mark where each began.
    line.text = plainLine(line.text.startsWith("\ufeff") ? line.text.slice(1) : line.text);
    line.end = Math.min(line.end + 1, bytes.length);
  }
  return { lines, replaced };
}

/** A line without the end that other systems write, and without the sequences that colour a terminal. */
export function plainLine(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return text.includes("\u001b[") ? text.replace(ESCAPES, "") : text;
}

/** False when no line of a text holds some words, with or without sequences that colour them: a quick look at any text. */
export function mayHold(text: string, words: string): boolean {
  return text.includes(words) || text.includes("\u001b[");
}

/** Where lines stand, the last one included. */
export function spanOfLines(lines: readonly PrintedLine[], first: number, last: number): RawSpan {
  return { line: first + 1, pointer: null, start: lines[first]?.start ?? null, end: lines[last]?.end ?? null };
}
