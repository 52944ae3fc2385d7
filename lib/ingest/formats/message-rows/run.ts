import type { ContextItem, RawSpan, RecordedFile, Turn } from "@/lib/trajectory/schema";
import { toolOf } from "../../editor-commands";
import { AGENT, HARNESS, PERSON, plainResult } from "../../entries";
import { fencedCommand } from "../../rows/fences";
import type { RowFacts, RowReading } from "../../rows/row-trajectory";
import { firstText } from "../../rows/rows";
import { type JsonValue, stringMember } from "../../safe-json";
import { isObservation, readAnswer } from "../../tool-answers";
import { kindOfCall } from "../../tool-kinds";
import { CallBook, type MadeCall } from "./call-book";
import { messagesIn } from "./columns";
import { type Call, type Message, readMessage } from "./messages";
import { appliedChange, meaningOf } from "./repetitions";

/** Reads the messages of a row into turns. */
export function readRun(reading: RowReading): RowFacts {
  const { row } = reading;
  const found = messagesIn(row.value);
  const messages = found?.messages ?? [];
  const run = new Run(reading);
  for (const [index, value] of messages.entries()) {
    const raw = row.places.element(found?.column ?? "", index);
    run.add(readMessage(value), value, index, raw, messages[index + 1]);
  }
  const model = firstText(row.value, ["model", "model_name"]);
  return {
    variant: found?.column === "trajectory" ? "trajectory of messages" : run.variant,
    framework: run.framework,
    models: model === null ? [] : [model],
    agent: "Agent",
    statement: run.statement,
    durationMs: null,
  };
}

class Run {
  statement: string | null = null;
  private readonly book = new CallBook();
  private readonly tools = new Set<string>();
  private last: Turn | null = null;
  private calls = 0;
  /** Answers in JSON by what they say, and prompts by their text, where a row repeats them for each state. */
  private readonly meanings = new Map<string, Turn>();
  private readonly contexts = new Map<string, ContextItem>();
  private hasWritten = false;
  private systems = 0;
  private said = "";

  constructor(private readonly reading: RowReading) {}

  /** How the messages hold their calls, in words. */
  get variant(): string {
    if (this.hasWritten) return "messages with calls as text";
    if (this.calls === 0 && this.systems > 1) return "messages of several states";
    return "messages";
  }

  /** Whose tools and prompts these are; the rows do not say it. */
  get framework(): string {
    const { value } = this.reading.row;
    const offered = JSON.stringify(value.tools ?? null);
    const isOpenHands = this.tools.has("execute_bash") || offered.includes('"execute_bash"');
    if (isOpenHands || this.said.includes("OpenHands")) return "OpenHands";
    if (this.tools.has("submit") || Object.hasOwn(value, "traj_id")) return "SWE-agent";
    return this.calls === 0 && this.systems > 1 ? "Moatless" : "Unknown";
  }

  add(message: Message, value: JsonValue, index: number, raw: RawSpan, next: JsonValue | undefined): void {
    this.noteUnread(message, raw);
    if (this.said.length < SAID_CHARS) this.said += message.text.slice(0, SAID_CHARS);
    if (message.isDemonstration) this.context("demonstration", HARNESS, index, raw, JSON.stringify(value));
    else if (message.role === "assistant" || message.role === "ai") this.addAgent(message, index, raw, next);
    else if (message.role === "system" || message.role === "developer") {
      this.systems++;
      this.context("system", HARNESS, index, raw, message.text);
    } else if (message.role === "tool" || message.role === "function") this.addAnswer(message, index, raw);
    else if (message.role === "user" || message.role === "human") this.addUser(message, index, raw);
    else this.addUnknown(message.role, value, index, raw);
  }

  private addAgent(message: Message, index: number, raw: RawSpan, next: JsonValue | undefined): void {
    const { writer } = this.reading;
    const sourceSteps = [{ convention: "message", step: String(index) }];
    if (this.isRepetition(message, index, raw, next)) return;
    const turn = writer.addTurn({ agent: "main", sourceSteps });
    this.last = turn;
    this.book.beginTurn();
    for (const text of message.thoughts) writer.addItem(turn, { kind: "thought", author: AGENT, raw: [raw], text });
    const { words, calls } =
      message.calls.length > 0 ? { words: message.text, calls: message.calls } : fenced(message, next);
    this.hasWritten ||= calls.some((call) => call.id === null);
    if (words.trim() !== "") writer.addItem(turn, { kind: "message", author: AGENT, raw: [raw], text: words.trim() });
    this.addOthers(turn, message, raw);
    for (const call of calls) this.addCall(turn, call, raw);
    const meaning = this.systems > 0 && calls.length === 0 ? meaningOf(message.text) : null;
    if (meaning !== null) this.meanings.set(meaning, turn);
    if (turn.items.length > 0) return;
    const empty = "Messages of the agent in which nothing is said and nothing called";
    this.reading.notes.add("empty_message", "information", empty, raw);
    writer.addItem(turn, { kind: "message", author: AGENT, raw: [raw], text: "" });
  }

  /** A state that goes on quotes its own earlier answers before what became of them. */
  private isRepetition(message: Message, index: number, raw: RawSpan, next: JsonValue | undefined): boolean {
    if (this.systems < 2 || message.calls.length > 0) return false;
    const meaning = meaningOf(message.text);
    const known = meaning === null ? undefined : this.meanings.get(meaning);
    if (known && stringMember(next, "role") === "user") {
      this.noteRepetition(raw);
      known.sourceSteps.push({ convention: "message", step: String(index) });
      return true;
    }
    return false;
  }

  private noteRepetition(raw: RawSpan): void {
    const message = "Messages that repeat an earlier one for another state; shown once";
    this.reading.notes.add("repeated_message", "information", message, raw);
  }

  private addOthers(turn: Turn, message: Message, raw: RawSpan): void {
    for (const { what, text } of message.others) {
      this.reading.notes.add(
        "part_not_understood",
        "not_understood",
        `Parts of messages that are not shown, such as ${what}`,
        raw,
      );
      this.reading.writer.addItem(turn, { kind: "opaque", author: AGENT, raw: [raw], text, reason: what });
    }
  }

  private addCall(turn: Turn, call: Call, raw: RawSpan): void {
    if (call.arguments === null && call.id !== null) {
      const message = "Arguments of calls that are not a JSON object; kept as text";
      this.reading.notes.add("arguments_not_json", "information", message, raw);
    }
    turn.sourceSteps.push({ convention: "call", step: String(this.calls++) });
    const item = this.reading.writer.addItem(turn, {
      kind: "call",
      author: AGENT,
      raw: [raw],
      callKind: kindOfCall(call.tool, call.arguments, call.text),
      tool: call.tool,
      callId: call.id,
      arguments: call.arguments,
      text: call.text,
    });
    this.tools.add(call.tool);
    this.book.add({ turn, item });
  }

  private addAnswer(message: Message, index: number, raw: RawSpan): void {
    const [id = null] = message.callIds;
    this.addResult(id === null ? this.book.answerToNext() : this.book.answerTo(id), message, index, raw, id);
  }

  private addUser(message: Message, index: number, raw: RawSpan): void {
    const waiting = this.book.answerToNext();
    const change = waiting === null ? appliedChange(message.text) : null;
    if (waiting !== null) this.addResult(waiting, message, index, raw, null);
    else if (change !== null && this.last !== null) this.addChange(this.last, change, message, index, raw);
    else if (this.last !== null && isObservation(message.text)) this.addResult(null, message, index, raw, null);
    else if (this.statement === null) {
      this.statement = message.text;
      this.context("task", PERSON, index, raw, message.text);
    } else this.context("injected", HARNESS, index, raw, message.text);
  }

  /** What the harness made of an answer that calls nothing: the change that it applied. */
  private addChange(turn: Turn, change: RecordedFile, message: Message, index: number, raw: RawSpan): void {
    const facts = { author: HARNESS, isError: false, recorded: [change] };
    this.reading.writer.addItem(turn, plainResult(message.text, [raw], facts));
    turn.sourceSteps.push({ convention: "message", step: String(index) });
  }

  private addResult(call: MadeCall | null, message: Message, index: number, raw: RawSpan, callId: string | null): void {
    const { text, directory, ...facts } = readAnswer(message.text, call?.item ?? null);
    const author = { role: "tool" as const, name: call?.item.tool ?? message.name };
    const turn = call?.turn ?? this.last;
    if (call === null) {
      const note = "Results of which the trace does not hold the call before them";
      this.reading.notes.add("result_without_call", "information", note, raw);
    }
    if (turn === null) {
      this.context("injected", author, index, raw, message.text);
      return;
    }
    const shown = [text, ...message.others.map((other) => other.text)].filter((part) => part !== "").join("\n");
    this.reading.writer.addItem(
      turn,
      plainResult(shown, [raw], { author, callItem: call?.item.id ?? null, callId, ...facts }),
    );
    turn.sourceSteps.push({ convention: "message", step: String(index) });
    if (directory === null) return;
    turn.state = { when: "after", workingDirectory: directory, openFile: null, cumulativeDiff: null };
  }

  private context(
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    index: number,
    raw: RawSpan,
    text: string,
  ): void {
    const step = { convention: "message", step: String(index) };
    const known = this.contexts.get(text);
    if (known !== undefined && text !== "") {
      this.noteRepetition(raw);
      known.raw.push(raw);
      known.sourceSteps.push(step);
      return;
    }
    const given = { contextKind, author, sourceSteps: [step], raw: [raw], text };
    this.contexts.set(text, this.reading.writer.addContext(given));
  }

  private addUnknown(role: string, value: JsonValue, index: number, raw: RawSpan): void {
    const named = role === "" ? "none" : role.slice(0, 40);
    const message = `Messages of a role that is not known, such as ${named}`;
    this.reading.notes.add("message_not_understood", "not_understood", message, raw);
    this.context("opaque", HARNESS, index, raw, JSON.stringify(value));
  }

  private noteUnread(message: Message, raw: RawSpan): void {
    for (const key of message.unread) {
      const note = `Fields of messages that stay in the raw record, such as \`${key.slice(0, 40)}\``;
      this.reading.notes.add("fields_not_shown", "information", note, raw);
    }
  }
}

/** How much of the first messages says whose prompts they are. */
const SAID_CHARS = 4_000;

/** The command in a block of code, where the harness ran it: an answer says that. */
function fenced(message: Message, next: JsonValue | undefined): { words: string; calls: Call[] } {
  const answer = next === undefined ? null : readMessage(next);
  const isAnswered = answer?.role === "user" && isObservation(answer.text);
  const found = isAnswered ? fencedCommand(message.text) : null;
  if (found === null) return { words: message.text, calls: [] };
  const action = found.command.trim();
  return { words: found.words, calls: [{ tool: toolOf(action), id: null, arguments: null, text: action }] };
}
