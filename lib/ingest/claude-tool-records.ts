import type { ReadFile, RecordedFile } from "@/lib/trajectory/schema";
import { countMember, isObject, type JsonValue, listMember, member, stringMember } from "./safe-json";

/** What `toolUseResult` adds to the text of a result. */
export interface ToolRecord {
  recorded: RecordedFile[];
  reads: ReadFile[];
  durationMs: number | null;
  exitCode: number | null;
  isInterrupted: boolean;
}

/**
 * Reads `toolUseResult`: an object for most tools, a plain string for errors, a list for some others (formats.md 2.11).
 * `input` is the call's input, `text` the result as the model saw it.
 */
export function readToolRecord(
  tool: string,
  input: JsonValue | undefined,
  given: JsonValue | undefined,
  text: string,
): ToolRecord {
  const exit = /^(?:<tool_use_error>)?(?:Error: )?Exit code (\d+)/.exec(text)?.[1];
  return {
    recorded: recordedFiles(given),
    reads: readFiles(tool, input, given, text),
    durationMs: countMember(given, "durationMs") ?? countMember(given, "totalDurationMs"),
    exitCode: countMember(given, "exitCode") ?? (exit === undefined ? null : Number(exit)),
    isInterrupted: member(given, "interrupted") === true,
  };
}

function recordedFiles(given: JsonValue | undefined): RecordedFile[] {
  const byPerson = member(given, "userModified") === true;
  const notebook = stringMember(given, "notebook_path");
  if (notebook !== null && stringMember(given, "updated_file") !== null) {
    const before = stringMember(given, "original_file");
    const after = stringMember(given, "updated_file");
    return [{ path: notebook, before, after, existedBefore: before === null ? null : true, patch: null, byPerson }];
  }
  const path = stringMember(given, "filePath");
  if (path === null) return [];
  const patch = unifiedPatch(listMember(given, "structuredPatch"));
  const type = stringMember(given, "type");
  const content = stringMember(given, "content");
  if ((type === "create" || type === "update") && content !== null) {
    const isNew = type === "create";
    const before = isNew ? null : stringMember(given, "originalFile");
    return [{ path, before, after: content, existedBefore: !isNew, patch, byPerson }];
  }
  const before = stringMember(given, "originalFile") ?? stringMember(given, "originalFileContents");
  const isEdit = stringMember(given, "oldString") !== null || Array.isArray(member(given, "edits"));
  if (!isEdit && patch === null && before === null) return [];
  // An edit of nothing creates the file: an empty "original" does not say that there was one.
  const existedBefore = before === null || before === "" ? null : true;
  return [{ path, before: existedBefore ? before : null, after: null, existedBefore, patch, byPerson }];
}

/** Hunks as unified diff text, without a file header. */
function unifiedPatch(hunks: JsonValue[]): string | null {
  const lines: string[] = [];
  for (const hunk of hunks) {
    const [oldStart, oldLines] = [countMember(hunk, "oldStart"), countMember(hunk, "oldLines")];
    const [newStart, newLines] = [countMember(hunk, "newStart"), countMember(hunk, "newLines")];
    if (oldStart === null || oldLines === null || newStart === null || newLines === null) return null;
    lines.push(`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`);
    for (const line of listMember(hunk, "lines")) if (typeof line === "string") lines.push(line);
  }
  return lines.length > 0 ? `${lines.join("\n")}\n` : null;
}

function readFiles(tool: string, input: JsonValue | undefined, given: JsonValue | undefined, text: string): ReadFile[] {
  const file = member(given, "file");
  const path = stringMember(file, "filePath");
  const content = stringMember(file, "content");
  if (stringMember(given, "type") === "text" && path !== null && content !== null) {
    const startLine = Math.max(1, countMember(file, "startLine") ?? 1);
    const numLines = countMember(file, "numLines") ?? content.split("\n").length;
    const pieces = countMember(file, "totalLines");
    return [fileRead(path, content, startLine, numLines, pieces)].filter((read) => read.text !== "" || read.whole);
  }
  const asked = stringMember(input, "file_path");
  if (tool !== "Read" || asked === null || isObject(given)) return [];
  return numberedRead(asked, text);
}

/** `pieces` counts what splitting the file at line feeds gives: one more than its lines when it ends in one. */
function fileRead(path: string, content: string, startLine: number, numLines: number, pieces: number | null): ReadFile {
  const whole = startLine === 1 && pieces !== null && numLines >= pieces;
  if (whole) {
    const totalLines = content === "" ? 0 : numLines - (content.endsWith("\n") ? 1 : 0);
    return { path, startLine: 1, text: content, totalLines, whole };
  }
  const isFollowed = pieces === null || startLine + numLines - 1 < pieces;
  return { path, startLine, text: isFollowed && content !== "" ? `${content}\n` : content, totalLines: null, whole };
}

const NUMBERED = /^ *(\d+)(?:→|\t)(.*)$/;

/** The numbered lines of a Read without a record; a line that the tool shortened makes it worthless. */
function numberedRead(path: string, text: string): ReadFile[] {
  const lines: string[] = [];
  let startLine = 0;
  for (const row of text.split("\n")) {
    const match = NUMBERED.exec(row);
    if (!match) break;
    const number = Number(match[1]);
    if (lines.length === 0) startLine = number;
    else if (number !== startLine + lines.length) break;
    lines.push(match[2] ?? "");
  }
  if (lines.at(-1) === "") lines.pop();
  if (lines.length === 0 || startLine < 1 || lines.some((line) => line.endsWith("... [truncated]"))) return [];
  return [{ path, startLine, text: `${lines.join("\n")}\n`, totalLines: null, whole: false }];
}
