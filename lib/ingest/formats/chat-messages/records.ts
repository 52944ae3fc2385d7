import type { RawSpan } from "@/lib/trajectory/schema";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { speakerOf } from "./openai";
import { isItem } from "./responses";

/** What the API said about the answer that a record came in. */
export interface ResponseFacts {
  /** The same for all records of one answer; null when it has no identifier. */
  key: string | null;
  model: string | null;
  usage: JsonValue | undefined;
  stop: string | null;
  time: JsonValue | undefined;
}

/** One message or item of a conversation, with its place in the upload. */
export interface ChatRecord {
  value: JsonValue;
  raw: RawSpan;
  /** What the source counts (`line`, `message`, `item`) and the number that it has there. */
  step: { convention: string; step: string };
  response: ResponseFacts | null;
}

/** What one line, one element of a list or the whole document is. */
export type UnitKind = "message" | "item" | "response" | "conversation" | "other";

/** Tells what a value is by its keys alone. */
export function unitKind(value: JsonValue | undefined): UnitKind {
  if (!isObject(value)) return "other";
  if (isItem(value)) return "item";
  if (isMessage(value)) return "message";
  if (isConversation(value)) return "conversation";
  return isResponse(value) ? "response" : "other";
}

/** Whether it is a message: a role, and something that a role can say. */
export function isMessage(value: JsonValue | undefined): value is JsonObject {
  if (!isObject(value) || typeof value.role !== "string" || Object.hasOwn(value, "parts")) return false;
  const speaks = ["content", "tool_calls", "function_call", "refusal", "reasoning_content"];
  return speaks.some((key) => Object.hasOwn(value, key));
}

/** Whether it is a message in one of the roles that the APIs know. */
export function hasKnownRole(value: JsonValue): boolean {
  return isMessage(value) && speakerOf(stringMember(value, "role")) !== "unknown";
}

/** Whether it holds the messages of a request, with or without what was answered. */
function isConversation(value: JsonObject): boolean {
  return promptOf(value) !== null || (isObject(value.request) && promptOf(value.request) !== null);
}

/** The list of messages or items that a request holds; a text for a prompt of one message. Null when there is none. */
export function promptOf(value: JsonObject): { key: "messages" | "input"; list: JsonValue[] | string } | null {
  const { messages, input } = value;
  if (Array.isArray(messages) && !messages.some(isForeign)) return { key: "messages", list: messages };
  const isApi = ["model", "instructions", "output", "tools"].some((key) => Object.hasOwn(value, key));
  if (!isApi || (typeof input !== "string" && !Array.isArray(input))) return null;
  return { key: "input", list: input };
}

/** Messages with parts or with a message inside are of other formats. */
function isForeign(message: JsonValue): boolean {
  return isObject(message) && (Object.hasOwn(message, "parts") || isObject(message.message));
}

/** Whether it is an answer of an API: `choices` of a completion, or the `output` of a response. */
export function isResponse(value: JsonValue | undefined): value is JsonObject {
  if (!isObject(value)) return false;
  if (listMember(value, "choices").some((choice) => isObject(member(choice, "message")))) return true;
  const output = member(value, "output");
  if (!Array.isArray(output)) return false;
  return value.object === "response" || output.some((item) => isObject(item) && (isItem(item) || isMessage(item)));
}
