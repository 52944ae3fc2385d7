import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { CallArguments } from "./call-arguments";
import { type Attempt, judgeAnswer, type StringEdit } from "./effect";

const WRITE_TOOLS = new Set(["write", "write_file", "writefile", "write_to_file", "create", "create_file"]);
const EDIT_TOOLS = new Set([
  "edit",
  "edit_file",
  "replace",
  "replace_string_in_file",
  "search_replace",
  "str_replace",
  "update",
]);
const MULTI_TOOLS = new Set(["multiedit", "multi_edit"]);
const NOTEBOOK_TOOLS = new Set(["notebookedit", "notebook_edit"]);

const SUCCESS =
  /File created successfully at|File written successfully|has been updated|Applied \d+ edits? to|Updated cell|Inserted cell|Deleted cell|Successfully (?:modified|created|overwrote)|^Updated file |^Successfully replaced \d+ instance/;
const FAILURE =
  /<tool_use_error>|File has not been read yet|String to replace not found|Found \d+ matches of the string|No changes to make|File does not exist|InputValidationError|requested permissions to write|user doesn't want to proceed|has been (?:unexpectedly )?modified since read|File is a Jupyter Notebook|^Error: (?:File '|String )|^Cannot write to \/[^\n]{1,1000} because it already exists/;

/** Whether a call belongs to grammar W3: a structured edit with a file's path. */
export function isClaudeWriteCall(call: CallItem): boolean {
  const tool = call.tool.toLowerCase();
  const known = [WRITE_TOOLS, EDIT_TOOLS, MULTI_TOOLS, NOTEBOOK_TOOLS].some((tools) => tools.has(tool));
  if (!known || call.arguments === null) return false;
  const given = new CallArguments(call);
  // SWE-agent's own `create` takes a name alone.
  return pathOf(given) !== null && (tool !== "create" || given.has("content"));
}

function pathOf(given: CallArguments): string | null {
  return given.text("file_path", "filePath", "path", "notebook_path", "absolute_path");
}

/** The writes of a `Write`, `Edit`, `MultiEdit` or `NotebookEdit` call (formats.md, W3). */
export function readClaudeWrite(call: CallItem, result: ResultItem | null): Attempt[] {
  const given = new CallArguments(call);
  const path = pathOf(given);
  if (path === null) return [];
  const tool = call.tool.toLowerCase();
  const { status, reason } = judgeAnswer(result, SUCCESS, FAILURE);
  const base = { path, grammar: "W3" as const, status, reason };
  if (WRITE_TOOLS.has(tool)) {
    const text = given.text("content");
    if (text === null) return [];
    const created = result !== null && /File created successfully/.test(result.text);
    const effect = { kind: "write" as const, text, mustBeNew: false };
    const operation = created ? ("create" as const) : ("overwrite" as const);
    return [{ ...base, operation, effect, fragment: { before: null, after: text, startLine: 1 } }];
  }
  if (NOTEBOOK_TOOLS.has(tool)) {
    const after = given.text("new_source");
    const why = "a notebook's cell was edited; what its file looks like is not told";
    return [
      {
        ...base,
        operation: status === "refused" ? "edit" : "opaque",
        effect: { kind: "opaque" },
        status: status === "refused" ? "refused" : "opaque",
        reason: status === "refused" ? reason : why,
        fragment: { before: null, after, startLine: null },
      },
    ];
  }
  const edits = MULTI_TOOLS.has(tool) ? editsOf(given) : oneEdit(given, call.isCut === true ? "" : null);
  if (edits === null || edits.length === 0) return [];
  // `edit_file` of Deep Agents takes the text alone.
  const dropsLineEnd = tool !== "edit_file";
  const effect = { kind: "replace" as const, edits, tabs: false, dropsLineEnd, window: null };
  const operation = edits[0]?.before === "" ? ("create" as const) : ("edit" as const);
  const separator = "\n⋯\n";
  const fragment = {
    before: edits.map((edit) => edit.before).join(separator),
    after: edits.map((edit) => edit.after).join(separator),
    startLine: null,
  };
  return [{ ...base, operation, effect, fragment }];
}

/** @param missing what stands for a text that the call does not hold; null when it is then no edit */
function oneEdit(given: CallArguments, missing: string | null): StringEdit[] | null {
  const before = given.text("old_string", "oldString", "old_str", "old") ?? missing;
  const after = given.text("new_string", "newString", "new_str", "new") ?? missing;
  if (before === null || after === null) return null;
  return [{ before, after, all: given.flag("replace_all", "replaceAll", "allow_multiple") }];
}

function editsOf(given: CallArguments): StringEdit[] | null {
  const list = given.objects("edits");
  if (list === null) return null;
  const edits: StringEdit[] = [];
  for (const one of list) {
    const before = one.get("old_string") ?? one.get("oldString");
    const after = one.get("new_string") ?? one.get("newString");
    if (typeof before !== "string" || typeof after !== "string") return null;
    edits.push({ before, after, all: one.get("replace_all") === true || one.get("replaceAll") === true });
  }
  return edits;
}
