import type { CallKind } from "@/lib/trajectory/schema";
import { shellWords } from "@/lib/trajectory/shell-words";
import { firstWord, shellCallKind, withoutCd } from "./shell-kind";

/** SWE-agent's own commands; the first word of any other action is a shell command. */
const COMMANDS: ReadonlyMap<string, CallKind> = new Map<string, CallKind>([
  ["open", "read"],
  ["goto", "read"],
  ["scroll_up", "read"],
  ["scroll_down", "read"],
  ["set_cursors", "read"],
  ["view_image", "read"],
  ["filemap", "read"],
  ["create", "write"],
  ["edit", "write"],
  ["insert", "write"],
  ["edit_anthropic", "write"],
  ["undo_edit", "write"],
  ["search_dir", "search"],
  ["search_file", "search"],
  ["find_file", "search"],
  ["submit", "submit"],
  ["submit_anyway", "submit"],
  ["exit_forfeit", "submit"],
  ["str_replace_editor", "other"],
  ["str_replace_based_edit_tool", "other"],
]);

/** The tool that an action without structured arguments calls: one of SWE-agent's own commands, else `bash`. */
export function toolOf(action: string): string {
  const word = firstWord(action);
  return COMMANDS.has(word) ? word : "bash";
}

/** What kind of call it is. A shell line counts as what its first command does; writes in it are found elsewhere. */
export function callKindOf(tool: string, action: string, command: string | null): CallKind {
  if (tool === "str_replace_editor" || tool === "str_replace_based_edit_tool" || tool === "edit_anthropic") {
    const operation = command ?? action.trim().split(/\s+/)[1] ?? "";
    if (operation === "view") return "read";
    return ["create", "str_replace", "insert", "undo_edit"].includes(operation) ? "write" : "other";
  }
  const own = COMMANDS.get(tool);
  if (own) return own;
  if (tool !== "bash" && tool !== "execute_bash") return "other";
  return COMMANDS.get(firstWord(withoutCd(action))) ?? shellCallKind(action);
}

/** A first word without quotes that is not the editor's. */
const OTHER_WORD = /^(?!str_replace_editor\s)[\w./-]+\s/;

/**
 * Splits `str_replace_editor create /p --file_text '...'` into arguments, as the shell would. Used when the history
 * that holds the structured arguments is missing. Null when the action is not of that form or its quotes do not close.
 */
export function splitEditorAction(action: string): Record<string, string | number | number[]> | null {
  const line = action.trim();
  // Taking a long script apart to find another command in front costs more than all else that is done with it.
  if (OTHER_WORD.test(line)) return null;
  const words = shellWords(line);
  if (!words || words.length < 3) return null;
  const [tool, command, path, ...rest] = words;
  if (tool !== "str_replace_editor" || command === undefined || path === undefined) return null;
  const values: Record<string, string | number | number[]> = { command, path };
  for (let i = 0; i < rest.length; i++) {
    const flag = rest[i] ?? "";
    const value = rest[i + 1];
    if (flag === "--view_range") {
      values.view_range = [Number(value), Number(rest[i + 2])];
      i += 2;
    } else if (flag === "--insert_line") {
      values.insert_line = Number(value);
      i++;
    } else if (["--file_text", "--old_str", "--new_str"].includes(flag) && value !== undefined) {
      values[flag.slice(2)] = value;
      i++;
    } else return null;
  }
  const numbers = Object.values(values)
    .flat()
    .filter((value) => typeof value === "number");
  return numbers.every(Number.isFinite) ? values : null;
}
