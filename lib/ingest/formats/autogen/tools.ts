import type { CallKind } from "@/lib/trajectory/schema";
import { isObject, type JsonObject, type JsonValue, parseNestedJson, stringMember } from "../../safe-json";
import { shellCallKind } from "../../shell-kind";

/** Tools that run command lines; the history of files must know the same ones. */
const SHELLS = new Set(["bash", "sh", "shell", "terminal", "exec", "command", "execute_command", "execute_bash"]);
SHELLS.add("run_command").add("run_shell_command").add("shell_command").add("run_bash").add("exec_command");

const KINDS: [RegExp, CallKind][] = [
  [/^transfer_|handoff|delegate/, "delegate"],
  [/terminate|^submit|^finish|task_complete/, "submit"],
  [/search|grep|^find|browse|google|^visit_/, "search"],
  [/exec|^run_|python|code_interpreter/, "execute"],
  [/write|create_file|edit|save|patch|replace/, "write"],
  [/read|view|open|list|^get_|fetch|load/, "read"],
];

/** What kind of call it is, by its tool's name: tools of AutoGen are functions of whoever wrote the program. */
export function callKindOf(tool: string, given: JsonObject | null): CallKind {
  const name = tool.toLowerCase();
  const line = given === null ? null : (stringMember(given, "command") ?? stringMember(given, "cmd"));
  if (SHELLS.has(name)) return line === null ? "execute" : shellCallKind(line);
  return KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? "other";
}

/** Arguments as they are given: an object, or JSON text of one; anything else stays text. */
export function readArguments(given: JsonValue | undefined): { arguments: JsonObject | null; text: string | null } {
  if (isObject(given)) return { arguments: given, text: null };
  if (given === undefined || given === null) return { arguments: null, text: null };
  const text = typeof given === "string" ? given : JSON.stringify(given);
  const parsed = parseNestedJson(text);
  return isObject(parsed) ? { arguments: parsed, text: null } : { arguments: null, text };
}
