import type { CallKind } from "@/lib/trajectory/schema";
import { callKindOf } from "../../editor-commands";
import type { JsonObject } from "../../safe-json";

const NAMES: ReadonlyMap<string, CallKind> = new Map<string, CallKind>([
  ["finish", "submit"],
  ["submit", "submit"],
  ["delegate", "delegate"],
  ["browse", "read"],
  ["read_file", "read"],
  ["open_file", "read"],
  ["view", "read"],
  ["search", "search"],
  ["grep", "search"],
  ["glob", "search"],
  ["edit_file", "write"],
  ["write_file", "write"],
  ["create_file", "write"],
  ["apply_patch", "write"],
  ["execute_ipython_cell", "execute"],
  ["python", "execute"],
]);
const SHELLS: ReadonlySet<string> = new Set(["bash", "execute_bash", "terminal", "shell", "run_command"]);
const EDITORS: ReadonlySet<string> = new Set(["str_replace_editor", "file_editor", "str_replace_based_edit_tool"]);

/** What kind of call it is, by the tool's name and what it is asked to do. */
export function kindOfCall(tool: string, values: JsonObject | null, text: string | null): CallKind {
  const command = typeof values?.command === "string" ? values.command : text;
  if (SHELLS.has(tool)) return callKindOf("bash", command ?? "", null);
  if (EDITORS.has(tool)) return callKindOf("str_replace_editor", "", command ?? "");
  return NAMES.get(tool) ?? "other";
}

/** True for tools that run command lines. */
export function isShell(tool: string): boolean {
  return SHELLS.has(tool);
}
