import type { CallKind } from "@/lib/trajectory/schema";
import { callKindOf } from "./editor-commands";
import type { JsonObject } from "./safe-json";

/** Tools that run command lines. */
const SHELLS: ReadonlySet<string> = new Set([
  ...["bash", "execute_bash", "terminal", "shell", "run_command", "run_shell_command", "exec_command", "shell_command"],
]);
/** Tools with one name for looking and writing; their argument `command` says which. */
const EDITORS: ReadonlySet<string> = new Set(["str_replace_editor", "file_editor", "str_replace_based_edit_tool"]);

const NAMES: [CallKind, string[]][] = [
  ["read", ["read", "read_file", "open_file", "view", "browse", "webfetch", "list_directory", "ls"]],
  ["write", ["write", "write_file", "create_file", "edit", "edit_file", "multiedit", "notebookedit", "apply_patch"]],
  ["write", ["replace", "search_replace"]],
  ["execute", ["execute_ipython_cell", "python", "run_tests"]],
  ["search", ["grep", "glob", "search", "websearch", "search_file_content"]],
  ["delegate", ["delegate", "task", "agent", "spawn_agent"]],
  ["submit", ["finish", "submit", "task_complete", "mark_task_complete"]],
];
const KINDS: ReadonlyMap<string, CallKind> = new Map(
  NAMES.flatMap(([kind, names]) => names.map((name): [string, CallKind] => [name, kind])),
);

/** What kind of call it is, by the tool's name and what it is asked to do; `text` is a command line that stands alone. */
export function kindOfCall(tool: string, values: JsonObject | null, text: string | null): CallKind {
  const name = tool.toLowerCase();
  const given = values?.command ?? values?.cmd;
  const command = typeof given === "string" ? given : text;
  if (SHELLS.has(name)) return callKindOf("bash", command ?? "", null);
  if (EDITORS.has(name)) return callKindOf("str_replace_editor", "", command ?? "");
  return KINDS.get(name) ?? "other";
}

/** True for tools that run command lines. */
export function isShellName(tool: string): boolean {
  return SHELLS.has(tool.toLowerCase());
}
