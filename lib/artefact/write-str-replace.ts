import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { shellWords } from "@/lib/trajectory/shell-words";
import { CallArguments } from "./call-arguments";
import { type Attempt, judgeAnswer } from "./effect";

/** Tools whose calls are grammar W1. `str_replace_editor` turns tabs into spaces; the later tools do not. */
const TOOLS = new Set([
  "str_replace_editor",
  "str_replace_based_edit_tool",
  "file_editor",
  "edit_anthropic",
  "str_replace_editor_tool",
  "text_editor",
  "developer__text_editor",
]);

const SUCCESS =
  /File created successfully at|has been edited\. Here's|File written successfully|Last edit to .* undone successfully|has been edited successfully/;
const FAILURE =
  /No replacement was performed|did not appear verbatim|Multiple occurrences of old_str|[Ff]ile already exists|Cannot overwrite files using command|Invalid `(?:insert_line|path|view_range)`|No edit history found|does not exist\. Please provide a valid path|is not an absolute path|is a directory and only|The parent directory .* does not exist|Parameter `\w+` is required|Unrecognized command|Ran into .* while trying to/;

const COMMANDS = new Set(["create", "str_replace", "insert", "undo_edit"]);

/** Whether a call belongs to grammar W1. OpenHands calls the same commands `edit` where it does not name the tool. */
export function isStrReplaceCall(call: CallItem): boolean {
  return TOOLS.has(call.tool) || (call.tool === "edit" && COMMANDS.has(new CallArguments(call).text("command") ?? ""));
}

/** Tools that record a file before and after are OpenHands': they look for a text again without the blanks around it. */
function isOfOpenHands(call: CallItem, result: ResultItem | null): boolean {
  return call.tool === "file_editor" || (result?.recorded.length ?? 0) > 0;
}

/** Whether the tool expands the tabs of a file: OpenHands' first versions did as SWE-agent's, the later ones leave them. */
function expandsTabs(call: CallItem, result: ResultItem | null): boolean {
  const keepsTabs = result?.recorded.some(({ after }) => after?.includes("\t") === true) === true;
  return call.tool === "str_replace_editor" && !keepsTabs;
}

/**
 * The writes of a `str_replace_editor` call (formats.md, W1). A call that only looks gives none. Arguments are taken as
 * given, or split from the command line that SWE-agent 1.x records.
 */
export function readStrReplace(call: CallItem, result: ResultItem | null): Attempt[] {
  const given = new CallArguments(call);
  const split = given.has("command") ? given : argumentsOf(call);
  if (split === null) return [];
  const command = split.text("command");
  const path = split.text("path");
  if (command === null || path === null || command === "view") return [];
  const { status, reason } = judgeAnswer(result, SUCCESS, FAILURE);
  const tabs = expandsTabs(call, result);
  const base = { path, grammar: "W1" as const, status, reason };
  // Of a call that was cut short no text is needed: nothing is concluded from it.
  const missing = call.isCut === true ? "" : null;
  if (command === "create") {
    const text = split.text("file_text") ?? missing;
    if (text === null) return [];
    const effect = { kind: "write" as const, text, mustBeNew: true };
    return [{ ...base, operation: "create", effect, fragment: { before: null, after: text, startLine: 1 } }];
  }
  if (command === "str_replace") {
    const before = split.text("old_str") ?? missing;
    if (before === null) return [];
    const after = split.text("new_str") ?? "";
    const edits = [{ before, after, all: false }];
    const trims = isOfOpenHands(call, result);
    const effect = { kind: "replace" as const, edits, tabs, dropsLineEnd: false, window: null, trims };
    return [{ ...base, operation: "edit", effect, fragment: { before, after, startLine: null } }];
  }
  if (command === "insert") {
    const after = split.whole("insert_line");
    const text = split.text("new_str", "insert_text") ?? missing;
    if (after === null || after < 0 || text === null) return [];
    const effect = { kind: "insert" as const, after, text, tabs, joins: call.tool === "file_editor" };
    return [{ ...base, operation: "edit", effect, fragment: { before: null, after: text, startLine: after + 1 } }];
  }
  if (command === "write") {
    const text = split.text("file_text");
    if (text === null) return [];
    const effect = { kind: "write" as const, text, mustBeNew: false };
    return [{ ...base, operation: "overwrite", effect, fragment: { before: null, after: text, startLine: 1 } }];
  }
  if (command === "undo_edit") return [{ ...base, operation: "edit", effect: { kind: "undo" }, fragment: null }];
  return [];
}

/** Arguments out of `str_replace_editor create /p --file_text '...'`. */
function argumentsOf(call: CallItem): CallArguments | null {
  const words = call.text === null ? null : shellWords(call.text);
  if (words === null || words[0] !== call.tool) return null;
  const named: Record<string, string> = {};
  const plain: string[] = [];
  for (let at = 1; at < words.length; at += 1) {
    const word = words[at] ?? "";
    const option = /^--(file_text|old_str|new_str|insert_line|view_range)(?:=([\s\S]*))?$/.exec(word);
    if (option === null) {
      plain.push(word);
    } else if (option[2] !== undefined) {
      named[option[1] ?? ""] = option[2];
    } else {
      at += 1;
      named[option[1] ?? ""] = words[at] ?? "";
    }
  }
  const [command, path] = plain;
  if (command === undefined || path === undefined) return null;
  return new CallArguments({ ...call, arguments: { ...named, command, path } });
}
