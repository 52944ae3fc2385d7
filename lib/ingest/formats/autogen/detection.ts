import type { Sniff } from "../../adapter";
import { codeOutcome } from "../../code-blocks";
import { type Content, isJsonContent, sampleValues } from "../../content";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { consoleLogStart } from "./console-log";
import { isRuntimeLog } from "./runtime-log";
import { teamConsoleStart } from "./team-console";

const LOOKED_AT = 200;

/**
 * What a content of AutoGen is: messages of 0.2, messages of 0.4 and later, a saved state, or what the console of 0.2
 * (`log`) or of 0.4 (`console`) printed, or the database that 0.2 logs to.
 */
export type Shape = "chat" | "events" | "state" | "log" | "console" | "database";

const EVENT_TYPES =
  /^(?:TextMessage|MultiModalMessage|StopMessage|HandoffMessage|ToolCall(?:Request|Execution)Event|ToolCallSummaryMessage|ThoughtEvent|StructuredMessage|UserInputRequestedEvent|MemoryQueryEvent|Code(?:Generation|Execution)Event|ModelClientStreamingChunkEvent|Select(?:Speaker|or)Event)/;
const STATE_TYPES = /^(?:TeamState|AssistantAgentState|ChatAgentContainerState|SocietyOfMindAgentState)$/;

/** Whether a value is a message or an event of AutoGen 0.4 or later. */
export function isEvent(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && typeof value.source === "string" && EVENT_TYPES.test(stringMember(value, "type") ?? "");
}

/** Whether a value is the saved state of a team or an agent. */
export function isState(value: JsonValue | undefined): value is JsonObject {
  return isObject(value) && STATE_TYPES.test(stringMember(value, "type") ?? "");
}

/** The member of a document that holds its messages; null when none does. */
export function listKeyOf(document: JsonObject): "chat_history" | "messages" | null {
  if (listMember(document, "chat_history").some(isMessage)) return "chat_history";
  const messages = listMember(document, "messages");
  return most(messages, isEvent) || chatReason(messages) !== null ? "messages" : null;
}

/** What a content is; null when it is none of AutoGen's. */
export function shapeOf(content: Content): { shape: Shape; reason: string } | null {
  if (content.kind === "text") return printedShape(content.head);
  if (content.kind === "database") {
    const reason = "a database with the requests and responses of a session in `chat_completions`";
    return isRuntimeLog(content.database) ? { shape: "database", reason } : null;
  }
  if (!isJsonContent(content)) return null;
  const document = content.kind === "document" ? content.json.value : undefined;
  if (isState(document)) return { shape: "state", reason: "`type` says that it is a saved state" };
  const events = { shape: "events" as const, reason: "messages with `source` and a `type` such as TextMessage" };
  if (isObject(document) && !isEvent(document)) {
    const key = listKeyOf(document);
    if (key === null) return null;
    if (most(listMember(document, key), isEvent)) return events;
    const reason = key === "chat_history" ? "`chat_history` with messages" : chatReason(listMember(document, key));
    return { shape: "chat", reason: reason ?? "" };
  }
  const values = Array.isArray(document) ? document : sampleValues(content);
  if (most(values, isEvent)) return events;
  const reason = chatReason(values);
  return reason === null ? null : { shape: "chat", reason };
}

/** What a text was printed by: by that version whose header comes first, for a message may quote the other. */
function printedShape(head: string): { shape: Shape; reason: string } | null {
  const [chat, team] = [consoleLogStart(head), teamConsoleStart(head)];
  if (team !== null && (chat === null || team.line < chat)) {
    const reason = team.isTyped
      ? "printed headers with type and source"
      : "printed headers with a source, and calls or tokens";
    return { shape: "console", reason };
  }
  const reason = "messages printed with sender and receiver, and the lines of dashes that end them";
  return chat === null ? null : { shape: "log", reason };
}

/** How sure it is that a content is of AutoGen. */
export function sniffAutoGen(content: Content): Sniff {
  const found = shapeOf(content);
  if (found === null) return { score: 0, reason: "no messages, state or printed chat of AutoGen" };
  return { score: ["chat", "log", "console"].includes(found.shape) ? 0.9 : 0.95, reason: found.reason };
}

function most(values: readonly JsonValue[], test: (value: JsonValue) => boolean): boolean {
  const first = values.slice(0, LOOKED_AT);
  return first.filter(test).length * 2 > first.length;
}

function isMessage(value: JsonValue): value is JsonObject {
  return isObject(value) && typeof value.role === "string" && Object.hasOwn(value, "content");
}

/** Why values are messages of AutoGen 0.2 and not of an API: answers beside each other, run code, or several names. */
function chatReason(values: readonly JsonValue[]): string | null {
  const first = values.slice(0, LOOKED_AT).filter(isMessage);
  if (first.length * 2 <= Math.min(values.length, LOOKED_AT)) return null;
  if (first.some((message) => Array.isArray(member(message, "tool_responses")))) {
    return "answers of tools in `tool_responses`";
  }
  const sides = first.filter(({ role }) => role === "user" || role === "assistant");
  const named = sides.filter((message) => (stringMember(message, "name") ?? "").trim() !== "");
  if (named.length * 2 <= sides.length) return null;
  if (named.some((message) => codeOutcome(stringMember(message, "content") ?? "") !== null)) {
    return "messages with names, of which one tells the exit code of run code";
  }
  const names = new Set(named.map(({ name }) => name));
  return names.size > 1 ? "messages that carry the names of several agents" : null;
}
