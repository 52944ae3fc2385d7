import type { Agent, ContextItem, Item, Turn } from "@/lib/trajectory/schema";
import { codeOutcome } from "../../code-blocks";
import { addCodeRun, type WaitingCode } from "../../code-runs";
import { AGENT, EntryWriter, HARNESS, type NewItem, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, member, storable, stringMember } from "../../safe-json";
import { CallBook } from "./call-book";
import type { ContentText } from "./content-text";
import { blocksOf, executionOf, type TeamEvent } from "./events";
import { isAutoReply, isExecutorName, isPersonName } from "./names";
import { callKindOf, readArguments } from "./tools";

/** What an agent has said last, and what its turn still waits for. */
interface Speaking {
  turn: Turn;
  /** True while only thoughts are said: what comes next is of the same answer of the model. */
  isThinking: boolean;
  answers: Item[];
}

/** Writes messages and events of AutoGen 0.4 and later as turns and context. */
export class TeamWriter {
  readonly writer = new EntryWriter();
  readonly agents: Agent[] = [];
  task: ContextItem | null = null;
  private readonly book = new CallBook();
  private readonly speaking = new Map<string, Speaking>();
  private readonly chunks = new Map<string, TeamEvent[]>();
  private waiting: WaitingCode | null = null;

  constructor(
    private readonly texts: ContentText,
    private readonly notes: NoteBook,
  ) {}

  /** Adds the next event. */
  add(event: TeamEvent): void {
    switch (event.type) {
      case "SystemMessage":
        this.context(event, "system", { role: "harness", name: event.source || null });
        return;
      case "ThoughtEvent":
        this.say(event, "thought", true);
        return;
      case "ModelClientStreamingChunkEvent":
        this.addChunk(event);
        return;
      case "ToolCallRequestEvent":
        this.addCalls(event);
        return;
      case "ToolCallExecutionEvent":
        this.addAnswers(event);
        return;
      case "ToolCallSummaryMessage":
        this.addSummary(event);
        return;
      case "HandoffMessage":
        this.addHandoff(event);
        return;
      case "CodeExecutionEvent":
        this.addRun(event, executionOf(event));
        return;
      case "UserInputRequestedEvent":
      case "SelectSpeakerEvent":
      case "SelectorEvent":
        this.context(event, "metadata", { role: "harness", name: event.source });
        return;
      case "MemoryQueryEvent":
        this.context(event, "injected", { role: "harness", name: event.source });
        return;
      default:
        this.addMessage(event);
    }
  }

  /** Adds a record that is no event. */
  addOpaque(event: TeamEvent, code: string, text: string): void {
    this.notes.add(code, "not_understood", "Records that are not understood; kept as they stand", event.raw[0] ?? null);
    this.context(event, "opaque", HARNESS, text);
  }

  /** Gives the pieces of streamed answers that no message repeats a place of their own. Call it once, at the end. */
  endChunks(): void {
    for (const source of [...this.chunks.keys()]) this.flushChunks(source, null);
  }

  private addMessage(event: TeamEvent): void {
    const { source, type } = event;
    const text = this.textOf(event);
    if (!/(?:Message|Event)(?:\[\w+\])?$/.test(type) && type !== "") {
      this.addOpaque(event, "event_not_understood", json(event.value));
      return;
    }
    const outcome = codeOutcome(text);
    const runs = isExecutorName(source) && !isAutoReply(text) ? { exitCode: null, output: text } : null;
    const run = outcome ?? runs;
    if (isPersonName(source)) this.addPerson(event, text);
    else if (run !== null && this.waiting !== null && this.waiting.turn.agent !== source) this.addRun(event, run);
    else if (isExecutorName(source)) this.context(event, "injected", { role: "harness", name: source }, text);
    else {
      const turn = this.say(event, "message", false, text);
      const blocks = blocksOf(event, text);
      if (blocks.length > 0) this.waiting = { turn, blocks, raw: event.raw };
    }
  }

  private addPerson(event: TeamEvent, text: string): void {
    const author = { ...PERSON, name: event.source };
    const entry = this.context(event, this.task === null ? "task" : "person", author, text);
    this.task ??= entry;
  }

  /** Adds words to the turn of the model's answer that they are of. */
  private say(event: TeamEvent, kind: "thought" | "message", isThinking: boolean, text = this.textOf(event)): Turn {
    const { turn } = this.turnFor(event, isThinking);
    this.flushChunks(event.source, text, event.raw);
    this.item(turn, { kind, author: AGENT, raw: event.raw, text });
    return turn;
  }

  private addCalls(event: TeamEvent): void {
    const calls = Array.isArray(event.content) ? event.content : [];
    if (calls.length === 0) {
      this.addOpaque(event, "event_not_understood", json(event.value));
      return;
    }
    const { turn } = this.turnFor(event, false);
    this.flushChunks(event.source, null);
    for (const call of calls) {
      const tool = stringMember(call, "name") ?? "function";
      const given = readArguments(member(call, "arguments"));
      const item = this.item(turn, {
        kind: "call",
        author: AGENT,
        raw: event.raw,
        callKind: callKindOf(tool, given.arguments),
        tool,
        callId: stringMember(call, "id"),
        ...given,
        text: given.text ?? (isObject(call) ? null : json(call)),
      });
      this.book.add({ turn, item });
    }
  }

  private addAnswers(event: TeamEvent): void {
    const answers = Array.isArray(event.content) ? event.content : [];
    const speaking = this.speaking.get(event.source);
    if (answers.length === 0) {
      this.addOpaque(event, "event_not_understood", json(event.value));
      return;
    }
    for (const answer of answers) {
      const id = stringMember(answer, "call_id");
      const text = typeof answer === "string" ? answer : this.texts.of(member(answer, "content"), at(event));
      const call = this.book.answer(id, stringMember(answer, "name"));
      const turn = call?.turn ?? speaking?.turn;
      if (turn === undefined) {
        this.context(event, "injected", HARNESS, text);
        continue;
      }
      if (call === null) {
        const words = "Answers of tools that no message called; kept as results without a call";
        this.notes.add("result_without_call", "information", words, at(event));
      }
      const failed = member(answer, "is_error");
      const name = call?.item.tool ?? stringMember(answer, "name");
      const base = { author: { role: "tool" as const, name }, callItem: call?.item.id ?? null, callId: id };
      const isError = typeof failed === "boolean" ? failed : null;
      const item = this.item(turn, plainResult(text, event.raw, { ...base, isError }));
      this.count(turn, event);
      this.speaking.get(turn.agent)?.answers.push(item);
    }
  }

  /** What the framework makes of the answers: most often they themselves, one below the other. */
  private addSummary(event: TeamEvent): void {
    const speaking = this.speaking.get(event.source);
    const text = this.textOf(event);
    const last = speaking?.answers.at(-1);
    const said = (speaking?.answers ?? []).flatMap((item) => (item.kind === "result" ? [item.text] : [])).join("\n");
    if (speaking !== undefined && last !== undefined && said === text) {
      last.raw.push(...event.raw);
      this.count(speaking.turn, event);
    } else if (speaking !== undefined && last !== undefined) {
      this.item(speaking.turn, { kind: "message", author: AGENT, raw: event.raw, text });
      this.count(speaking.turn, event);
    } else this.say(event, "message", false, text);
  }

  private addHandoff(event: TeamEvent): void {
    const target = stringMember(event.value, "target");
    const text = this.textOf(event) || `${event.source} hands over to ${target ?? "somebody"}`;
    if (isPersonName(event.source)) {
      this.addPerson(event, text);
      return;
    }
    const speaking = this.speaking.get(event.source);
    const turn =
      speaking !== undefined && speaking.answers.length > 0 ? speaking.turn : this.turnFor(event, false).turn;
    this.item(turn, { kind: "handoff", author: AGENT, raw: event.raw, text });
    this.count(turn, event);
  }

  private addRun(event: TeamEvent, outcome: { exitCode: number | null; output: string }): void {
    const { waiting } = this;
    if (waiting === null) {
      this.context(event, "injected", { role: "harness", name: event.source }, outcome.output || this.textOf(event));
      return;
    }
    addCodeRun(this.writer, waiting, outcome, event.source, event.raw);
    this.count(waiting.turn, event);
  }

  private addChunk(event: TeamEvent): void {
    const known = this.chunks.get(event.source);
    if (known) known.push(event);
    else this.chunks.set(event.source, [event]);
  }

  /** The pieces of a streamed answer belong to the message that says all of it; without one they are context. */
  private flushChunks(source: string, text: string | null, raw: TeamEvent["raw"] = []): void {
    const chunks = this.chunks.get(source);
    if (chunks === undefined) return;
    this.chunks.delete(source);
    const said = chunks.map((chunk) => this.textOf(chunk)).join("");
    if (said === text) raw.push(...chunks.flatMap((chunk) => chunk.raw));
    else {
      const steps = chunks.flatMap((chunk) => chunk.steps);
      const all = chunks.flatMap((chunk) => chunk.raw);
      const author = { role: "harness" as const, name: source };
      this.writer.addContext({ contextKind: "metadata", author, sourceSteps: steps, raw: all, text: said });
    }
  }

  /** The turn of the model's answer that an event is of: the one that has only thought so far, else a new one. */
  private turnFor(event: TeamEvent, isThinking: boolean): Speaking {
    const known = this.speaking.get(event.source);
    if (known?.isThinking) {
      known.isThinking = isThinking;
      this.count(known.turn, event);
      return known;
    }
    const agent = this.agentNamed(event.source);
    const given = { agent, sourceSteps: [], usage: event.usage, startedAt: event.at, endedAt: event.at };
    const turn = this.writer.addTurn(given);
    this.count(turn, event);
    const speaking: Speaking = { turn, isThinking, answers: [] };
    this.speaking.set(event.source, speaking);
    return speaking;
  }

  private count(turn: Turn, event: TeamEvent): void {
    for (const step of event.steps) if (!turn.sourceSteps.includes(step)) turn.sourceSteps.push(step);
    turn.endedAt = event.at ?? turn.endedAt;
    turn.usage ??= event.usage;
  }

  private agentNamed(source: string): string {
    const name = source.trim() === "" ? "assistant" : source;
    if (!this.agents.some(({ id }) => id === name)) this.agents.push({ id: name, name, startedByTurn: null });
    return name;
  }

  private item<T extends NewItem>(turn: Turn, given: T): T & { id: string; arrival: number } {
    return this.writer.addItem(turn, given);
  }

  private textOf(event: TeamEvent): string {
    return this.texts.of(event.content, at(event));
  }

  private context(
    event: TeamEvent,
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    text = this.textOf(event),
  ): ContextItem {
    return this.writer.addContext({ contextKind, author, sourceSteps: event.steps, raw: event.raw, text });
  }
}

function at(event: TeamEvent): TeamEvent["raw"][number] {
  return event.raw[0] ?? { line: null, pointer: null, start: null, end: null };
}

function json(value: JsonObject | TeamEvent["content"]): string {
  return storable(JSON.stringify(value ?? null, null, 2));
}
