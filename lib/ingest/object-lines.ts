import type { RawSpan } from "@/lib/trajectory/schema";
import type { ReportProgress } from "./adapter";
import { contentLines, type JsonContent } from "./content";
import type { NoteBook } from "./notes";
import { isObject, type JsonObject } from "./safe-json";

/** A line that is no object: it stands in the file, and in the trace as something not understood. */
export interface OtherLine {
  raw: RawSpan;
  line: number;
  why: string;
}

/** Lines between two reports of progress. */
const REPORT_EVERY = 500;

/** Reads every line that is an object with `read`, and keeps the others with the reason. Repairs are noted. */
export function readObjectLines<T>(
  content: JsonContent,
  notes: NoteBook,
  report: ReportProgress,
  read: (value: JsonObject, raw: RawSpan, line: number) => T,
): { lines: T[]; others: OtherLine[] } {
  const lines: T[] = [];
  const others: OtherLine[] = [];
  for (const { line, start, end, parsed, error } of contentLines(content)) {
    const raw: RawSpan = { line, pointer: null, start, end };
    if (parsed) notes.addRepairs(parsed.repairs, raw);
    const value = parsed?.value;
    if (isObject(value)) lines.push(read(value, raw, line));
    else others.push({ raw, line, why: error?.message ?? "a line that is not an object" });
    if (line % REPORT_EVERY === 0) report(end, 0);
  }
  return { lines, others };
}
