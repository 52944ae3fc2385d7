import type { RawSpan } from "@/lib/trajectory/schema";
import { isObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { type CodexLine, textOf } from "./lines";
import { partText } from "./outputs";

type Speaker = "agent" | "thought" | "person";

/** Identifiers of the calls that items hold, and of the outputs. */
export interface HeldCalls {
  calls: ReadonlySet<string>;
  answered: ReadonlySet<string>;
}

/** Items that say the same, in order, and how many of them have their event. */
interface Said {
  items: CodexLine[];
  taken: number;
}

type SaidBy = Record<Speaker, Map<string, Said>>;

/**
 * Pairs the events that repeat what an item says with that item, by their texts in the order of the file, and writes it
 * into both lines.
 */
export function pairChannels(lines: readonly CodexLine[]): void {
  const said: SaidBy = { agent: new Map(), thought: new Map(), person: new Map() };
  for (const line of lines) if (line.channel === "item") addSaid(said, line);
  for (const line of lines) {
    if (line.channel !== "event") continue;
    for (const [speaker, text] of textsOfEvent(line)) {
      const known = said[speaker].get(text);
      const item = known?.items[known.taken];
      if (known === undefined || item === undefined) continue;
      known.taken++;
      line.isRepeat = true;
      if (item.repeatedBy === null) item.repeatedBy = [line];
      else item.repeatedBy.push(line);
    }
  }
}

/** The identifiers of the calls that items hold, and of those that have an output. */
export function heldCalls(lines: readonly CodexLine[]): HeldCalls {
  const calls = new Set<string>();
  const answered = new Set<string>();
  for (const { channel, type, payload } of lines) {
    if (channel !== "item" || type === "message" || type === "reasoning") continue;
    const id = textOf(payload.call_id) ?? textOf(payload.id);
    if (id !== null && type.endsWith("_output")) answered.add(id);
    else if (id !== null && type.endsWith("_call")) calls.add(id);
  }
  return { calls, answered };
}

function addSaid(said: SaidBy, line: CodexLine): void {
  const { type, payload } = line;
  if (type === "reasoning") {
    for (const text of reasoningTexts(payload)) addText(said.thought, text.trim(), line);
    return;
  }
  const role = type === "message" ? stringMember(payload, "role") : null;
  if (role !== "user" && role !== "assistant") return;
  const parts = messageParts(payload.content).map((text) => text.trim());
  const [first = "", ...others] = parts;
  const saidByRole = said[role === "user" ? "person" : "agent"];
  // An event may repeat all of a message, or the words in it beside a picture.
  const texts = others.length === 0 ? [first] : new Set([parts.join("\n"), parts.join(""), first]);
  for (const text of texts) addText(saidByRole, text, line);
}

function addText(said: Map<string, Said>, text: string, line: CodexLine): void {
  const known = said.get(text);
  if (known === undefined) said.set(text, { items: [line], taken: 0 });
  else known.items.push(line);
}

/** The texts of an event that may repeat an item; empty for an event of another kind. */
export function textsOfEvent(line: CodexLine): readonly [Speaker, string][] {
  if (line.type === "item_completed") return completedTexts(line.payload.item);
  const speaker = SPEAKERS.get(line.type);
  if (speaker === undefined) return NO_TEXTS;
  const text = textOf(line.payload.message) ?? textOf(line.payload.text) ?? "";
  return [[speaker, text.trim()]];
}

const NO_TEXTS: readonly [Speaker, string][] = [];

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
  const texts: string[] = [];
  for (const key of ["summary", "content"]) {
    for (const part of listMember(payload, key)) {
      const text = typeof part === "string" ? part : isObject(part) ? textOf(part.text) : null;
      if (text !== null && text.trim() !== "") texts.push(text);
    }
  }
  return texts;
}

/** Where a line stands, with the events that repeat it. */
export function placesOf(line: CodexLine): RawSpan[] {
  return line.repeatedBy === null ? [line.raw] : [line.raw, ...line.repeatedBy.map(({ raw }) => raw)];
}
