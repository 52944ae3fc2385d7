import type { RawSpan } from "@/lib/trajectory/schema";
import { isObject, type JsonObject, type JsonValue, member, stringMember } from "../../safe-json";

/** One line of a session that is an object. */
export interface SessionRecord {
  value: JsonObject;
  raw: RawSpan;
  /** Where a resumed session wrote the same line again. */
  repeats: RawSpan[];
  line: number;
  type: string;
  uuid: string | null;
  /** The line that this one continues; a compaction keeps its own link to what came before. */
  parent: string | null;
  isSidechain: boolean;
  agentId: string | null;
  sessionId: string | null;
  timestamp: string | null;
  /** The same in milliseconds since 1970; NaN when there is none that can be read. */
  timeMs: number;
  message: JsonObject | null;
  /** The agent whose thread this is: `main`, or the key of a sub-agent. Set when the threads are known. */
  thread: string;
  /** The same for all lines of one turn; null for lines that are no part of a turn. Set with the thread. */
  turnKey: string | null;
}

/** Reads the fields that every line of a session may have. */
export function readRecord(value: JsonObject, raw: RawSpan, line: number): SessionRecord {
  const message = member(value, "message");
  if (isObject(message)) dropRepeated(value);
  const timestamp = stringMember(value, "timestamp");
  return {
    value,
    raw,
    repeats: [],
    line,
    type: stringMember(value, "type") ?? "",
    uuid: stringMember(value, "uuid"),
    parent: stringMember(value, "parentUuid") ?? stringMember(value, "logicalParentUuid"),
    isSidechain: member(value, "isSidechain") === true,
    agentId: stringMember(value, "agentId"),
    sessionId: stringMember(value, "sessionId"),
    timestamp,
    timeMs: timestamp === null ? Number.NaN : Date.parse(timestamp),
    message: isObject(message) ? message : null,
    thread: "main",
    turnKey: null,
  };
}

/** Fields of a tool's record that repeat the text of its result, which is what is shown. */
const REPEATED = ["stdout", "stderr"];

/**
 * Lets go of what a tool's record repeats. Of a long session that is up to half of all text, and it would be held until
 * the last line is read; the raw record keeps it.
 */
function dropRepeated(value: JsonObject): void {
  const recorded = member(value, "toolUseResult");
  if (isObject(recorded)) for (const field of REPEATED) if (Object.hasOwn(recorded, field)) recorded[field] = null;
}

/** True for lines that hold a message of the conversation. */
export function isMessage(record: SessionRecord): boolean {
  return (record.type === "user" || record.type === "assistant") && record.message !== null;
}

/** The blocks of a message: a plain string counts as one text block. */
export function blocksOf(message: JsonObject | null): JsonValue[] {
  const content = member(message ?? undefined, "content");
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content : [];
}
