import { IngestError } from "@/lib/errors";
import { type ParsedJson, parseJson } from "./safe-json";

/** A line that is not blank: its number (1-based) and its bytes without the line ending. */
export interface LineSpan {
  line: number;
  start: number;
  end: number;
}

/** A parsed line, or why it could not be read. */
export type JsonLine = LineSpan & ({ parsed: ParsedJson; error: null } | { parsed: null; error: IngestError });

/** The lines that are not blank, from byte `from` on. Only LF ends a line; a CR before it is left out. */
export function* lineSpans(bytes: Uint8Array, from = 0): Generator<LineSpan> {
  let line = 1;
  let start = from;
  while (start < bytes.length) {
    const found = bytes.indexOf(0x0a, start);
    const next = found === -1 ? bytes.length : found;
    let [first, end] = [start, next];
    while (first < end && isBlank(bytes[first])) first++;
    while (end > first && isBlank(bytes[end - 1])) end--;
    if (end > first) yield { line, start: first, end };
    line++;
    start = next + 1;
  }
}

/** Parses one line. A fault stays with the line: it carries the line's number and the byte offset in the upload. */
export function parseLine(bytes: Uint8Array, span: LineSpan): JsonLine {
  const { line, start, end } = span;
  try {
    return { line, start, end, parsed: parseJson(bytes.subarray(start, end), 0, end - start, false), error: null };
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    const byte = start + (error.at.byte ?? 0);
    const message = error.message.replace(/ \(line \d+, byte \d+\)$/, "");
    const at = { byte, line, pointer: null };
    const placed = new IngestError(error.code, `${message} (line ${line}, byte ${byte})`, at);
    return { line, start, end, parsed: null, error: placed };
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0d;
}
