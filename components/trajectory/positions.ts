import type { RunView } from "@/lib/views/run";
import { formatCount } from "./numbers";

type Position = RunView["notes"][number]["positions"][number];

/** Where something stands in the upload: its file in an archive, its line, its JSON pointer, its bytes, whichever are known. */
export function positionWords(span: Position): string {
  const parts: string[] = span.file === undefined ? [] : [span.file];
  if (span.line !== null) parts.push(`line ${formatCount(span.line)}`);
  if (span.pointer !== null && span.pointer !== "") parts.push(span.pointer);
  if (span.start !== null && span.end !== null) {
    parts.push(`bytes ${formatCount(span.start)} to ${formatCount(span.end)}`);
  }
  return parts.length === 0 ? "position not known" : parts.join(", ");
}
