import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { resultContent } from "./anthropic";
import { readContent, speakerOf } from "./openai";
import { mediaText, type Part, type Reading, type ResultPart, type Speaker, unknownPart, unreadKeys } from "./parts";
import { exitCodeOf, readResultText } from "./result-facts";
import { readCall } from "./tools";

const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...["type", "id", "call_id", "status", "role", "content", "name", "arguments", "input", "output", "action", "phase"],
  ...["summary", "encrypted_content", "operation", "created_by", "timestamp", "created_at", "namespace"],
  ...["queries", "results", "code", "outputs", "container_id", "result", "server_label", "approval_request_id"],
  ...["max_output_length", "pending_safety_checks", "acknowledged_safety_checks", "output_format", "revised_prompt"],
]);

type ReadItem = (item: JsonObject) => { speaker: Speaker; parts: Part[] };

const agent =
  (read: (item: JsonObject) => Part[]): ReadItem =>
  (item) => ({ speaker: "agent", parts: read(item) });
const answer =
  (read: (item: JsonObject) => Omit<ResultPart, "kind" | "callId" | "tool">): ReadItem =>
  (item) => ({ speaker: "tool", parts: [{ kind: "result", callId: callIdOf(item), tool: null, ...read(item) }] });
const kept = (speaker: Speaker, item: JsonObject): { speaker: Speaker; parts: Part[] } => ({
  speaker,
  parts: [{ kind: "text", text: JSON.stringify(item) }],
});

/** The items of OpenAI's Responses API by their type. */
const ITEMS: ReadonlyMap<string, ReadItem> = new Map<string, ReadItem>([
  ["message", (item) => ({ speaker: speakerOf(stringMember(item, "role")), parts: readContent(item.content) })],
  ["reasoning", agent(readReasoning)],
  ["function_call", agent((item) => [readCall(nameOf(item), callIdOf(item), item.arguments)])],
  ["custom_tool_call", agent(readCustomCall)],
  ["local_shell_call", agent((item) => [readCall("local_shell", callIdOf(item), item.action)])],
  ["shell_call", agent((item) => [readCall("shell", callIdOf(item), item.action)])],
  ["apply_patch_call", agent((item) => [readCall("apply_patch", callIdOf(item), item.operation)])],
  ["computer_call", agent((item) => [readCall("computer", callIdOf(item), item.action)])],
  ["web_search_call", agent((item) => [readCall("web_search", callIdOf(item), item.action), ...ownResults(item)])],
  [
    "file_search_call",
    agent((item) => [readCall("file_search", callIdOf(item), pick(item, "queries")), ...ownResults(item)]),
  ],
  [
    "code_interpreter_call",
    agent((item) => [readCall("code_interpreter", callIdOf(item), pick(item, "code")), ...ownResults(item)]),
  ],
  ["image_generation_call", agent(readPicture)],
  ["mcp_call", agent((item) => [readCall(nameOf(item), callIdOf(item), item.arguments), ...mcpResult(item)])],
  ["function_call_output", answer(readOutput)],
  ["custom_tool_call_output", answer(readOutput)],
  ["local_shell_call_output", answer(readOutput)],
  ["apply_patch_call_output", answer(readOutput)],
  ["shell_call_output", answer(readShellOutput)],
  ["computer_call_output", answer((item) => readResultText(resultContent([item.output ?? null]), null))],
  ["mcp_list_tools", (item) => kept("metadata", item)],
  ["mcp_approval_request", (item) => kept("metadata", item)],
  ["mcp_approval_response", (item) => kept("metadata", item)],
  ["item_reference", (item) => kept("metadata", item)],
  ["compaction", (item) => kept("compaction", item)],
]);

/** Whether an object is an item of the Responses API other than a message. */
export function isItem(value: JsonObject): boolean {
  const type = stringMember(value, "type") ?? "";
  if (type === "message" || !ITEMS.has(type)) return false;
  if (type === "reasoning") return Array.isArray(value.summary) || typeof value.encrypted_content === "string";
  return Object.hasOwn(value, "call_id") || Object.hasOwn(value, "id");
}

/** Reads an item of the Responses API. */
export function readItem(value: JsonObject): Reading {
  const type = stringMember(value, "type") ?? "";
  const read = ITEMS.get(type);
  const { speaker, parts } = read?.(value) ?? {
    speaker: "unknown" as const,
    parts: [unknownPart(`an item of type ${type}`, value)],
  };
  const unread = unreadKeys(value, KNOWN_KEYS).filter((key) => key !== "error" || type !== "mcp_call");
  return { speaker, name: null, parts, unread };
}

function callIdOf(item: JsonObject): string | null {
  return stringMember(item, "call_id") ?? stringMember(item, "id");
}

function nameOf(item: JsonObject): string {
  return stringMember(item, "name") ?? "";
}

function pick(item: JsonObject, key: string): JsonObject {
  return { [key]: item[key] ?? null };
}

/** A summary and, where the service shows it, the reasoning itself; encrypted reasoning says nothing. */
function readReasoning(item: JsonObject): Part[] {
  const texts = [...listMember(item, "summary"), ...listMember(item, "content")].flatMap((part) => {
    const text = stringMember(part, "text");
    return text === null ? [] : [text];
  });
  return [{ kind: "thought", text: texts.join("\n\n") }];
}

function readCustomCall(item: JsonObject): Part[] {
  const input = member(item, "input");
  const call = readCall(nameOf(item), callIdOf(item), isObject(input) ? input : {});
  return [typeof input === "string" ? { ...call, arguments: null, text: input } : call];
}

function readPicture(item: JsonObject): Part[] {
  const call = readCall("image_generation", callIdOf(item), pick(item, "revised_prompt"));
  return typeof item.result === "string" ? [call, { kind: "media", text: mediaText("image", item.result) }] : [call];
}

/** What the service's own tools found stands in the item of the call. */
function ownResults(item: JsonObject): Part[] {
  const found = [...listMember(item, "results"), ...listMember(item, "outputs")];
  const failed = member(item, "status") === "failed" ? true : null;
  if (found.length === 0 && failed === null) return [];
  const text = found.map((one) => stringMember(one, "logs") ?? resultContent([one])).join("\n");
  return [{ kind: "result", callId: callIdOf(item), tool: null, ...readResultText(text, failed) }];
}

function mcpResult(item: JsonObject): Part[] {
  const error = member(item, "error");
  const hasFailed = error !== undefined && error !== null;
  const given = hasFailed ? error : member(item, "output");
  if (given === undefined || given === null) return [];
  const facts = readResultText(resultContent(given), hasFailed ? true : null);
  return [{ kind: "result", callId: callIdOf(item), tool: null, ...facts }];
}

function readOutput(item: JsonObject): Omit<ResultPart, "kind" | "callId" | "tool"> {
  const flag = item.status === "failed" ? true : null;
  return readResultText(resultContent(item.output), flag);
}

/** The outputs of the commands of one call. The first exit code that is not 0 counts. */
function readShellOutput(item: JsonObject): Omit<ResultPart, "kind" | "callId" | "tool"> {
  const outputs = listMember(item, "output");
  if (outputs.length === 0) return readOutput(item);
  const texts: string[] = [];
  const codes: number[] = [];
  let hasTimedOut = false;
  for (const output of outputs) {
    for (const key of ["stdout", "stderr"]) texts.push(stringMember(output, key) ?? "");
    const outcome: JsonValue | undefined = member(output, "outcome");
    const code = exitCodeOf(member(outcome, "exit_code"));
    if (code !== null) codes.push(code);
    if (stringMember(outcome, "type") === "timeout") hasTimedOut = true;
  }
  const exitCode = codes.find((code) => code !== 0) ?? codes[0] ?? null;
  const flag = hasTimedOut ? true : exitCode === null ? null : exitCode !== 0;
  return { ...readResultText(texts.filter((text) => text !== "").join("\n"), flag), exitCode };
}
