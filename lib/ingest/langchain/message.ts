import type { Usage } from "@/lib/trajectory/schema";
import {
  countMember,
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  parseNestedJson,
  stringMember,
} from "../safe-json";

/** A call as a message of LangChain states it: arguments as an object, or as the text that was no JSON. */
export interface MessageCall {
  id: string | null;
  name: string;
  arguments: JsonObject | null;
  text: string | null;
}

/** A message of LangChain in any of its serialisations, read as one. */
export interface LangChainMessage {
  /** `remove` takes the message with its id out of the state. */
  kind: "human" | "ai" | "tool" | "system" | "remove" | "other";
  id: string | null;
  name: string | null;
  content: JsonValue;
  calls: MessageCall[];
  /** Of a tool's message: the call that it answers, and `success` or `error`. */
  callId: string | null;
  status: string | null;
  model: string | null;
  usage: Usage | null;
  /** Reasoning that stands beside the content. */
  reasoning: string | null;
  isSummary: boolean;
  /** The fields of the message, without the wrapper of its serialisation. */
  fields: JsonObject;
}

const KINDS: ReadonlyMap<string, LangChainMessage["kind"]> = new Map<string, LangChainMessage["kind"]>([
  ["human", "human"],
  ["user", "human"],
  ["ai", "ai"],
  ["assistant", "ai"],
  ["tool", "tool"],
  ["function", "tool"],
  ["system", "system"],
  ["developer", "system"],
  ["remove", "remove"],
  ["chat", "other"],
]);

/** The usual names of classes, of which the pattern below would find out the same. */
const CLASSES: ReadonlyMap<string, LangChainMessage["kind"]> = new Map<string, LangChainMessage["kind"]>([
  ["HumanMessage", "human"],
  ["AIMessage", "ai"],
  ["ToolMessage", "tool"],
  ["SystemMessage", "system"],
]);

/** The kind that a class name or a type says: `AIMessageChunk`, `ai`; null for what is no message. */
function kindOf(name: string | null): LangChainMessage["kind"] | null {
  if (name === null) return null;
  const known = KINDS.get(name) ?? CLASSES.get(name);
  if (known !== undefined) return known;
  const plain = name.replace(/(?:Message)?(?:Chunk)?$/, "").toLowerCase();
  return KINDS.get(plain) ?? (/Message(?:Chunk)?$/.test(name) ? "other" : null);
}

/** The name of the class in the wrapper `{lc, type: "constructor", id: [..., name], kwargs}`; null for another value. */
export function constructorName(value: JsonValue | undefined): string | null {
  if (stringMember(value, "type") !== "constructor") return null;
  const name = listMember(value, "id").at(-1);
  return typeof name === "string" ? name : null;
}

/**
 * Reads a message: a plain one (`{type: "ai", content}`), one with its fields under `data`, the wrapper of a constructor,
 * or one with a `role`. Null for a value that is no message.
 */
export function readMessage(value: JsonValue | undefined): LangChainMessage | null {
  const opened = openMessage(value);
  if (opened === null) return null;
  const { kind, fields } = opened;
  const extra = member(fields, "additional_kwargs");
  const response = member(fields, "response_metadata");
  return {
    kind,
    id: stringMember(fields, "id"),
    name: stringMember(fields, "name"),
    content: member(fields, "content") ?? "",
    calls: kind === "ai" ? callsOf(fields, extra) : [],
    callId: stringMember(fields, "tool_call_id"),
    status: stringMember(fields, "status"),
    model: stringMember(response, "model_name") ?? stringMember(response, "model"),
    usage: readUsage(member(fields, "usage_metadata")) ?? readUsage(usageIn(response)),
    reasoning: stringMember(extra, "reasoning_content") ?? stringMember(fields, "reasoning_content"),
    isSummary: stringMember(extra, "lc_source") === "summarization",
    fields,
  };
}

/** Whether `readMessage` reads a value, without reading it. */
export function isMessage(value: JsonValue | undefined): boolean {
  return openMessage(value) !== null;
}

function openMessage(value: JsonValue | undefined): Pick<LangChainMessage, "kind" | "fields"> | null {
  if (!isObject(value)) return null;
  const name = constructorName(value);
  const wrapped = name === null ? member(value, "data") : member(value, "kwargs");
  const fields = isObject(wrapped) ? wrapped : value;
  const kind = kindOf(name ?? stringMember(value, "type")) ?? kindOf(stringMember(value, "role"));
  if (kind === null || (kind !== "remove" && member(fields, "content") === undefined)) return null;
  return { kind, fields };
}

/** Whether a value is a message, without reading all of it; a plain list of roles is none. */
export function looksLikeMessage(value: JsonValue | undefined): boolean {
  if (!isObject(value)) return false;
  const name = constructorName(value);
  if (name !== null) return kindOf(name) !== null;
  const kind = kindOf(stringMember(value, "type"));
  if (kind === null || member(value, "role") !== undefined) return false;
  return kind === "remove" || member(value, "content") !== undefined || isObject(member(value, "data"));
}

function callsOf(fields: JsonObject, extra: JsonValue | undefined): MessageCall[] {
  const own = listMember(fields, "tool_calls");
  const raw = own.length > 0 ? own : listMember(extra, "tool_calls");
  const calls = raw.map((call) => {
    // OpenAI's own form stands in `additional_kwargs` of older messages, and in messages with roles.
    const held = isObject(member(call, "function")) ? member(call, "function") : call;
    return readCall(stringMember(call, "id"), held, member(held, "args") ?? member(held, "arguments"));
  });
  const broken = listMember(fields, "invalid_tool_calls").map((call) =>
    readCall(stringMember(call, "id"), call, member(call, "args")),
  );
  return [...calls, ...broken];
}

function readCall(id: string | null, held: JsonValue | undefined, given: JsonValue | undefined): MessageCall {
  const parsed = typeof given === "string" ? parseNestedJson(given) : given;
  const name = stringMember(held, "name") ?? "";
  if (isObject(parsed)) return { id, name, arguments: parsed, text: null };
  const text = typeof given === "string" ? given : JSON.stringify(given ?? null);
  return { id, name, arguments: null, text };
}

function usageIn(response: JsonValue | undefined): JsonValue | undefined {
  return member(response, "token_usage") ?? member(response, "usage");
}

/** Tokens in the words of LangChain (`usage_metadata`) or of the API that answered; null when nothing is said. */
export function readUsage(usage: JsonValue | undefined): Usage | null {
  const inputTokens = countMember(usage, "input_tokens") ?? countMember(usage, "prompt_tokens");
  const outputTokens = countMember(usage, "output_tokens") ?? countMember(usage, "completion_tokens");
  if (inputTokens === null && outputTokens === null) return null;
  const cachedTokens =
    countMember(member(usage, "input_token_details"), "cache_read") ??
    countMember(member(usage, "prompt_tokens_details"), "cached_tokens");
  return { inputTokens, outputTokens, cachedTokens, costUsd: null };
}

/** What two occurrences of one message have in common: its id, or all that it says. */
export function messageKey(message: LangChainMessage): string {
  return message.id === null ? `${message.kind}:${JSON.stringify(message.fields)}` : `#${message.id}`;
}
