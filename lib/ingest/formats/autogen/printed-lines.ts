import type { RawSpan } from "@/lib/trajectory/schema";
import { storable } from "../../safe-json";
import { byteOrderMark, decodeUtf8 } from "../../text-decoding";

/** One line of what a program printed: its text without terminal sequences, and its bytes with the line end. */
export interface PrintedLine {
  text: string;
  start: number;
  end: number;
}

const ESCAPES = /\p{Cc}\[[\d;]*m/gu;

/** All lines of a text. `replaced` counts bytes that are not UTF-8. */
export function printedLines(bytes: Uint8Array): { lines: PrintedLine[]; replaced: number } {
  const lines: PrintedLine[] = [];
  let replaced = 0;
  for (let start = byteOrderMark(bytes); start < bytes.length; ) {
    const found = bytes.indexOf(0x0a, start);
    const end = found === -1 ? bytes.length : found + 1;
    const decoded = decodeUtf8(bytes.subarray(start, found === -1 ? end : found));
    replaced += decoded.replaced;
    lines.push({ text: plainLine(storable(decoded.text)), start, end });
    start = end;
  }
  return { lines, replaced };
}

/** A line without the end that other systems write, and without the sequences that colour a terminal. */
export function plainLine(line: string): string {
  const text = line.endsWith("\r") ? line.slice(0, -1) : line;
  return text.includes("\u001b[") ? text.replace(ESCAPES, "") : text;
}

/** Where lines stand, the last one included. */
export function spanOfLines(lines: readonly PrintedLine[], first: number, last: number): RawSpan {
  return { line: first + 1, pointer: null, start: lines[first]?.start ?? null, end: lines[last]?.end ?? null };
}
