import { IngestError } from "@/lib/errors";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, stringMember } from "../../safe-json";
import { ChatWriter } from "./chat-writer";
import { countRepeated, fingerprint, readingOf } from "./continuation";
import { type Conversation, readConversation } from "./conversation";
import type { Reading } from "./parts";
import { type ChatRecord, unitKind } from "./records";
import { isItem } from "./responses";
import type { BrokenUnit, Unit } from "./units";

/** What was seen, for people. */
export interface Seen {
  messages: number;
  items: number;
  blocks: number;
  toolCalls: number;
  legacyCalls: number;
  requests: number;
}

/**
 * Reads the units of an upload into one conversation. A log of requests repeats what was said before: while every
 * request begins with all that is known, only what it adds is taken. Any other request is another conversation.
 */
export class ChatReader {
  readonly chat: ChatWriter;
  readonly seen: Seen = { messages: 0, items: 0, blocks: 0, toolCalls: 0, legacyCalls: 0, requests: 0 };
  /** What a file states for all of it. */
  usage: JsonValue | undefined;
  model: string | null = null;
  private conversations = 0;
  private second: ChatRecord["raw"] | null = null;
  /** What each record so far says, when later requests may repeat it. */
  private known: string[] = [];
  private readonly items = new Map<string, { value: JsonObject; text: string | null }>();
  private taken = 0;

  /** @param mayRepeat whether more than one request can follow, so that what was said must be remembered */
  constructor(
    private readonly bytes: Uint8Array,
    private readonly notes: NoteBook,
    private readonly mayRepeat: boolean,
  ) {
    this.chat = new ChatWriter(notes);
  }

  /** Adds the next unit. */
  add(unit: Unit | BrokenUnit): void {
    if ("why" in unit) {
      this.addBroken(unit);
      return;
    }
    const { value, raw, step } = unit;
    const kind = unitKind(value);
    if (kind === "message" || kind === "item") this.take({ value, raw, step, response: null });
    else if (kind === "other" || !isObject(value)) this.addOther(value, raw, step);
    else this.addConversation(readConversation(value, unit, this.bytes), raw);
  }

  /** @throws IngestError `unsupported_format` when the file holds more than one conversation. */
  finish(): void {
    if (this.second === null) return;
    const { line, start } = this.second;
    const message = `this file holds ${this.conversations} conversations that do not continue each other, and a trajectory is one; split it into a file for each and upload those`;
    throw new IngestError("unsupported_format", message, { byte: start, line, pointer: this.second.pointer });
  }

  private addConversation(conversation: Conversation, raw: ChatRecord["raw"]): void {
    const { prompt, answer, asides, later } = conversation;
    if (prompt.length > 0) {
      const message = "What the record of a request says beside its messages; the raw record shows it";
      this.notes.add("request_record", "information", message, raw);
      this.seen.requests++;
      this.conversations = Math.max(1, this.conversations);
    }
    const added = this.whatIsNew(prompt, answer);
    if (added === null) {
      this.conversations++;
      this.second ??= raw;
      this.known = [];
    }
    if (this.second !== null) {
      // What comes after a second conversation is only counted.
      for (const record of added ?? [...prompt, ...answer]) this.remember(record, readingOf(record.value));
      return;
    }
    this.usage ??= conversation.usage;
    this.model ??= conversation.model;
    for (const aside of asides) this.chat.addAside(aside);
    for (const record of added ?? []) this.take(record);
    for (const aside of later) this.chat.addAside(aside);
  }

  /** What a request adds to all that is known; null when it is no continuation of it. */
  private whatIsNew(prompt: ChatRecord[], answer: ChatRecord[]): ChatRecord[] | null {
    const said = [...prompt, ...answer];
    if (prompt.length === 0 || (this.taken === 0 && this.second === null)) return said;
    const from = countRepeated(
      said.map(({ value }) => value),
      this.known,
    );
    if (from === null) return null;
    const message = "Messages that a later request repeats; shown once";
    for (const record of said.slice(0, from)) this.notes.add("repeated_message", "information", message, record.raw);
    return said.slice(from);
  }

  private remember(record: ChatRecord, reading: Reading | null): void {
    const print = this.mayRepeat ? fingerprint(reading, record.value) : null;
    if (print !== null) this.known.push(print);
  }

  private take(record: ChatRecord): void {
    const { value } = record;
    const reading = readingOf(value);
    this.taken++;
    this.remember(record, reading);
    if (reading === null || !isObject(value)) {
      this.addOther(value, record.raw, record.step);
      return;
    }
    if (this.isRepeatedItem(value, record)) return;
    this.count(value, reading);
    this.chat.add(record, reading, isItem(value) || isTypedMessage(value));
  }

  /** The same item with the same identifier again, as a list of inputs and outputs holds it. */
  private isRepeatedItem(value: JsonObject, record: ChatRecord): boolean {
    const id = stringMember(value, "id");
    if (id === null || typeof value.type !== "string") return false;
    const known = this.items.get(id);
    if (known === undefined) {
      this.items.set(id, { value, text: null });
      return false;
    }
    known.text ??= JSON.stringify(known.value);
    if (known.text !== JSON.stringify(value)) return false;
    const message = "Items that repeat an earlier one with the same identifier; shown once";
    this.notes.add("repeated_item", "information", message, record.raw);
    return true;
  }

  private addBroken(unit: BrokenUnit): void {
    const { start, end } = unit.raw;
    const text = new TextDecoder().decode(this.bytes.subarray(start ?? 0, end ?? 0));
    this.chat.addUnknown(unit.raw, unit.step, unit.why, text);
  }

  private addOther(value: JsonValue, raw: ChatRecord["raw"], step: ChatRecord["step"]): void {
    const type = stringMember(value, "type") ?? stringMember(value, "role");
    const what = type === null ? "one without a role and a known type" : `one of type ${type}`;
    this.chat.addUnknown(raw, step, what, JSON.stringify(value));
  }

  private count(value: JsonObject, reading: Reading): void {
    if (isItem(value)) this.seen.items++;
    else this.seen.messages++;
    if (Array.isArray(value.tool_calls)) this.seen.toolCalls++;
    if (isObject(value.function_call) || value.role === "function") this.seen.legacyCalls++;
    const isBlocks = Array.isArray(value.content) && reading.parts.some((part) => part.kind !== "text");
    if (isBlocks && !isItem(value)) this.seen.blocks++;
  }
}

/** A message as an item of the Responses API, not as an answer of Anthropic's. */
function isTypedMessage(value: JsonObject): boolean {
  return value.type === "message" && value.usage === undefined && value.stop_reason === undefined;
}
