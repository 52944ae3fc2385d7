import type { Author, ContextItem, Entry, RawSpan, Turn } from "@/lib/trajectory/schema";
import { AGENT, EntryWriter, HARNESS, type NewItem, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { CallBook } from "./calls";
import type { Aside } from "./conversation";
import type { CallPart, Part, Reading, ResultPart } from "./parts";
import { readsIn } from "./reads";
import { isWrittenAsJson, ownFacts, roleOf, timeOf } from "./record-facts";
import type { ChatRecord, ResponseFacts } from "./records";
import { readTime, readUsage } from "./usage";
import { classifyUserText } from "./user-texts";

/** Turns the records of a conversation into entries, in their order. */
export class ChatWriter {
  readonly writer = new EntryWriter();
  readonly models = new Set<string>();
  /** How the last answer says that it ended. */
  stop: string | null = null;
  /** The first and the last time that a record states. */
  times: { first: string; last: string } | null = null;
  private readonly calls = new CallBook();
  private readonly byResponse = new Map<string, Turn>();
  private readonly asides = new Set<string>();
  private readonly task: string[] = [];
  private isTaskComplete = false;
  /** The turn to which the next item of the same answer belongs; null once something else was said. */
  private run: { turn: Turn; hasMessage: boolean; isOfItems: boolean } | null = null;
  private lastTurn: Turn | null = null;
  /** A turn that holds nothing yet. */
  private empty: { turn: Turn; record: ChatRecord; isThought: boolean } | null = null;

  constructor(private readonly notes: NoteBook) {}

  /** The first words of a person, null when nobody said anything. */
  get taskStatement(): string | null {
    return this.task.length === 0 ? null : this.task.join("\n\n");
  }

  /** Adds one message or item. `isItem` when its shape is one of the Responses API. */
  add(record: ChatRecord, reading: Reading, isItem: boolean): void {
    this.noteUnread(record, reading);
    this.noteTime(timeOf(record.value));
    if (reading.speaker === "agent") {
      this.addAgent(record, reading, isItem);
      return;
    }
    this.fillEmpty(null);
    this.run = null;
    if (reading.parts.length === 0) this.context(record, "metadata", HARNESS, JSON.stringify(record.value));
    let saidTask = false;
    for (const part of reading.parts) saidTask = this.addOther(record, reading, part) || saidTask;
    if (saidTask) this.isTaskComplete = true;
  }

  /** Adds something that is neither a message nor an item, or no JSON at all, with its source. */
  addUnknown(raw: RawSpan, step: ChatRecord["step"], what: string, text: string): void {
    const [code, things] = raw.line === null ? ["record_not_understood", "Records"] : ["line_not_understood", "Lines"];
    this.notes.add(code, "not_understood", `${things} that could not be read, such as ${what}`, raw);
    this.writer.addContext({ contextKind: "opaque", author: HARNESS, sourceSteps: [step], raw: [raw], text });
  }

  /** Adds what stands beside the messages; the same again, as every request of a log repeats it, is counted. */
  addAside(aside: Aside): void {
    const key = `${aside.kind} ${aside.text}`;
    if (this.asides.has(key)) {
      const message = "System prompts and settings that repeat an earlier request's; shown once";
      this.notes.add("repeated_settings", "information", message, aside.raw);
      return;
    }
    this.asides.add(key);
    this.fillEmpty(null);
    this.run = null;
    if (aside.kind === "alternative") {
      const message = "Other answers to the same request, which the conversation did not go on with; kept as metadata";
      this.notes.add("other_choice", "information", message, aside.raw);
    }
    const contextKind = aside.kind === "system" ? "system" : "metadata";
    const author = aside.kind === "alternative" ? AGENT : HARNESS;
    this.writer.addContext({ contextKind, author, sourceSteps: [], raw: [aside.raw], text: aside.text });
  }

  /** The entries, once everything was added. */
  finish(): Entry[] {
    this.fillEmpty(null);
    return this.writer.finish();
  }

  private addAgent(record: ChatRecord, reading: Reading, isItem: boolean): void {
    const facts = record.response ?? ownFacts(record.value);
    const turn = this.turnFor(record, reading, facts, isItem);
    const name = reading.name;
    const author = name === null ? AGENT : { role: "agent" as const, name };
    this.fillEmpty(turn);
    for (const part of reading.parts) this.addAgentPart(turn, record, part, author);
    if (turn.items.length === 0) this.empty ??= { turn, record, isThought: reading.parts.length > 0 };
  }

  /** A turn of which nothing but encrypted reasoning or nothing at all is known says so; call it before the next begins. */
  private fillEmpty(next: Turn | null): void {
    if (this.empty === null || this.empty.turn === next) return;
    const { turn, record, isThought } = this.empty;
    this.empty = null;
    if (turn.items.length > 0) return;
    if (!isThought) {
      const message = "Messages of the agent in which nothing is said and nothing called";
      this.notes.add("empty_message", "information", message, record.raw);
    }
    this.writer.addItem(turn, { kind: isThought ? "thought" : "message", author: AGENT, raw: [record.raw], text: "" });
  }

  private turnFor(record: ChatRecord, reading: Reading, facts: ResponseFacts | null, isItem: boolean): Turn {
    const speaks = reading.parts.some((part) => part.kind === "text");
    const known = this.byResponse.get(facts?.key ?? "");
    const { run } = this;
    const joins = run !== null && (isItem ? !(speaks && run.hasMessage) : run.isOfItems && !run.hasMessage);
    const turn = known ?? (joins && run && facts === null ? run.turn : this.newTurn());
    turn.sourceSteps.push(record.step);
    if (facts) this.takeFacts(turn, facts);
    const time = timeOf(record.value) ?? readTime(facts?.time);
    turn.startedAt ??= time;
    turn.endedAt = time ?? turn.endedAt;
    const isSame = run?.turn === turn;
    this.run = {
      turn,
      hasMessage: speaks || (isSame && run.hasMessage),
      isOfItems: isSame ? run.isOfItems : isItem,
    };
    this.lastTurn = turn;
    return turn;
  }

  private newTurn(): Turn {
    return this.writer.addTurn({ agent: "main", sourceSteps: [] });
  }

  private takeFacts(turn: Turn, facts: ResponseFacts): void {
    if (facts.key !== null) this.byResponse.set(facts.key, turn);
    turn.model ??= facts.model;
    if (turn.model !== null) this.models.add(turn.model);
    // Every record of an answer repeats its usage.
    turn.usage ??= readUsage(facts.usage);
    this.stop = facts.stop ?? this.stop;
    this.noteTime(readTime(facts.time));
  }

  private addAgentPart(turn: Turn, record: ChatRecord, part: Part, author: Author): boolean {
    const raw = [record.raw];
    if (part.kind === "thought") {
      if (part.text !== "") return this.item(turn, { kind: "thought", author, raw, text: part.text });
      const message = "Reasoning that the trace holds only in encrypted form, or not at all";
      this.notes.add("empty_thinking", "information", message, record.raw);
      return false;
    }
    if (part.kind === "text") return this.item(turn, { kind: "message", author, raw, text: part.text });
    if (part.kind === "media") {
      this.noteMedia(record.raw);
      return this.item(turn, { kind: "message", author, raw, text: part.text });
    }
    if (part.kind === "call") return this.addCall(turn, record, part);
    if (part.kind === "result") {
      this.addResult(record, part);
      return true;
    }
    this.notes.add(
      "part_not_understood",
      "not_understood",
      `Parts of messages that are not known, such as ${part.what}`,
      record.raw,
    );
    return this.item(turn, { kind: "opaque", author, raw, text: part.text, reason: part.what });
  }

  private addCall(turn: Turn, record: ChatRecord, part: CallPart): boolean {
    const { kind, tool, callKind, callId, text } = part;
    if (part.arguments === null && text !== null && isWrittenAsJson(text)) {
      const message = "Arguments of calls that are not a JSON object; kept as text";
      this.notes.add("arguments_not_json", "information", message, record.raw);
    }
    const item = this.writer.addItem(turn, {
      kind,
      author: AGENT,
      raw: [record.raw],
      callKind,
      tool,
      callId,
      arguments: part.arguments,
      text,
    });
    this.calls.add(turn, item);
    if (part.directory !== null) {
      turn.state ??= { when: "before", workingDirectory: part.directory, openFile: null, cumulativeDiff: null };
    }
    return true;
  }

  /** Adds an answer to the turn of its call; without one, to the last turn, or between turns. */
  private addResult(record: ChatRecord, part: ResultPart): void {
    const open = this.calls.answer(part.callId, part.tool);
    const { text, isError, exitCode, isCut, durationMs, callId } = part;
    const author = { role: "tool" as const, name: open?.item.tool ?? part.tool };
    const reads = open === null || isError === true ? [] : readsIn(open.item, text);
    if (open === null) {
      const message = "Results of which the trace does not hold the call before them";
      this.notes.add("result_without_call", "information", message, record.raw);
    }
    const turn = open?.turn ?? this.lastTurn;
    if (turn === null) {
      this.context(record, "injected", author, text);
      return;
    }
    // Written out: half of all items are results, and spreading their facts took as long as reading them.
    this.item(turn, {
      kind: "result",
      author,
      raw: [record.raw],
      callItem: open?.item.id ?? null,
      callId,
      text,
      isError,
      exitCode,
      isCut,
      durationMs,
      recorded: [],
      reads,
    });
  }

  /** Adds what is not the agent's. Says whether it was the task. */
  private addOther(record: ChatRecord, { speaker, name }: Reading, part: Part): boolean {
    if (part.kind === "result") this.addResult(record, part);
    else if (part.kind === "unknown" || part.kind === "call" || speaker === "unknown") {
      const what =
        part.kind === "unknown"
          ? part.what
          : `\`${roleOf(record.value)}\` that ${part.kind === "call" ? "calls a tool" : "speaks"}`;
      this.notes.add(
        "part_not_understood",
        "not_understood",
        `Parts of messages that are not known, such as ${what}`,
        record.raw,
      );
      this.context(record, "opaque", HARNESS, "text" in part && part.text !== null ? part.text : JSON.stringify(part));
    } else if (speaker === "system" || speaker === "compaction" || speaker === "metadata") {
      this.context(record, speaker, HARNESS, part.text);
    } else {
      if (part.kind === "media") this.noteMedia(record.raw);
      return this.addUserText(record, name, part.text, part.kind === "media");
    }
    return false;
  }

  private addUserText(record: ChatRecord, name: string | null, text: string, isMedia: boolean): boolean {
    const found = classifyUserText(text);
    if (found.kind === "answer") {
      const open = this.calls.answer(null, null);
      const facts = { author: { role: "tool" as const, name: null }, callItem: open?.item.id ?? null };
      const turn = open?.turn ?? this.lastTurn;
      if (turn) this.item(turn, plainResult(found.text, [record.raw], facts));
      else this.context(record, "injected", HARNESS, text);
      return false;
    }
    const isPerson = found.contextKind === "person";
    const isTask = isPerson && !this.isTaskComplete;
    if (isTask && !isMedia) this.task.push(text);
    const author = isPerson && name !== null ? { ...PERSON, name } : found.author;
    this.context(record, isTask ? "task" : found.contextKind, author, text);
    return isTask;
  }

  private context(
    record: ChatRecord,
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    text: string,
  ): void {
    this.writer.addContext({ contextKind, author, sourceSteps: [record.step], raw: [record.raw], text });
  }

  private item(turn: Turn, given: NewItem): boolean {
    this.writer.addItem(turn, given);
    return true;
  }

  private noteMedia(raw: RawSpan): void {
    this.notes.add("picture_not_shown", "information", "Pictures, sounds and documents are named, not shown", raw);
  }

  private noteUnread(record: ChatRecord, { unread }: Reading): void {
    for (const key of unread) {
      const message = `Fields of messages that only the raw record shows, such as \`${key}\``;
      this.notes.add("field_not_shown", "information", message, record.raw);
    }
  }

  private noteTime(time: string | null): void {
    if (time !== null) this.times = { first: this.times?.first ?? time, last: time };
  }
}
