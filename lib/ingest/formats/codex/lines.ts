import type { RawSpan } from "@/lib/trajectory/schema";
import { isObject, type JsonObject, member, stringMember } from "../../safe-json";

/**
 * What a line is: an item of the conversation with the model, an event of the user interface, the header of a session,
 * the settings of a turn, a compaction, a line of `exec --json`, one of the run's own books, or nothing that is known.
 */
export type Channel = "item" | "event" | "meta" | "settings" | "compacted" | "stream" | "books" | "unknown";

/** One line that is an object, whatever version wrote it. */
export interface CodexLine {
  raw: RawSpan;
  line: number;
  timestamp: string | null;
  channel: Channel;
  /** The type of the payload: `function_call`, `token_count`, `item.completed`. */
  type: string;
  payload: JsonObject;
  /** False for the lines of versions that wrote items and headers as they are. */
  isWrapped: boolean;
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
const BARE_ITEMS = new Set(["message", "reasoning", "function_call", "function_call_output", "local_shell_call"]);

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

/** Whether a line is an event of the older `exec --json`: `{"id": ..., "msg": {"type": ...}}`. */
export function isSubmissionEvent(value: JsonObject): boolean {
  return typeof value.id === "string" && stringMember(member(value, "msg"), "type") !== null;
}

/** Reads a line into what all versions share. */
export function readLine(value: JsonObject, raw: RawSpan, line: number): CodexLine {
  const outer = stringMember(value, "type") ?? "";
  const timestamp = stringMember(value, "timestamp");
  const { payload } = value;
  const isWrapped = isObject(payload);
  const made = (channel: Channel, type: string, held: JsonObject): CodexLine => ({
    raw,
    line,
    timestamp,
    channel,
    type,
    payload: readPart(type, held),
    isWrapped,
  });
  if (isWrapped) {
    const channel = WRAPPERS.get(outer) ?? "unknown";
    const isMessage = channel === "item" && Object.hasOwn(payload, "role");
    return made(channel, stringMember(payload, "type") ?? (isMessage ? "message" : outer), payload);
  }
  if (isStreamEvent(value)) return made("stream", outer, value);
  const { msg } = value;
  if (isSubmissionEvent(value) && isObject(msg)) return made("event", stringMember(msg, "type") ?? "", msg);
  if (Object.hasOwn(value, "record_type")) return made("books", "state", value);
  if (isBareHeader(value)) return made("meta", "session_meta", value);
  if (BARE_ITEMS.has(outer)) return made("item", outer, value);
  if (outer === "" && typeof value.model === "string" && Object.hasOwn(value, "workdir")) {
    return made("settings", "settings", { ...value, cwd: value.workdir ?? null });
  }
  if (typeof value.prompt === "string" && outer === "") {
    return made("event", "user_message", { message: value.prompt });
  }
  return made("unknown", outer, value);
}

/**
 * The part of a payload that is read: encrypted reasoning, and the outputs of a command that its whole output repeats,
 * would be held until the last line. The raw record keeps all of it.
 */
function readPart(type: string, payload: JsonObject): JsonObject {
  if (type === "reasoning") return without(payload, ["encrypted_content"]);
  if (type === "token_count") return { info: payload.info ?? null };
  return typeof payload.aggregated_output === "string" ? without(payload, REPEATED) : payload;
}

const REPEATED = ["stdout", "stderr", "formatted_output"];

function without(payload: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !keys.includes(key)));
}
