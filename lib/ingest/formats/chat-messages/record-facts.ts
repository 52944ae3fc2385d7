import { isObject, type JsonObject, member, stringMember } from "../../safe-json";
import type { ChatRecord, ResponseFacts } from "./records";
import { readTime } from "./usage";

/** When a record says that it was made. */
export function timeOf(value: ChatRecord["value"]): string | null {
  return readTime(member(value, "timestamp") ?? member(value, "created_at") ?? member(value, "created"));
}

/** What a record calls itself, for people. */
export function roleOf(value: ChatRecord["value"]): string {
  return stringMember(value, "role") ?? stringMember(value, "type") ?? "a message";
}

/** Whether arguments were meant to be JSON, as against the free text of a custom tool. */
export function isWrittenAsJson(text: string): boolean {
  return /^\s*[{["]/.test(text);
}

/** What an answer of Anthropic's API, or a message that a log keeps with its model and usage, says about itself. */
export function ownFacts(value: ChatRecord["value"]): ResponseFacts | null {
  if (!isObject(value)) return null;
  const says = ["usage", "stop_reason", "model", "finish_reason"].some((key) => isTold(value, key));
  if (!says) return null;
  const id = value.type === "message" || Object.hasOwn(value, "usage") ? stringMember(value, "id") : null;
  return {
    key: id === "" ? null : id,
    model: stringMember(value, "model"),
    usage: member(value, "usage"),
    stop: stringMember(value, "stop_reason") ?? stringMember(value, "finish_reason"),
    time: undefined,
  };
}

function isTold(value: JsonObject, key: string): boolean {
  return value[key] !== undefined && value[key] !== null;
}
