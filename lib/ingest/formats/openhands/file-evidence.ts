import type { ReadFile, RecordedFile } from "@/lib/trajectory/schema";
import { fileViews } from "../../editor-views";
import { type JsonValue, listMember, member, stringMember } from "../../safe-json";

/** Commands of the editor after which the record of both contents is true. */
const WRITES = new Set(["create", "str_replace", "insert", "undo_edit", "write"]);

/**
 * What an observation recorded about a file that was written: `old_content` and `new_content`, else its diff.
 * @param record the `extras` of a V0 observation, or the `observation` of an event of the SDK
 * @param text the answer, in which older versions wrote the diff
 * @param isWrite whether the call wrote; a view has the same members
 */
export function recordedIn(record: JsonValue | undefined, text: string, isWrite: boolean): RecordedFile[] {
  const path = stringMember(record, "path");
  const command = stringMember(record, "command");
  if (path === null || !isWrite || (command !== null && command !== "" && !WRITES.has(command))) return [];
  const after = stringMember(record, "new_content");
  const existed = member(record, "prev_exist");
  const patch = diffIn(stringMember(record, "diff")) ?? diffIn(text);
  if (after === null && patch === null) return [];
  const existedBefore = typeof existed === "boolean" ? existed : null;
  // A new file has an empty `old_content`, which does not say that there was one.
  const before = existedBefore === false ? null : stringMember(record, "old_content");
  return [{ path, before, after, existedBefore, patch, byPerson: false }];
}

function diffIn(text: string | null): string | null {
  return text !== null && /^(?:--- .*\n\+\+\+ |@@ -\d+)/.test(text) ? text : null;
}

const VIEW = "Here's the result of running `cat -n` on ";

/**
 * Lines of a file that an editor's view shows with their numbers.
 * @param range the lines that the call asked for; null when it asked for the whole file
 */
export function viewedLines(path: string, range: JsonValue | undefined, text: string): ReadFile[] {
  const isWhole = (range === null || range === undefined) && text.startsWith(VIEW);
  return fileViews(text, null, { path, isWhole });
}

/** The whole of a file that the runtime read without numbers. Nothing of a part: where it ends is not told. */
export function readWhole(path: string, given: JsonValue | undefined, text: string, isCut: boolean): ReadFile[] {
  const isFirst = [undefined, null, 0].some((start) => member(given, "start") === start);
  const isLast = [undefined, null, -1].some((end) => member(given, "end") === end);
  // Without the call it is not told what was asked for.
  if (!isFirst || !isLast || isCut || given === undefined || listMember(given, "view_range").length > 0) return [];
  const totalLines = text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  return [{ path, startLine: 1, text, totalLines, whole: true }];
}
