import type { RawSpan } from "@/lib/trajectory/schema";
import type { ByteSpan } from "../../json-tokens";
import {
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  parseNestedJson,
  stringMember,
} from "../../safe-json";

/** A structured call of a message. `arguments` is null when they are not a JSON object; `text` is what was written. */
export interface ToolCall {
  id: string | null;
  name: string;
  arguments: JsonObject | null;
  text: string;
}

/** One entry of `history`. */
export interface HistoryMessage {
  index: number;
  role: string;
  agent: string | null;
  isDemo: boolean;
  content: string;
  thought: string | null;
  action: string | null;
  calls: ToolCall[];
  callIds: string[];
  raw: RawSpan;
  value: JsonValue;
}

/** Where an element of a list of the document is. */
export function elementSpan(list: string, index: number, spans: ByteSpan[]): RawSpan {
  const span = spans[index];
  return { line: null, pointer: `/${list}/${index}`, start: span?.start ?? null, end: span?.end ?? null };
}

/** The text of a message's content, which is a string or a list of blocks; a block that is not text keeps its JSON. */
export function contentText(content: JsonValue | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return content === undefined || content === null ? "" : JSON.stringify(content);
  return content.map((block) => stringMember(block, "text") ?? JSON.stringify(block)).join("\n");
}

/** Reads `history`. Entries that are no objects keep role `` and their JSON as content. */
export function readHistory(document: JsonValue, spans: ByteSpan[]): HistoryMessage[] {
  return listMember(document, "history").map((value, index) => ({
    index,
    role: stringMember(value, "role") ?? "",
    agent: stringMember(value, "agent"),
    isDemo: member(value, "is_demo") === true,
    content: isObject(value) ? contentText(value.content) : JSON.stringify(value),
    thought: stringMember(value, "thought"),
    action: stringMember(value, "action"),
    calls: listMember(value, "tool_calls").map(readCall),
    callIds: listMember(value, "tool_call_ids").filter((id) => typeof id === "string"),
    raw: elementSpan("history", index, spans),
    value,
  }));
}

/** What a message says and orders, for a message that stands between turns: what its content does not repeat follows it. */
export function wholeText(message: HistoryMessage): string {
  const parts = [message.content];
  const ordered = [message.thought, message.action, ...message.calls.map((call) => `${call.name} ${call.text}`.trim())];
  for (const part of ordered) if (part !== null && !parts.some((earlier) => earlier.includes(part))) parts.push(part);
  return parts.filter((part) => part !== "").join("\n\n");
}

function readCall(value: JsonValue): ToolCall {
  const body = member(value, "function");
  const given = member(body, "arguments");
  const parsed = typeof given === "string" ? parseNestedJson(given) : given;
  return {
    id: stringMember(value, "id"),
    name: stringMember(body, "name") ?? "",
    arguments: isObject(parsed) ? parsed : null,
    text: typeof given === "string" ? given : JSON.stringify(given ?? null),
  };
}

/** What `history` adds to one step: the message that ordered it and the messages that answered it. */
export interface StepMessages {
  order: HistoryMessage | null;
  answers: HistoryMessage[];
}

/** How far an assistant message may be ahead of the step that it belongs to (steps of format errors leave no message). */
const LOOK_AHEAD = 20;

/**
 * Matches the messages that follow the prompt to steps, in order: an assistant message belongs to the next step with
 * the same response, the same thought and action, or (the very next step only) the same action. What no step holds is returned as `unmatched`, with the step that
 * it stands after (-1 before the first).
 */
export function matchHistory(
  messages: HistoryMessage[],
  steps: { response: string; thought: string; action: string }[],
): { bySteps: StepMessages[]; unmatched: { message: HistoryMessage; afterStep: number }[] } {
  const bySteps: StepMessages[] = steps.map(() => ({ order: null, answers: [] }));
  const unmatched: { message: HistoryMessage; afterStep: number }[] = [];
  let step = -1;
  let isMatched = false;
  for (const message of messages) {
    if (message.role === "assistant") {
      let found = -1;
      for (let i = step + 1; found === -1 && i < Math.min(steps.length, step + 1 + LOOK_AHEAD); i++) {
        const candidate = steps[i];
        if (candidate && isSame(message, candidate)) found = i;
      }
      // A replayed demonstration may word the thought of the same action differently.
      const next = steps[step + 1];
      if (found === -1 && next && message.action?.trim() && message.action.trim() === next.action.trim())
        found = step + 1;
      // A message that only calls a tool has no words to compare.
      if (found === -1 && next && message.action === null && message.content.trim() === "") found = step + 1;
      isMatched = found !== -1;
      const slot = bySteps[found];
      if (slot) {
        step = found;
        slot.order = message;
      } else unmatched.push({ message, afterStep: step });
    } else {
      const slot = bySteps[step];
      if (isMatched && slot) slot.answers.push(message);
      else unmatched.push({ message, afterStep: step });
    }
  }
  return { bySteps, unmatched };
}

function isSame(message: HistoryMessage, step: { response: string; thought: string; action: string }): boolean {
  const action = (message.action ?? "").trim();
  if (message.action !== null && action !== step.action.trim()) return false;
  if (message.content.trim() === step.response.trim()) return message.action !== null || step.response.trim() !== "";
  return message.action !== null && (message.thought ?? "").trim() === step.thought.trim();
}
