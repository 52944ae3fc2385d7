import type { CallKind } from "@/lib/trajectory/schema";
import { type JsonObject, type JsonValue, member, stringMember } from "../../safe-json";
import { shellCallKind } from "../../shell-kind";
import { type CallPart, readArguments } from "./parts";

/** Tools that run command lines; the history of files must know the same ones. */
export const SHELL_TOOLS: ReadonlySet<string> = new Set([
  "bash",
  "bash_tool",
  "container.exec",
  "developer__shell",
  "exec",
  "exec_command",
  "execute_bash",
  "execute_command",
  "local_shell",
  "run_bash",
  "run_command",
  "run_in_terminal",
  "run_shell_command",
  "run_terminal_cmd",
  "shell",
  "shell_command",
  "terminal",
]);

/** Tools with one name for looking and writing; their argument `command` says which. */
const EDITORS: ReadonlySet<string> = new Set([
  "str_replace_editor",
  "str_replace_based_edit_tool",
  "file_editor",
  "text_editor",
  "developer__text_editor",
]);

const NAMES: [CallKind, string[]][] = [
  ["read", ["read", "read_file", "read_many_files", "view", "view_file", "open", "open_file", "cat", "ls"]],
  ["read", ["list_dir", "list_directory", "list_files", "notebookread", "get_file_contents", "view_image"]],
  ["read", ["webfetch", "web_fetch", "fetch", "fetch_url"]],
  ["write", ["write", "write_file", "write_to_file", "create", "create_file", "update_file", "delete_file"]],
  ["write", ["edit", "edit_file", "multiedit", "multi_edit", "notebookedit", "notebook_edit", "str_replace", "insert"]],
  ["write", ["replace", "replace_in_file", "replace_string_in_file", "search_replace", "insert_edit_into_file"]],
  ["write", ["apply_patch", "apply_diff"]],
  ["execute", ["python", "run_python", "execute_python", "ipython", "execute_ipython_cell", "code_interpreter"]],
  ["execute", ["code_execution", "bash_code_execution", "run_code", "run_tests", "run_test"]],
  [
    "search",
    ["grep", "grep_search", "glob", "search", "search_files", "search_dir", "search_file", "find", "find_file"],
  ],
  ["search", ["codebase_search", "file_search", "web_search", "websearch", "toolsearch"]],
  ["delegate", ["task", "agent", "delegate", "delegate_task", "dispatch_agent", "new_task", "spawn_agent"]],
  ["submit", ["submit", "finish", "complete", "task_complete", "attempt_completion", "final_answer", "submit_answer"]],
];
const KINDS: ReadonlyMap<string, CallKind> = new Map(
  NAMES.flatMap(([kind, names]) => names.map((name): [string, CallKind] => [name, kind])),
);

/**
 * A call out of a tool's name and its arguments: an object, JSON text, or the free text of a custom tool. The command
 * line of a shell that takes a list of words becomes text, so that it reads as one.
 */
export function readCall(tool: string, callId: string | null, given: JsonValue | undefined): CallPart {
  const { arguments: values, text } = readArguments(given);
  const name = tool.toLowerCase().replace(/^functions\./, "");
  const line = SHELL_TOOLS.has(name) ? commandLine(values) : null;
  return {
    kind: "call",
    tool,
    callKind: kindOf(name, values, line ?? text),
    callId,
    arguments: values,
    text: line !== null && stringMember(values ?? undefined, "command") !== line ? line : text,
    directory: directoryOf(values),
  };
}

function kindOf(name: string, values: JsonObject | null, text: string | null): CallKind {
  if (SHELL_TOOLS.has(name)) return shellCallKind(text ?? "");
  if (EDITORS.has(name)) {
    const command = stringMember(values ?? undefined, "command");
    if (command === "view") return "read";
    return ["create", "write", "str_replace", "insert", "undo_edit"].includes(command ?? "") ? "write" : "other";
  }
  // Tools of a server carry its name in front: mcp__files__read_file.
  const kind = KINDS.get(name) ?? KINDS.get(name.slice(name.lastIndexOf("__") + 1).replace(/^_+/, ""));
  // Free text that is no command line must not be taken for one.
  return kind === undefined || (kind === "execute" && values === null) ? "other" : kind;
}

/** The command line of a shell's arguments: a text, a list of words, or a list of lines. */
function commandLine(values: JsonObject | null): string | null {
  for (const key of ["command", "cmd", "script"]) {
    const command = member(values ?? undefined, key);
    if (typeof command === "string") return command;
    if (Array.isArray(command)) return lineOfWords(command);
  }
  const commands = member(values ?? undefined, "commands");
  return Array.isArray(commands) ? commands.filter((line) => typeof line === "string").join("\n") : null;
}

function lineOfWords(words: JsonValue[]): string {
  const texts = words.map((word) => (typeof word === "string" ? word : JSON.stringify(word)));
  const [shell = "", option = "", script] = texts;
  if (
    /^(?:\S*\/)?(?:ba|z|da)?sh$/.test(shell) &&
    /^-\w*c$/.test(option) &&
    script !== undefined &&
    texts.length === 3
  ) {
    return script;
  }
  return texts.map((text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(" ");
}

function directoryOf(values: JsonObject | null): string | null {
  for (const key of ["workdir", "working_directory", "cwd"]) {
    const found = stringMember(values ?? undefined, key);
    if (found?.startsWith("/")) return found;
  }
  return null;
}
