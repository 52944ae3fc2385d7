import type { CallKind, ReadFile } from "@/lib/trajectory/schema";
import { type JsonObject, listMember, stringMember } from "../safe-json";
import { shellCallKind } from "../shell-kind";
import type { MessageCall } from "./message";

const KINDS: ReadonlyMap<string, CallKind> = new Map<string, CallKind>([
  ["ls", "read"],
  ["read_file", "read"],
  ["list_directory", "read"],
  ["glob", "search"],
  ["grep", "search"],
  ["file_search", "search"],
  ["write_file", "write"],
  ["edit_file", "write"],
  ["task", "delegate"],
]);
const SHELLS = new Set(["execute", "shell", "bash", "terminal", "run_command", "execute_command"]);

/** What kind of call it is: the tools of Deep Agents by name, a shell by its command, a handoff by its prefix. */
export function callKindOf(call: MessageCall): CallKind {
  const name = call.name.toLowerCase();
  if (SHELLS.has(name)) return shellCallKind(stringMember(call.arguments ?? undefined, "command") ?? call.text ?? "");
  if (name.startsWith("transfer_to_")) return "delegate";
  return KINDS.get(name) ?? "other";
}

/** The plan that a call of `write_todos` states, one line an entry; null for another call. */
export function planOf(call: MessageCall): string | null {
  if (call.name !== "write_todos" || call.arguments === null) return null;
  const lines = listMember(call.arguments, "todos").map((todo) => {
    const content = typeof todo === "string" ? todo : (stringMember(todo, "content") ?? JSON.stringify(todo));
    const status = stringMember(todo, "status");
    return status === null ? `- ${content}` : `- [${status}] ${content}`;
  });
  return lines.length > 0 ? lines.join("\n") : null;
}

/** A result that was too large is put into a file; what stands in its place says so. */
const EVICTED = "Tool result too large, the result of this tool call";
const TRUNCATED = "[results truncated due to token limit";

/** Whether the framework cut the text of a result. */
export function isCutResult(text: string): boolean {
  return text.startsWith(EVICTED) || text.includes(TRUNCATED);
}

/** A row with one of these inside is not one line of the file. Looking for each is faster than one pattern for all. */
const LINE_ENDS = ["\r", "\u2028", "\u2029"];
const NUMBER_DIGITS = 9;
const [TAB, SPACE, DIGIT_0, DIGIT_9] = [0x09, 0x20, 0x30, 0x39];
/** `read_file` cuts longer lines, or goes on in rows with numbers like `5.1`. */
const LINE_MAX_CHARS = 2_000;
const DEFAULT_ROWS = 500;

/**
 * The lines that `read_file` of Deep Agents shows: `cat -n` with the offset and the limit of the call. They are the whole
 * file when it was read from the top and fewer came than were asked for.
 */
export function readsOf(tool: string, given: JsonObject | null, text: string): ReadFile[] {
  const path = stringMember(given ?? undefined, "file_path");
  if (tool !== "read_file" || path === null || isCutResult(text)) return [];
  if (LINE_ENDS.some((end) => text.includes(end))) return [];
  const lines: string[] = [];
  let startLine = 0;
  const length = text.length - (text.endsWith("\n") ? 1 : 0);
  // Row by row in the text itself: views are long, and a list of their rows takes as much memory again.
  for (let at = 0; at <= length; ) {
    const digits = afterCodes(text, at, SPACE, SPACE);
    const behind = afterCodes(text, digits, DIGIT_0, DIGIT_9);
    const found = text.indexOf("\n", behind);
    const end = found === -1 ? length : found;
    const isNumbered = behind > digits && behind - digits <= NUMBER_DIGITS && text.charCodeAt(behind) === TAB;
    if (!isNumbered || end - behind - 1 >= LINE_MAX_CHARS) return [];
    const number = Number(text.slice(digits, behind));
    if (lines.length === 0) startLine = number;
    else if (number !== startLine + lines.length) return [];
    lines.push(text.slice(behind + 1, end));
    at = end + 1;
  }
  if (lines.length === 0 || startLine < 1) return [];
  const limit = given?.limit;
  const asked = typeof limit === "number" ? limit : DEFAULT_ROWS;
  // Whether the last line ends with a line feed is not shown, so that a file is never known whole from its rows alone.
  const totalLines = startLine === 1 && lines.length < asked ? lines.length : null;
  return [{ path, startLine, text: `${lines.join("\n")}\n`, totalLines, whole: false }];
}

/** The offset after the characters from `low` to `high` that stand at `at`. */
function afterCodes(text: string, at: number, low: number, high: number): number {
  let end = at;
  while (text.charCodeAt(end) >= low && text.charCodeAt(end) <= high) end++;
  return end;
}
