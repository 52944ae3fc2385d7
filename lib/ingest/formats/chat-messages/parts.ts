import type { CallKind } from "@/lib/trajectory/schema";
import { isObject, type JsonObject, type JsonValue, parseNestedJson, stringMember } from "../../safe-json";
import type { ResultFacts } from "./result-facts";

/** A call as a message asks for it. */
export interface CallPart {
  kind: "call";
  tool: string;
  callKind: CallKind;
  callId: string | null;
  arguments: JsonObject | null;
  text: string | null;
  /** The folder in which the call asks to run, when it is an absolute path. */
  directory: string | null;
}

/** An answer to a call. */
export interface ResultPart extends ResultFacts {
  kind: "result";
  callId: string | null;
  /** The tool's name, where the answer gives it. */
  tool: string | null;
}

/** One thing that a message, a content block or an item of a response says. */
export type Part =
  | { kind: "text"; text: string }
  /** Reasoning; empty when the trace holds it only in encrypted form. */
  | { kind: "thought"; text: string }
  /** A picture, sound or document, named instead of shown. */
  | { kind: "media"; text: string }
  | CallPart
  | ResultPart
  /** Something that was not understood: `what` it is, in words, and its source. */
  | { kind: "unknown"; what: string; text: string };

/** Who a record speaks for. */
export type Speaker = "agent" | "person" | "system" | "tool" | "compaction" | "metadata" | "unknown";

/** What one record of a conversation says. */
export interface Reading {
  speaker: Speaker;
  /** A name that the record gives its author. */
  name: string | null;
  parts: Part[];
  /** Keys that hold something and are not read. */
  unread: string[];
}

/** The part for something of a kind that is not known. */
export function unknownPart(what: string, value: JsonValue): Part {
  return { kind: "unknown", what, text: typeof value === "string" ? value : JSON.stringify(value) };
}

/** The keys of a record that hold something and are not among the known ones. */
export function unreadKeys(value: JsonObject, known: ReadonlySet<string>): string[] {
  let unread = NONE;
  for (const key of Object.keys(value)) {
    if (known.has(key) || isNothing(value[key])) continue;
    if (unread === NONE) unread = [key];
    else unread.push(key);
  }
  return unread;
}

/** Shared: nearly every record has no such key. */
const NONE: string[] = [];

/** Whether a member holds nothing that could be shown. */
export function isNothing(held: JsonValue | undefined): boolean {
  if (held === null || held === undefined || held === "" || held === false) return true;
  return typeof held === "object" && Object.keys(held).length === 0;
}

/** What stands for something that is not shown: its type, and the size or the address of what it holds. */
export function mediaText(type: string, given: JsonValue | undefined): string {
  const text = typeof given === "string" ? given : (stringMember(given, "url") ?? stringMember(given, "data"));
  const name = stringMember(given, "filename") ?? stringMember(given, "file_id") ?? stringMember(given, "title");
  const mime = stringMember(given, "media_type") ?? /^data:([\w.+/-]{1,100})[;,]/.exec(text ?? "")?.[1] ?? null;
  const about = [mime, name, text === null ? null : sizeOrAddress(text)].filter((part) => part !== null);
  return about.length === 0 ? `[${type}]` : `[${type}: ${about.join(", ")}]`;
}

const ADDRESS_CHARS = 300;

function sizeOrAddress(text: string): string {
  if (/^(?:https?|file|gs|s3):/i.test(text)) return `at ${text.slice(0, ADDRESS_CHARS)}`;
  return `${text.length.toLocaleString("en-GB")} characters, not shown`;
}

/** Arguments as an object where they are one, else as the text that was written. */
export function readArguments(given: JsonValue | undefined): { arguments: JsonObject | null; text: string | null } {
  if (isObject(given)) return { arguments: given, text: null };
  if (given === undefined || given === null || given === "") return { arguments: {}, text: null };
  if (typeof given !== "string") return { arguments: null, text: JSON.stringify(given) };
  const parsed = parseNestedJson(given);
  return isObject(parsed) ? { arguments: parsed, text: null } : { arguments: null, text: given };
}
