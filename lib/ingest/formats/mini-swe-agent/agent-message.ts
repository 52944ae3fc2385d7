import type { CallKind } from "@/lib/trajectory/schema";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  parseNestedJson,
  stringMember,
} from "../../safe-json";
import { shellCallKind } from "../../shell-kind";
import { type ActionLanguage, fencedActions, isSubmission } from "./fences";

/** A call of the agent: `arguments` as given when they are a JSON object, else `text` as written. */
export interface AgentCall {
  id: string | null;
  tool: string;
  kind: CallKind;
  arguments: JsonObject | null;
  text: string | null;
  /** The command line, null when there is none. */
  command: string | null;
}

/** What one message of the agent holds, in the order in which it stands there. */
export interface AgentMessage {
  reasoning: string[];
  /** Its words, without the block that is the action. */
  words: string[];
  calls: AgentCall[];
}

/** The text of a content: a string, or blocks of which those that are no text are named with their size. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return "";
  if (!Array.isArray(content)) return JSON.stringify(content);
  return content.map(blockText).join("\n");
}

/** One block of a content. */
function blockText(block: JsonValue): string {
  const text = stringMember(block, "text");
  if (text !== null) return text;
  const address = stringMember(member(block, "image_url"), "url") ?? stringMember(block, "image_url");
  if (address?.startsWith("data:")) {
    return `[picture ${address.slice(5, 60).split(/[;,]/, 1)[0]}, ${address.length} characters]`;
  }
  return JSON.stringify(block);
}

/** Reads a message of the agent: tool calls, a reply of the Responses API, or an action in a block of its text. */
export function readAgentMessage(value: JsonObject, language: ActionLanguage): AgentMessage {
  const actions = listMember(member(value, "extra"), "actions");
  if (Array.isArray(value.output)) return withActions(readReply(value.output), actions);
  const content = contentText(member(value, "content"));
  const reasoning = reasoningOf(value);
  const words = content.trim() === "" ? [] : [content];
  const legacy = member(value, "function_call");
  const given = [...listMember(value, "tool_calls"), ...(isObject(legacy) ? [{ id: null, function: legacy }] : [])];
  if (given.length > 0) return withActions({ reasoning, words, calls: given.map(readToolCall) }, actions);
  const blocks = fencedActions(content, language);
  const [block] = blocks;
  if (actions.length === 0) {
    if (block === undefined || blocks.length > 1) return { reasoning, words, calls: [] };
    return { reasoning, words: around(content, block), calls: [bashCall(block.command)] };
  }
  const message = withActions({ reasoning, words, calls: [] }, actions);
  const own = message.calls.length === 1 ? blocks.find((one) => one.command === message.calls[0]?.command) : undefined;
  return own === undefined ? message : { ...message, words: around(content, own) };
}

/** Adds what the harness says that it ran and no call of the message orders: `extra.actions` usually repeats the calls. */
function withActions(message: AgentMessage, actions: JsonValue[]): AgentMessage {
  const ordered = new Set(message.calls.map(({ command }) => command?.trim()));
  const others = actions.flatMap((action) => {
    const command = stringMember(action, "command");
    if (command === null || ordered.has(command.trim())) return [];
    return [{ ...bashCall(command), id: stringMember(action, "tool_call_id") }];
  });
  return { ...message, calls: [...message.calls, ...others] };
}

function around(content: string, block: { start: number; end: number }): string[] {
  return [content.slice(0, block.start), content.slice(block.end)].filter((part) => part.trim() !== "");
}

function bashCall(command: string): AgentCall {
  return { id: null, tool: "bash", kind: kindOf("bash", command), arguments: null, text: command, command };
}

function readToolCall(value: JsonValue): AgentCall {
  const body = member(value, "function");
  return callOf(stringMember(value, "id"), stringMember(body, "name") ?? "", member(body, "arguments"));
}

function callOf(id: string | null, name: string, given: JsonValue | undefined): AgentCall {
  const parsed = typeof given === "string" ? parseNestedJson(given) : given;
  const values = isObject(parsed) ? parsed : null;
  const written = typeof given === "string" ? given : JSON.stringify(given ?? null);
  const command = stringMember(values ?? undefined, "command");
  return { id, tool: name, kind: kindOf(name, command), arguments: values, text: values ? null : written, command };
}

function kindOf(tool: string, command: string | null): CallKind {
  if (tool !== "bash" || command === null) return "other";
  return isSubmission(command) ? "submit" : shellCallKind(command);
}

/** `reasoning_content`, or the thinking blocks that it repeats. */
function reasoningOf(value: JsonObject): string[] {
  const plain = stringMember(value, "reasoning_content") ?? stringMember(value, "reasoning");
  if (plain !== null && plain.trim() !== "") return [plain];
  return listMember(value, "thinking_blocks")
    .map((block) => stringMember(block, "thinking") ?? "")
    .filter((text) => text.trim() !== "");
}

/** The output items of a reply of the Responses API. */
function readReply(output: JsonValue[]): AgentMessage {
  const message: AgentMessage = { reasoning: [], words: [], calls: [] };
  const add = (list: string[], text: string): void => {
    if (text.trim() !== "") list.push(text);
  };
  for (const item of output) {
    const type = stringMember(item, "type");
    if (type === "function_call") {
      const id = stringMember(item, "call_id") ?? stringMember(item, "id");
      message.calls.push(callOf(id, stringMember(item, "name") ?? "", member(item, "arguments")));
    } else if (type === "reasoning") {
      for (const part of [...listMember(item, "summary"), ...listMember(item, "content")]) {
        add(message.reasoning, stringMember(part, "text") ?? "");
      }
    } else if (type === "message") add(message.words, contentText(member(item, "content")));
    else add(message.words, JSON.stringify(item));
  }
  return message;
}
