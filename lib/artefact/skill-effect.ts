import { splitLines } from "./lines";

/** What the early skills of OpenHands do to the lines of a file (`edit_file_by_replace` and its kin). */
export type SkillEdit =
  /** The lines that hold `before`, from their beginning to their end, become the lines of `text`. */
  | { skill: "replace"; before: string; text: string }
  /** The text comes before line `line` (1-based). */
  | { skill: "insert"; line: number; text: string }
  | { skill: "append"; text: string };

/**
 * The text of a file after an edit by a skill. Null when the skill cannot have done it: `before` is not there, or twice.
 * A file of one blank line counts as empty, and a file ends in a line feed afterwards.
 */
export function applySkill(content: string, edit: SkillEdit): string | null {
  const lines = splitLines(content);
  const isBlank = lines.length === 0 || (lines.length === 1 && content.trim() === "");
  const text = edit.text === "" || edit.text.endsWith("\n") ? edit.text : `${edit.text}\n`;
  if (edit.skill === "replace") return closed(replaced(content, lines, edit.before, text));
  if (isBlank) return closed(edit.skill === "insert" && text === "" ? "\n" : text);
  if (edit.skill === "append") return closed(`${closed(content)}${edit.text}`);
  if (edit.line < 1 || edit.line > lines.length + 1) return null;
  const at = edit.line - 1;
  // The tool puts a line feed behind whatever it inserts.
  const inserted = text === "" ? "\n" : text;
  return closed([...lines.slice(0, at), inserted, ...lines.slice(at)].join(""));
}

function closed(text: string): string;
function closed(text: string | null): string | null;
function closed(text: string | null): string | null {
  return text === null || text.endsWith("\n") ? text : `${text}\n`;
}

function replaced(content: string, lines: readonly string[], before: string, text: string): string | null {
  const at = before.trim() === "" ? -1 : content.indexOf(before);
  if (at === -1 || content.indexOf(before, at + 1) !== -1) return null;
  const first = content.slice(0, at).split("\n").length - 1;
  const count = before.split("\n").length - (before.endsWith("\n") ? 1 : 0);
  return [...lines.slice(0, first), text, ...lines.slice(first + count)].join("");
}
