import type { CallItem, ReadFile } from "@/lib/trajectory/schema";
import { type JsonValue, member, stringMember } from "../../safe-json";

const ROW = /^ *(\d{1,9})(?:\t|→)(.*)$/;
const HEADER = "Here's the result of running `cat -n` on ";
const CLIPPED = "<response clipped>";
const SHORTENED = "... [truncated]";
/** How many lines may stand before the first numbered one. */
const LINES_BEFORE = 20;

/**
 * Lines of a file that an answer shows with their numbers, as `cat -n` prints them: views of an editor, what it shows of
 * a file after an edit, and tools that read files. Text without numbers tells nothing: it may be any part of the file.
 */
export function readsIn(call: CallItem, text: string): ReadFile[] {
  const path = pathOf(call.arguments ?? undefined);
  if (path === null || (call.callKind !== "read" && !text.includes(HEADER))) return [];
  const rows = text.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));
  const first = rows.findIndex((row, n) => n > LINES_BEFORE || ROW.test(row));
  const start = ROW.exec(rows[first] ?? "");
  if (!start) return [];
  const startLine = Number(start[1]);
  const lines: string[] = [];
  for (const row of rows.slice(first)) {
    const match = ROW.exec(row);
    if (!match || Number(match[1]) !== startLine + lines.length) break;
    lines.push(match[2] ?? "");
  }
  if (startLine < 1 || lines.some((line) => line.endsWith(SHORTENED))) return [];
  const isClipped = text.includes(CLIPPED);
  if (isWholeView(call, text) && startLine === 1 && !isClipped) {
    // The editor numbers what stands behind the last line feed too, so joining the rows gives the file exactly.
    const totalLines = lines.length - (lines.at(-1) === "" ? 1 : 0);
    return [{ path, startLine, text: lines.join("\n"), totalLines, whole: true }];
  }
  // The last row may be cut short, or be the empty row behind the last line feed, which is no line.
  if (isClipped || lines.at(-1) === "") lines.pop();
  if (lines.length === 0) return [];
  return [{ path, startLine, text: lines.map((line) => `${line}\n`).join(""), totalLines: null, whole: false }];
}

/** An editor that was asked for all of a file says so in its header. */
function isWholeView(call: CallItem, text: string): boolean {
  const range = call.arguments?.view_range;
  const isAll = range === undefined || range === null;
  return isAll && call.arguments?.command === "view" && text.startsWith(HEADER);
}

function pathOf(values: JsonValue | undefined): string | null {
  if (member(values, "files") !== undefined) return null;
  for (const key of ["path", "file_path", "filePath", "filename", "file", "absolute_path", "target_file"]) {
    const found = stringMember(values, key);
    if (found !== null && found !== "") return found;
  }
  return null;
}
