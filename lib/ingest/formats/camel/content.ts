import type { NoteBook } from "../../notes";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  parseNestedJson,
  storable,
  stringMember,
} from "../../safe-json";
import type { CamelCall, Origin } from "./pieces";

/** The text of a content: a string, parts of which pictures are named and counted, or JSON. */
export function textOf(content: JsonValue | undefined, origin: Origin, notes: NoteBook): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return storable(JSON.stringify(content, null, 2));
  return content
    .map((part) => {
      const url = stringMember(member(part, "image_url"), "url") ?? stringMember(part, "image_url");
      if (url === null) return stringMember(part, "text") ?? textOf(part, origin, notes);
      notes.add("picture", "information", "Pictures, which the texts only name; the raw record holds them", origin.raw);
      return url.startsWith("data:") ? `[picture: ${url.length} characters]` : `[picture: ${url}]`;
    })
    .join("\n");
}

/** The calls of a message in the words of OpenAI's API. */
export function callsOf(value: JsonValue | undefined): CamelCall[] {
  return listMember(value, "tool_calls")
    .filter(isObject)
    .map((call) => {
      const called = member(call, "function");
      return callOf(stringMember(call, "id"), stringMember(called, "name"), member(called, "arguments"));
    });
}

/** A call out of its parts; arguments are an object, JSON text of one, or stay text. */
export function callOf(id: string | null, tool: string | null, given: JsonValue | undefined): CamelCall {
  const base = { id, tool: tool ?? "function" };
  if (isObject(given)) return { ...base, arguments: given, text: null };
  if (given === undefined || given === null) return { ...base, arguments: null, text: null };
  const text = typeof given === "string" ? given : JSON.stringify(given);
  const parsed = parseNestedJson(text);
  return isObject(parsed) ? { ...base, arguments: parsed, text: null } : { ...base, arguments: null, text };
}

/** Epoch times below this are seconds, others milliseconds. */
const MILLISECONDS_FROM = 1e11;
const LAST_TIME_MS = 8.64e15;

/** When a record was written, as ISO 8601: a number of seconds or milliseconds, or a text as it stands. */
export function timeOf(value: JsonObject): string | null {
  const at = value.timestamp;
  if (typeof at === "string") return Number.isNaN(Date.parse(at)) ? null : at;
  if (typeof at !== "number" || at <= 0) return null;
  const ms = at < MILLISECONDS_FROM ? at * 1000 : at;
  return ms > LAST_TIME_MS ? null : new Date(ms).toISOString();
}
