import { isObject, type JsonObject, type JsonValue, listMember, parseNestedJson, stringMember } from "../../safe-json";

/** What a message of terminus-2 says: it holds analysis, plan and keystrokes as JSON. */
export interface TerminusMessage {
  analysis: string;
  plan: string;
  commands: JsonObject[];
  isComplete: boolean;
}

/** Reads a message of terminus-2, also when words stand around its object; null for any other. */
export function readTerminus(message: string): TerminusMessage | null {
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
  };
}
