import type { CallItem, ResultItem } from "@/lib/trajectory/schema";
import { CallArguments } from "./call-arguments";
import { type Attempt, judgeAnswer } from "./effect";
import { type PythonCall, type PythonValue, readPythonCalls } from "./python-calls";

/** Tools that run Python code in a notebook, in which OpenHands once offered its skills. */
const TOOLS = new Set(["run_ipython", "execute_ipython_cell"]);

const SUCCESS = /\[File updated \(edited at line|\[File .{1,500} created\.\]/;
const FAILURE =
  /Your proposed edit has introduced new syntax error|has NOT been applied|No exact match found in|^ERROR: |^(?:[A-Z]\w*)?(?:Error|Exception): |already exists/m;
const WINDOW = /^\[File: (.+) \(\d+ lines total(?: after edit)?\)\]\r?$/gm;

/** The parameters of a skill in their order; the file first. */
const SKILLS: ReadonlyMap<string, readonly string[]> = new Map([
  ["create_file", ["filename"]],
  ["edit_file_by_replace", ["file_name", "to_replace", "new_content"]],
  ["insert_content_at_line", ["file_name", "line_number", "content"]],
  ["append_file", ["file_name", "content"]],
  ["edit_file_by_line", ["file_name", "start", "end", "new_content"]],
  ["edit_file", ["file_name", "start", "end", "content"]],
]);

/** Whether a call runs code in a notebook. */
export function isNotebookCall(call: CallItem): boolean {
  return TOOLS.has(call.tool) && codeOf(call) !== null;
}

/** The code that a call runs in a notebook; null for other calls. */
export function codeOf(call: CallItem): string | null {
  return new CallArguments(call).text("code");
}

/**
 * The writes of the skills that a notebook's code calls. `hasOther`: there is other code, which may write as well.
 */
export function readSkills(call: CallItem, result: ResultItem | null): { attempts: Attempt[]; hasOther: boolean } {
  const { calls, hasOther } = readPythonCalls(codeOf(call) ?? "");
  const skills = calls.filter(({ name }) => SKILLS.has(name));
  const isUnclear = result !== null && skills.length > 1 && SUCCESS.test(result.text) && FAILURE.test(result.text);
  const shown = result === null ? [] : [...result.text.matchAll(WINDOW)].map((match) => match[1] ?? "");
  const attempts = skills.flatMap((skill) => attemptOf(skill, result, shown, isUnclear) ?? []);
  // Code that is no Python does not run at all.
  if (result !== null && /^SyntaxError: /m.test(result.text)) return { attempts, hasOther: false };
  return { attempts, hasOther: hasOther || calls.some(({ name }) => !SKILLS.has(name) && !LOOKS.has(name)) };
}

const LOOKS = new Set([
  "open_file",
  "goto_line",
  "scroll_up",
  "scroll_down",
  "search_dir",
  "search_file",
  "find_file",
  "print",
]);

function attemptOf(
  skill: PythonCall,
  result: ResultItem | null,
  shown: readonly string[],
  isUnclear: boolean,
): Attempt | null {
  const given = argumentsOf(skill);
  const named = given.get("file_name") ?? given.get("filename");
  // Early versions edit the file that is open: only the window that they answer with names it.
  const path = typeof named === "string" ? fullPath(named, shown) : (shown[0] ?? null);
  if (path === null) return null;
  const { status, reason } = judgeAnswer(result, SUCCESS, FAILURE);
  const base = { path, grammar: "W3" as const, status, reason };
  const opaque = (why: string): Attempt => ({
    ...base,
    operation: "opaque",
    effect: { kind: "opaque" },
    status: "opaque",
    reason: why,
    fragment: null,
  });
  if (isUnclear) return opaque("it is not told which of several edits failed");
  if (skill.name === "create_file") {
    const effect = { kind: "write" as const, text: "\n", mustBeNew: true };
    return { ...base, operation: "create", effect, fragment: { before: null, after: "\n", startLine: 1 } };
  }
  const text = given.get("new_content") ?? given.get("content");
  if (typeof text !== "string")
    return status === "refused" ? { ...opaque(""), status, reason } : opaque("what is written is computed");
  const edited = (
    edit: Extract<Attempt["effect"], { kind: "skill" }>["edit"],
    before: string | null,
    line: number | null,
  ): Attempt => ({
    ...base,
    operation: edit.skill === "append" ? "append" : "edit",
    effect: { kind: "skill", edit },
    fragment: { before, after: text, startLine: line },
  });
  const before = given.get("to_replace");
  if (skill.name === "edit_file_by_replace" && typeof before === "string") {
    return edited({ skill: "replace", before, text }, before, null);
  }
  const line = given.get("line_number");
  if (skill.name === "insert_content_at_line" && typeof line === "number") {
    return edited({ skill: "insert", line, text }, null, line);
  }
  if (skill.name === "append_file") return edited({ skill: "append", text }, null, null);
  return status === "refused"
    ? { ...opaque(""), status, reason }
    : opaque("how this skill changes lines is not followed");
}

function argumentsOf({ name, positional, named }: PythonCall): Map<string, PythonValue> {
  const parameters = SKILLS.get(name) ?? [];
  const given = new Map(named);
  for (const [n, value] of positional.entries()) {
    const parameter = parameters[n];
    if (parameter !== undefined && !given.has(parameter)) given.set(parameter, value);
  }
  return given;
}

/** The path as a window names it, where one is of this file: a notebook has a folder of its own. */
function fullPath(named: string, shown: readonly string[]): string {
  const end = `/${named.replace(/^(?:\.\/)+/, "")}`;
  return named.startsWith("/") ? named : (shown.find((path) => path.endsWith(end)) ?? named);
}
