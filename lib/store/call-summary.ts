import { cutString } from "./answer-size";
import { parseJson } from "./own-json";

/** Longest summary of a call in characters. */
export const SUMMARY_CHARS = 300;

const COMMANDS = ["command", "cmd", "script", "code"];
const SUBJECTS = ["file_path", "path", "filePath", "notebook_path", "filename", "pattern", "query", "url"];

/**
 * The one line that says what a call does: its command line, or its tool with the path or pattern that it is about.
 * Works on texts that were masked and cut before.
 * @param argumentsHead the beginning of the arguments' JSON text with an indent of two, null when there are none.
 */
export function summariseCall(tool: string, text: string | null, argumentsHead: string | null): string {
  const given = argumentsHead === null ? new Map<string, string>() : topLevelStrings(argumentsHead);
  const command = firstOf(given, COMMANDS);
  const subject = firstOf(given, SUBJECTS);
  // `command` is also what some editors call the kind of edit: `view`, `create`, `str_replace`.
  if (command !== null && (subject === null || /\s/.test(command.trim()))) return line(command);
  if (subject !== null) return line([tool, command, subject].filter((part) => part !== null).join(" "));
  if (text !== null && text.trim() !== "") return line(text);
  const description = given.get("description") ?? "";
  if (description !== "") return line(`${tool} ${description}`);
  return line(tool);
}

function line(text: string): string {
  const first = text.trimStart().split("\n", 1)[0] ?? "";
  return cutString(first.trimEnd(), SUMMARY_CHARS);
}

function firstOf(given: Map<string, string>, keys: string[]): string | null {
  for (const key of keys) {
    const value = given.get(key);
    if (value !== undefined && value !== "") return value;
  }
  return null;
}

/** The strings on the top level of an object, read line by line: the text may be cut anywhere. */
function topLevelStrings(json: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const row of json.split("\n")) {
    const match = /^ {2}("(?:[^"\\]|\\.){1,100}"): ("(?:[^"\\]|\\.)*")/.exec(row);
    const [, key, value] = match ?? [];
    if (key === undefined || value === undefined) continue;
    const name = parseJson(key);
    const content = parseJson(value);
    if (typeof name === "string" && typeof content === "string" && !found.has(name)) found.set(name, content);
  }
  return found;
}
