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

const SKILL_HEADER = /^\[File: (.+) \((\d+) lines total( after edit)?\)\]$/;
const SKILL_ROW = /^(\d{1,9})\|(.*)$/;
const AROUND = /^\((?:\d+ more lines (?:above|below)|this is the (?:beginning|end) of the file)\)$/;

/**
 * Lines of a file that the early skills show in a window: `[File: p (n lines total)]`, `12|text`. An edit that was
 * taken back shows text that no file holds.
 */
export function windowLines(text: string): ReadFile[] {
  if (!text.includes("[File: ") || /has NOT been applied|introduced new syntax error/i.test(text)) return [];
  const rows = text.split("\n").map((row) => (row.endsWith("\r") ? row.slice(0, -1) : row));
  const at = rows.findLastIndex((row) => SKILL_HEADER.test(row));
  const header = SKILL_HEADER.exec(rows[at] ?? "");
  if (!header) return [];
  const [, path = "", total = "", edited] = header;
  const totalLines = Number(total);
  const lines: string[] = [];
  let startLine = 0;
  for (const row of rows.slice(at + 1)) {
    if (lines.length === 0 && AROUND.test(row)) continue;
    const match = SKILL_ROW.exec(row);
    if (!match || (lines.length > 0 && Number(match[1]) !== startLine + lines.length)) break;
    if (lines.length === 0) startLine = Number(match[1]);
    lines.push(match[2] ?? "");
  }
  if (startLine < 1 || startLine + lines.length - 1 > totalLines) return [];
  // An edit always leaves a line feed at the end of the file; of a file that is only opened that is not shown.
  const reachesEnd = startLine + lines.length - 1 === totalLines;
  if (reachesEnd && edited === undefined) lines.pop();
  if (lines.length === 0) return [];
  const whole = reachesEnd && edited !== undefined && startLine === 1;
  return [{ path, startLine, text: lines.map((line) => `${line}\n`).join(""), totalLines, whole }];
}
