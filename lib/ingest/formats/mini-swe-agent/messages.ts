import type { RawSpan } from "@/lib/trajectory/schema";
import type { ParsedJson } from "../../safe-json";
import {
  countMember,
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  stringMember,
} from "../../safe-json";
import { contentText } from "./agent-message";

/** One message of a run. */
export interface Message {
  index: number;
  /** `assistant` also for a reply of the Responses API, `tool` for its answers; `` when it has none. */
  role: string;
  text: string;
  /** Empty for an element that is no object. */
  value: JsonObject;
  extra: JsonValue | undefined;
  /** ISO 8601, null when the message has no time. */
  at: string | null;
  raw: RawSpan;
  /** The element of the list as it was parsed. */
  element: JsonValue;
}

/** The list of messages of a document: itself, or its member `messages`. Null when it has none. */
export function messageList(document: JsonValue): JsonValue[] | null {
  if (Array.isArray(document)) return document;
  const messages = member(document, "messages");
  return Array.isArray(messages) ? messages : null;
}

/** The messages of a document with their places. */
export function readMessages({ value: document, layout }: ParsedJson): Message[] {
  const isList = Array.isArray(document);
  const spans = isList ? layout.elements : (layout.members.get("messages")?.elements ?? []);
  return (messageList(document) ?? []).map((value, index) => {
    const span = spans[index];
    const pointer = `${isList ? "" : "/messages"}/${index}`;
    const raw: RawSpan = { line: null, pointer, start: span?.start ?? null, end: span?.end ?? null };
    const object = isObject(value) ? value : {};
    const extra = member(object, "extra");
    const role = roleOf(object);
    const seconds = countMember(extra, "timestamp") ?? countMember(object, "timestamp");
    // What the agent says is read part by part.
    const text = role === "assistant" ? "" : contentText(member(object, "content") ?? member(object, "output"));
    return { index, role, text, value: object, extra, at: isoTime(seconds), raw, element: value };
  });
}

function roleOf(value: JsonObject): string {
  const role = stringMember(value, "role");
  if (role !== null) return role === "developer" ? "system" : role;
  if (value.object === "response" || Array.isArray(value.output)) return "assistant";
  return value.type === "function_call_output" ? "tool" : "";
}

const LAST_TIME_MS = 8.64e15;

/** Seconds since 1970 as ISO 8601 in UTC; null when there are none or they are no time. */
function isoTime(seconds: number | null): string | null {
  return seconds === null || seconds * 1000 > LAST_TIME_MS ? null : new Date(seconds * 1000).toISOString();
}

/** The reply of the model that a message repeats, with its tokens: `extra.response`, or the message itself. */
export function replyOf(message: Message): JsonValue | undefined {
  return message.value.object === "response" ? message.value : member(message.extra, "response");
}

/** The message in a reply of the Chat Completions API. */
export function repliedMessage(reply: JsonValue | undefined): JsonValue | undefined {
  return member(listMember(reply, "choices")[0], "message");
}
