import type { CallKind } from "@/lib/trajectory/schema";
import { shellWords } from "@/lib/trajectory/shell-words";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  parseNestedJson,
  stringMember,
} from "../../safe-json";
import { shellCallKind } from "../../shell-kind";

/** A call as an item or an event states it. */
export interface ReadCall {
  tool: string;
  callKind: CallKind;
  arguments: JsonObject | null;
  text: string | null;
  /** The plan that the call states, null for other calls. */
  plan: string | null;
}

const SHELLS = new Set(["shell", "shell_command", "local_shell", "exec_command", "container.exec", "unified_exec"]);

const KINDS: ReadonlyMap<string, CallKind> = new Map<string, CallKind>([
  ["apply_patch", "write"],
  ["write_stdin", "execute"],
  ["exec", "execute"],
  ["view_image", "read"],
  ["read_file", "read"],
  ["list_dir", "read"],
  ["grep_files", "search"],
  ["web_search", "search"],
  ["tool_search", "search"],
  ["spawn_agent", "delegate"],
  ["send_input", "delegate"],
  ["resume_agent", "delegate"],
  ["wait_agent", "delegate"],
  ["wait", "delegate"],
  ["close_agent", "delegate"],
]);

/**
 * Reads a call out of a tool's name and what it was given: an object, JSON text, or the free text of a custom tool, which
 * becomes the argument `input`.
 */
export function readCall(tool: string, given: JsonValue | undefined, isCustom = false): ReadCall {
  const values = argumentsOf(given, isCustom);
  const line = SHELLS.has(tool) ? commandLineOf(values) : null;
  const callKind = SHELLS.has(tool) ? shellCallKind(line ?? "") : (KINDS.get(tool) ?? "other");
  const isGiven =
    line === null ||
    stringMember(values ?? undefined, "command") === line ||
    stringMember(values ?? undefined, "cmd") === line;
  const unread = values === null && given !== undefined && given !== null;
  const source = typeof given === "string" ? given : JSON.stringify(given);
  return {
    tool,
    callKind,
    arguments: values,
    text: isGiven ? (unread ? source : null) : line,
    plan: tool === "update_plan" ? planOf(values) : null,
  };
}

function argumentsOf(given: JsonValue | undefined, isCustom: boolean): JsonObject | null {
  if (isObject(given)) return given;
  if (given === undefined || given === null || given === "") return {};
  if (typeof given !== "string") return null;
  const parsed = given.trimStart().startsWith("{") ? parseNestedJson(given) : undefined;
  if (isObject(parsed)) return parsed;
  return isCustom ? { input: given } : null;
}

/** The command line of a shell's arguments: a text, or a list of words, of which `bash -lc` runs the last. */
export function commandLineOf(values: JsonObject | null): string | null {
  for (const key of ["command", "cmd"]) {
    const given = member(values ?? undefined, key);
    if (typeof given === "string") return given;
    if (Array.isArray(given)) return lineOfWords(given);
  }
  return null;
}

function lineOfWords(words: JsonValue[]): string {
  const texts = words.map((word) => (typeof word === "string" ? word : JSON.stringify(word)));
  const [shell = "", option = "", script] = texts;
  const isScript = /^(?:\S*\/)?(?:ba|z|da)?sh$/.test(shell) && /^-\w*c$/.test(option) && texts.length === 3;
  if (isScript && script !== undefined) return script;
  return texts.map((text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** The steps of a plan, one a line with how far they are. */
export function planOf(values: JsonObject | null): string | null {
  const lines = listMember(values ?? undefined, "plan").map((step) => {
    const text = stringMember(step, "step") ?? JSON.stringify(step);
    const status = stringMember(step, "status");
    return status === null ? `- ${text}` : `- [${status}] ${text}`;
  });
  const why = stringMember(values ?? undefined, "explanation");
  const all = why === null || why === "" ? lines : [why, "", ...lines];
  return lines.length === 0 ? null : all.join("\n");
}

/** The folder that a call asks to run in, null when it leaves it to the turn. */
export function directoryOf(values: JsonObject | null): string | null {
  for (const key of ["workdir", "working_directory", "cwd"]) {
    const found = stringMember(values ?? undefined, key);
    if (found !== null && found !== "") return found;
  }
  return null;
}

/** The script of a command line that only starts a shell for it (`bash -lc '...'`); any other line as it is. */
export function scriptIn(line: string): string {
  if (!/^\S*sh -l?c /.test(line)) return line;
  const words = shellWords(line);
  const script = words?.[2];
  return words?.length === 3 && script !== undefined ? script : line;
}
