import type { RawSpan } from "@/lib/trajectory/schema";
import { isObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { readCallEvent } from "./call-events";
import type { CodexLine } from "./lines";
import { partText } from "./outputs";

type Speaker = "agent" | "thought" | "person";

/** What both channels say of the same: the conversation with the model, and the events of the user interface. */
export interface Channels {
  /** The lines of events that repeat an item, by the item's line. */
  repeats: ReadonlyMap<CodexLine, CodexLine[]>;
  /** Events that repeat an item: nothing of them is shown for itself. */
  repeating: ReadonlySet<CodexLine>;
  /** Identifiers of calls that items hold, and of outputs. */
  calls: ReadonlySet<string>;
  answered: ReadonlySet<string>;
}

/** Pairs the events that repeat what an item says with that item: by their texts, in the order of the file. */
export function pairChannels(lines: readonly CodexLine[]): Channels {
  const calls = new Set<string>();
  const answered = new Set<string>();
  // Items of which an event says the text, in order, and how many of them have their event.
  const said: Record<Speaker, Map<string, Said>> = { agent: new Map(), thought: new Map(), person: new Map() };
  const events: { line: CodexLine; said: Said }[] = [];
  for (const line of lines) {
    if (line.channel !== "event") continue;
    for (const [speaker, text] of textsOfEvent(line)) {
      const known = said[speaker].get(text) ?? { items: [], taken: 0 };
      said[speaker].set(text, known);
      events.push({ line, said: known });
    }
  }
  for (const line of lines) {
    if (line.channel !== "item") continue;
    if (line.type === "message" || line.type === "reasoning") addSaid(said, line);
    else {
      const id = stringMember(line.payload, "call_id") ?? stringMember(line.payload, "id");
      if (id !== null && line.type.endsWith("_output")) answered.add(id);
      else if (id !== null && line.type.endsWith("_call")) calls.add(id);
    }
  }
  const repeats = new Map<CodexLine, CodexLine[]>();
  const repeating = new Set<CodexLine>();
  for (const { line, said: known } of events) {
    const item = known.items[known.taken];
    if (item === undefined) continue;
    known.taken++;
    repeating.add(line);
    const others = repeats.get(item);
    if (others) others.push(line);
    else repeats.set(item, [line]);
  }
  return { repeats, repeating, calls, answered };
}

interface Said {
  items: CodexLine[];
  taken: number;
}

function addSaid(said: Record<Speaker, Map<string, Said>>, line: CodexLine): void {
  for (const [speaker, text] of textsOfItem(line)) said[speaker].get(text)?.items.push(line);
}

/** The texts of an item as events may repeat them. */
function textsOfItem(line: CodexLine): [Speaker, string][] {
  if (line.type === "reasoning") return reasoningTexts(line.payload).map((text) => ["thought", text.trim()]);
  if (line.type !== "message") return [];
  const role = stringMember(line.payload, "role");
  if (role !== "user" && role !== "assistant") return [];
  const speaker = role === "user" ? ("person" as const) : ("agent" as const);
  const parts = messageParts(line.payload.content).map((text) => text.trim());
  // An event may repeat all of a message, or the words in it beside a picture.
  return [...new Set([parts.join("\n"), parts.join(""), parts[0] ?? ""])].map((text) => [speaker, text]);
}

/** The texts of an event that may repeat an item; empty for an event of another kind. */
export function textsOfEvent(line: CodexLine): [Speaker, string][] {
  if (line.type === "item_completed") return completedTexts(line.payload.item);
  const speaker = SPEAKERS.get(line.type);
  if (speaker === undefined) return [];
  const text = stringMember(line.payload, "message") ?? stringMember(line.payload, "text") ?? "";
  return [[speaker, text.trim()]];
}

/** Events that only say something. */
const SPEAKERS: ReadonlyMap<string, Speaker> = new Map<string, Speaker>([
  ["user_message", "person"],
  ["agent_message", "agent"],
  ["agent_reasoning", "thought"],
  ["agent_reasoning_raw_content", "thought"],
]);

function completedTexts(item: JsonValue | undefined): [Speaker, string][] {
  const type = stringMember(item, "type");
  if (type === "Reasoning") {
    const texts = [...listMember(item, "summary_text"), ...listMember(item, "raw_content")];
    return texts.filter((text) => typeof text === "string").map((text) => ["thought", text.trim()]);
  }
  if (type !== "UserMessage" && type !== "AgentMessage") return [];
  const text = messageParts(member(item, "content")).join("\n").trim();
  return [[type === "UserMessage" ? "person" : "agent", text]];
}

/** The texts of a message's content: a plain text, or its parts. */
export function messageParts(content: JsonValue | undefined): string[] {
  if (typeof content === "string") return [content];
  return Array.isArray(content) ? content.map(partText) : [];
}

/** What reasoning says in the open: its summary, and the reasoning itself where the model gives it. */
export function reasoningTexts(payload: JsonValue): string[] {
  return [...listMember(payload, "summary"), ...listMember(payload, "content")].flatMap((part) => {
    const text = typeof part === "string" ? part : isObject(part) ? stringMember(part, "text") : null;
    return text === null || text.trim() === "" ? [] : [text];
  });
}

/** Where a line stands, with the events that repeat it. */
export function placesOf(line: CodexLine, channels: Channels): RawSpan[] {
  return [line.raw, ...(channels.repeats.get(line) ?? []).map(({ raw }) => raw)];
}

/** The identifier of the call that an event is about, when an item holds that call; null otherwise. */
export function callHeldByItem(line: CodexLine, channels: Channels): string | null {
  const id = readCallEvent(line)?.callId ?? null;
  return id !== null && channels.calls.has(id) ? id : null;
}
