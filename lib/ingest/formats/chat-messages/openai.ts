import {
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  parseNestedJson,
  stringMember,
} from "../../safe-json";
import { readBlock, resultContent } from "./anthropic";
import { mediaText, type Part, type Reading, type Speaker, unknownPart, unreadKeys } from "./parts";
import { readResultText } from "./result-facts";
import { readCall } from "./tools";

/** Roles by whom they speak for. Other names are kept and counted; `tool`, `function` and their like answer calls. */
const SPEAKERS: ReadonlyMap<string, Speaker> = new Map<string, Speaker>([
  ["assistant", "agent"],
  ["ai", "agent"],
  ["model", "agent"],
  ["user", "person"],
  ["human", "person"],
  ["system", "system"],
  ["developer", "system"],
  ["tool", "tool"],
  ["function", "tool"],
  ["ipython", "tool"],
  ["environment", "tool"],
  ["observation", "tool"],
]);

/** Whom a role speaks for; `unknown` for one that is not on the list. */
export function speakerOf(role: string | null): Speaker {
  return SPEAKERS.get((role ?? "").toLowerCase()) ?? "unknown";
}

/** Keys of messages that are read, or that repeat or number what is read. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...["role", "content", "name", "type", "id", "object", "message_id", "index", "status", "model", "usage"],
  ...["stop_reason", "finish_reason", "timestamp", "created_at", "created", "cache_control"],
  ...["tool_calls", "function_call", "tool_call_id", "tool_name", "is_error", "refusal", "audio"],
  ...["reasoning_content", "reasoning", "reasoning_details", "thinking", "thinking_blocks"],
]);

/** Reads a message of OpenAI's Chat Completions or Anthropic's Messages API: both have a role and content. */
export function readMessage(value: JsonObject): Reading {
  const role = stringMember(value, "role");
  const speaker = speakerOf(role);
  const name = stringMember(value, "name");
  const unread = unreadKeys(value, KNOWN_KEYS);
  const content = member(value, "content");
  if (speaker === "tool") {
    const tool = name ?? stringMember(value, "tool_name");
    const flag = member(value, "is_error");
    const facts = readResultText(resultContent(content), typeof flag === "boolean" ? flag : null);
    const callId = stringMember(value, "tool_call_id");
    return { speaker, name: tool, parts: [{ kind: "result", callId, tool, ...facts }], unread };
  }
  const parts: Part[] = [];
  addThoughts(value, parts);
  addContent(content, parts);
  addExtras(value, parts);
  addCalls(value, parts);
  return { speaker, name, parts, unread };
}

/** Content as parts: a text, or a list of content parts of any of the three APIs. */
export function readContent(content: JsonValue | undefined): Part[] {
  const parts: Part[] = [];
  addContent(content, parts);
  return parts;
}

function addContent(content: JsonValue | undefined, parts: Part[]): void {
  if (content === undefined || content === null || content === "") return;
  if (typeof content === "string") parts.push({ kind: "text", text: content });
  else if (!Array.isArray(content)) parts.push(unknownPart("content that is neither text nor a list", content));
  else {
    for (const part of content) {
      if (typeof part === "string") parts.push({ kind: "text", text: part });
      else if (!isObject(part)) parts.push(unknownPart("a content part that is not an object", part));
      else parts.push(...(readBlock(part) ?? readPart(part)));
    }
  }
}

function readPart(part: JsonObject): Part[] {
  const type = stringMember(part, "type") ?? "";
  const text = stringMember(part, "text");
  if (text !== null && ["input_text", "output_text", "summary_text", ""].includes(type)) {
    const annotated = listMember(part, "annotations");
    const more = annotated.length > 0 ? [unknownPart("`annotations` of a text", annotated)] : [];
    return [{ kind: "text", text }, ...more];
  }
  if (text !== null && type === "reasoning_text") return [{ kind: "thought", text }];
  if (type === "refusal") return [{ kind: "text", text: stringMember(part, "refusal") ?? "" }];
  if (type === "image_url" || type === "input_image") {
    return [{ kind: "media", text: mediaText("image", member(part, "image_url") ?? part) }];
  }
  if (type === "input_audio") return [{ kind: "media", text: mediaText("audio", member(part, "input_audio")) }];
  if (type === "file" || type === "input_file") {
    const file = member(part, "file") ?? part;
    return [{ kind: "media", text: mediaText("file", member(file, "file_data") ?? file) }];
  }
  return [unknownPart(`a content part of type ${type === "" ? "none" : type}`, part)];
}

/** Reasoning, under the names that different services give it. One message may hold the same under two of them. */
function addThoughts(value: JsonObject, parts: Part[]): void {
  for (const key of ["reasoning_content", "reasoning", "thinking"]) {
    const text = stringMember(value, key);
    if (text === null || text.trim() === "") continue;
    parts.push({ kind: "thought", text });
    return;
  }
  for (const key of ["thinking_blocks", "reasoning_details"]) {
    for (const block of listMember(value, key)) {
      const text = stringMember(block, "thinking") ?? stringMember(block, "text") ?? stringMember(block, "summary");
      parts.push({ kind: "thought", text: text ?? "" });
    }
  }
}

function addExtras(value: JsonObject, parts: Part[]): void {
  const refusal = stringMember(value, "refusal");
  if (refusal !== null && refusal !== "") parts.push({ kind: "text", text: refusal });
  const audio = member(value, "audio");
  if (!isObject(audio)) return;
  parts.push({ kind: "media", text: mediaText("audio", audio) });
  const transcript = stringMember(audio, "transcript");
  if (transcript !== null) parts.push({ kind: "text", text: transcript });
}

function addCalls(value: JsonObject, parts: Part[]): void {
  const given = member(value, "tool_calls");
  // Tables keep lists as JSON text.
  const list = typeof given === "string" ? (parseNestedJson(given) ?? given) : given;
  if (Array.isArray(list)) for (const call of list) parts.push(readToolCall(call));
  else if (list !== undefined && list !== null) parts.push(unknownPart("`tool_calls` that are not a list", list));
  const legacy = member(value, "function_call");
  if (isObject(legacy)) parts.push(readCall(stringMember(legacy, "name") ?? "", null, member(legacy, "arguments")));
  else if (legacy !== undefined && legacy !== null) {
    parts.push(unknownPart("a `function_call` that is not an object", legacy));
  }
}

function readToolCall(call: JsonValue): Part {
  if (!isObject(call)) return unknownPart("a tool call that is not an object", call);
  const id = stringMember(call, "id");
  const custom = member(call, "custom");
  if (isObject(custom)) {
    const input = member(custom, "input");
    const part = readCall(stringMember(custom, "name") ?? "", id, isObject(input) ? input : {});
    return typeof input === "string" ? { ...part, arguments: null, text: input } : part;
  }
  const body = member(call, "function");
  const name = stringMember(body, "name") ?? (typeof body === "string" ? body : stringMember(call, "name"));
  if (name === null) return unknownPart("a tool call without a name", call);
  const given = isObject(body) ? member(body, "arguments") : undefined;
  return readCall(name, id, given ?? member(call, "arguments") ?? member(call, "args") ?? member(call, "input"));
}
