import { isObject, type JsonObject, type JsonValue, listMember, parseNestedJson, stringMember } from "../../safe-json";

/** What a message of terminus-2 says: it holds analysis, plan and keystrokes as JSON, or between tags. */
export interface TerminusMessage {
  analysis: string;
  plan: string;
  commands: JsonObject[];
  isComplete: boolean;
  /** Words before and behind it, without the fence of a block of code. */
  around: string;
}

/** Reads a message of terminus-2, also when words stand around what it says; null for any other. */
export function readTerminus(message: string): TerminusMessage | null {
  return readJson(message) ?? readTags(message);
}

function readJson(message: string): TerminusMessage | null {
  const start = message.indexOf("{");
  const end = message.lastIndexOf("}");
  if (start === -1 || end < start || !message.includes('"commands"')) return null;
  const value: JsonValue | undefined = parseNestedJson(message.slice(start, end + 1));
  if (!isObject(value) || !Array.isArray(value.commands)) return null;
  const commands = listMember(value, "commands").filter(isObject);
  if (commands.some((command) => stringMember(command, "keystrokes") === null)) return null;
  return {
    analysis: stringMember(value, "analysis") ?? "",
    plan: stringMember(value, "plan") ?? "",
    commands,
    isComplete: value.task_complete === true,
    around: wordsAround(message, start, end + 1),
  };
}

const OPEN = "<response>";
const CLOSE = "</response>";

/**
 * Of several the first counts, and one that is not closed goes on to the end. Without `<commands>` nothing was typed: such
 * a message counts only when it says that the task is complete.
 */
function readTags(message: string): TerminusMessage | null {
  const start = message.indexOf(OPEN);
  if (start === -1) return null;
  const close = message.indexOf(CLOSE, start);
  const inside = message.slice(start + OPEN.length, close === -1 ? message.length : close);
  const commands = section(inside, "commands");
  const isComplete = /^true$/i.test(section(inside, "task_complete") ?? "");
  if (commands === null && !isComplete) return null;
  return {
    analysis: section(inside, "analysis") ?? "",
    plan: section(inside, "plan") ?? "",
    commands: typedIn(commands ?? ""),
    isComplete,
    around: wordsAround(message, start, close === -1 ? message.length : close + CLOSE.length),
  };
}

/** What stands between the first tags of a name, empty for a tag that closes itself; null without them. */
function section(text: string, name: string): string | null {
  const open = text.indexOf(`<${name}>`);
  const close = open === -1 ? -1 : text.indexOf(`</${name}>`, open);
  if (close !== -1) return text.slice(open + name.length + 2, close).trim();
  return text.includes(`<${name}/>`) || text.includes(`<${name} />`) ? "" : null;
}

const KEYSTROKES = /<keystrokes([^>]*)>/g;
const END = "</keystrokes>";

/** The keystrokes, to the letter: nothing in them is an entity. */
function typedIn(text: string): JsonObject[] {
  const commands: JsonObject[] = [];
  let from = 0;
  for (const match of text.matchAll(KEYSTROKES)) {
    // Inside the one before, such a tag is typed.
    if (match.index < from) continue;
    const start = match.index + match[0].length;
    const end = text.indexOf(END, start);
    if (end === -1) break;
    const [, duration] = /duration\s*=\s*["']([^"']*)["']/.exec(match[1] ?? "") ?? [];
    const seconds = duration === undefined || duration.trim() === "" ? Number.NaN : Number(duration);
    const keystrokes = text.slice(start, end);
    commands.push(Number.isFinite(seconds) ? { keystrokes, duration: seconds } : { keystrokes });
    from = end + END.length;
  }
  return commands;
}

function wordsAround(message: string, start: number, end: number): string {
  const before = message.slice(0, start).replace(/```\w*\s*$/, "");
  const behind = message.slice(end).replace(/^\s*```/, "");
  return [before.trim(), behind.trim()].filter((words) => words !== "").join("\n");
}
