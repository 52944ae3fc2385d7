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
  const base = { raw, line, timestamp: stringMember(value, "timestamp"), isWrapped: isObject(value.payload) };
  const outer = stringMember(value, "type") ?? "";
  const { payload, msg } = value;
  if (isObject(payload)) {
    const channel = WRAPPERS.get(outer) ?? "unknown";
    const isItem = channel === "item";
    const inner = stringMember(payload, "type") ?? (isItem && Object.hasOwn(payload, "role") ? "message" : outer);
    dropUnread(payload);
    return { ...base, channel, type: inner, payload };
  }
  if (isStreamEvent(value)) return { ...base, channel: "stream", type: outer, payload: value };
  if (isSubmissionEvent(value) && isObject(msg)) {
    return { ...base, channel: "event", type: stringMember(msg, "type") ?? "", payload: msg };
  }
  if (Object.hasOwn(value, "record_type")) return { ...base, channel: "books", type: "state", payload: value };
  if (isBareHeader(value)) return { ...base, channel: "meta", type: "session_meta", payload: value };
  if (BARE_ITEMS.has(outer)) {
    dropUnread(value);
    return { ...base, channel: "item", type: outer, payload: value };
  }
  if (outer === "" && typeof value.model === "string" && Object.hasOwn(value, "workdir")) {
    return { ...base, channel: "settings", type: "settings", payload: { ...value, cwd: value.workdir ?? null } };
  }
  if (typeof value.prompt === "string" && outer === "") {
    return { ...base, channel: "event", type: "user_message", payload: { message: value.prompt } };
  }
  return { ...base, channel: "unknown", type: outer, payload: value };
}

/**
 * Lets go of what is not read, so that it is not held until the last line: encrypted reasoning, and the outputs of a
 * command that its whole output repeats. The raw record keeps all of it.
 */
function dropUnread(payload: JsonObject): void {
  if (typeof payload.encrypted_content === "string") payload.encrypted_content = null;
  if (typeof payload.aggregated_output !== "string") return;
  for (const key of ["stdout", "stderr", "formatted_output"]) if (Object.hasOwn(payload, key)) payload[key] = null;
}
