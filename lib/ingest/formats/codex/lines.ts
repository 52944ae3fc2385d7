import type { RawSpan } from "@/lib/trajectory/schema";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { type Output, readOutput } from "./outputs";

/**
 * What a line is: an item of the conversation with the model, an event of the user interface, the header of a session,
 * the settings of a turn, a compaction, a line of `exec --json`, one of the run's own books, or nothing that is known.
 */
export type Channel = "item" | "event" | "meta" | "settings" | "compacted" | "stream" | "books" | "unknown";

/** One line that is an object, whatever version wrote it; or one item of a session that is one document. */
export interface CodexLine {
  raw: RawSpan;
  /** The number of the line (from 1) or of the item (from 0). */
  line: number;
  timestamp: string | null;
  channel: Channel;
  /** The type of the payload: `function_call`, `token_count`, `item.completed`. */
  type: string;
  payload: JsonObject;
  /** False for the lines of versions that wrote items and headers as they are. */
  isWrapped: boolean;
  /** What the output of a call says. It is read at once, so that its source need not be held. */
  output: Output | null;
  /** The lines of events that repeat this item; null when none does. */
  repeatedBy: CodexLine[] | null;
  /** This is an event that repeats an item: nothing of it is shown for itself. */
  isRepeat: boolean;
}

const WRAPPERS: ReadonlyMap<string, Channel> = new Map<string, Channel>([
  ["session_meta", "meta"],
  ["turn_context", "settings"],
  ["response_item", "item"],
  ["event_msg", "event"],
  ["compacted", "compacted"],
  ["world_state", "books"],
  ["inter_agent_communication_metadata", "books"],
]);

/** Types of items that older versions wrote without a wrapper. */
const BARE_ITEMS = new Set([
  ...["message", "reasoning", "function_call", "function_call_output", "local_shell_call", "local_shell_call_output"],
]);

/** What an event of `exec --json` is called. */
const STREAM = /^(?:thread|turn|item)\.[a-z_.]+$|^error$/;

/** Whether a line is of `exec --json`, which has no payload but the event itself. */
export function isStreamEvent(value: JsonObject): boolean {
  const type = stringMember(value, "type") ?? "";
  if (!STREAM.test(type) || Object.hasOwn(value, "payload")) return false;
  const mark = type === "error" ? "message" : type.startsWith("item.") ? "item" : null;
  return mark === null || Object.hasOwn(value, mark);
}

/** Whether a line is of a rollout with the wrapper that versions from 0.4x on write. */
export function isWrapped(value: JsonObject): boolean {
  return WRAPPERS.has(stringMember(value, "type") ?? "") && isObject(value.payload);
}

/** Whether a line is the header of an old rollout. */
export function isBareHeader(value: JsonObject): boolean {
  return ["id", "timestamp", "instructions"].every((key) => Object.hasOwn(value, key)) && !Object.hasOwn(value, "type");
}

/** Whether a value is an item of the conversation as older versions wrote it. */
export function isBareItem(value: JsonObject): boolean {
  return BARE_ITEMS.has(stringMember(value, "type") ?? "");
}

/** Whether a line is an event of the older `exec --json`: `{"id": ..., "msg": {"type": ...}}`. */
export function isSubmissionEvent(value: JsonObject): boolean {
  return typeof value.id === "string" && stringMember(member(value, "msg"), "type") !== null;
}

/** Reads a line into what all versions share. */
export function readLine(value: JsonObject, raw: RawSpan, line: number): CodexLine {
  const { channel, type, payload } = partsOf(value);
  const isOutput = channel === "item" && type.endsWith("_output");
  return {
    raw,
    line,
    timestamp: textOf(value.timestamp),
    channel,
    type,
    payload: isOutput ? idsOf(payload) : readPart(type, payload),
    isWrapped: isObject(value.payload),
    output: isOutput ? outputOf(payload) : null,
    repeatedBy: null,
    isRepeat: false,
  };
}

/** A value that is a text, or null. For members whose name no prototype has, this takes a third of `stringMember`. */
export function textOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

function idsOf({ id = null, call_id = null }: JsonObject): JsonObject {
  return { id, call_id };
}

function partsOf(value: JsonObject): Pick<CodexLine, "channel" | "type" | "payload"> {
  const outer = textOf(value.type) ?? "";
  const { payload, msg } = value;
  if (isObject(payload)) {
    const channel = WRAPPERS.get(outer) ?? "unknown";
    const isMessage = channel === "item" && Object.hasOwn(payload, "role");
    return { channel, type: textOf(payload.type) ?? (isMessage ? "message" : outer), payload };
  }
  if (isStreamEvent(value)) return { channel: "stream", type: outer, payload: value };
  if (isSubmissionEvent(value) && isObject(msg)) {
    return { channel: "event", type: stringMember(msg, "type") ?? "", payload: msg };
  }
  if (Object.hasOwn(value, "record_type")) return { channel: "books", type: "state", payload: value };
  if (isBareHeader(value)) return { channel: "meta", type: "session_meta", payload: value };
  if (isBareItem(value)) return { channel: "item", type: outer, payload: value };
  if (outer === "" && typeof value.model === "string" && Object.hasOwn(value, "workdir")) {
    return { channel: "settings", type: "settings", payload: { ...value, cwd: value.workdir ?? null } };
  }
  if (outer === "" && typeof value.prompt === "string") {
    return { channel: "event", type: "user_message", payload: { message: value.prompt } };
  }
  return { channel: "unknown", type: outer, payload: value };
}

/** What an output says; a search for tools states them instead. */
function outputOf(payload: JsonObject): Output {
  const tools = listMember(payload, "tools");
  return readOutput(tools.length > 0 ? JSON.stringify(tools, null, 1) : payload.output);
}

/**
 * The part of a payload that is read: encrypted reasoning, and the outputs of a command that its whole output repeats,
 * would be held until the last line. The raw record keeps all of it.
 */
function readPart(type: string, payload: JsonObject): JsonObject {
  if (type === "reasoning") {
    const { id = null, summary = null, content = null } = payload;
    return { id, summary, content };
  }
  if (type === "token_count") return { info: payload.info ?? null };
  if (typeof payload.aggregated_output !== "string") return payload;
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !REPEATED.has(key)));
}

const REPEATED = new Set(["stdout", "stderr", "formatted_output"]);
