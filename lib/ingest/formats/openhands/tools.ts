import type { CallKind } from "@/lib/trajectory/schema";
import { type JsonObject, type JsonValue, listMember, stringMember } from "../../safe-json";
import { shellCallKind } from "../../shell-kind";

const SHELLS = new Set(["run", "execute_bash", "terminal", "bash", "command"]);
const EDITORS = new Set(["edit", "str_replace_editor", "file_editor"]);

const NAMES: [CallKind, string[]][] = [
  [
    "read",
    ["read", "read_file", "view", "browse", "web_read", "browser_get_content", "browser_get_state", "list_directory"],
  ],
  ["write", ["write", "write_file", "edit_file", "apply_patch"]],
  ["execute", ["run_ipython", "execute_ipython_cell", "browse_interactive", "browser"]],
  ["search", ["grep", "glob", "codebase_search"]],
  ["delegate", ["delegate", "delegate_to_browsing_agent", "task", "task_tool"]],
  ["submit", ["finish", "reject"]],
];
const KINDS: ReadonlyMap<string, CallKind> = new Map(
  NAMES.flatMap(([kind, names]) => names.map((name): [string, CallKind] => [name, kind])),
);

/** What kind of call it is, by the tool's name; a shell command counts as what it does, an editor's call by its command. */
export function callKindOf(tool: string, given: JsonObject | null): CallKind {
  const name = tool.toLowerCase();
  if (SHELLS.has(name)) return shellCallKind(stringMember(given ?? undefined, "command") ?? "");
  if (EDITORS.has(name)) return isView(given) ? "read" : "write";
  return KINDS.get(name) ?? "other";
}

/** A look through an editor: its command says so, or it has a path and nothing to write. */
function isView(given: JsonObject | null): boolean {
  const command = stringMember(given ?? undefined, "command");
  if (command !== null && command !== "") return command === "view";
  return !["content", "new_str", "old_str", "file_text"].some((key) => typeof given?.[key] === "string");
}

/** The plan that a call of the task tracker writes, one line a task. Null for other calls, and when it only looks. */
export function planOf(tool: string, given: JsonObject | null): string | null {
  if (tool !== "task_tracker" && tool !== "task_tracking") return null;
  const lines = listMember(given ?? undefined, "task_list").map(planLine);
  return lines.length === 0 ? null : lines.join("\n");
}

function planLine(task: JsonValue): string {
  const title = stringMember(task, "title");
  if (title === null) return `- ${typeof task === "string" ? task : JSON.stringify(task)}`;
  const [status, notes] = [stringMember(task, "status"), stringMember(task, "notes")];
  return `- ${status === null ? "" : `[${status}] `}${title}${notes === null || notes === "" ? "" : `: ${notes}`}`;
}
