import type { Agent, CallItem, ContextItem, RawSpan, Turn, Usage } from "@/lib/trajectory/schema";
import { AGENT, EntryWriter, HARNESS, type NewItem, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import type { JsonObject, JsonValue } from "../../safe-json";
import { CallBook, type CallKeys, type OpenCall } from "./call-book";
import type { BrokenRecord, EventRecord } from "./event-record";
import { TextReader } from "./pictures";
import { callKindOf } from "./tools";

/** A response of the model that an event came out of. */
export interface Response {
  /** Null when it has no identifier: the event is a turn of its own. */
  id: string | null;
  model: string | null;
  usage: Usage | null;
}
export const NO_RESPONSE: Response = { id: null, model: null, usage: null };

/** An agent that works at the moment: the main one, or one that another has delegated to. */
interface Working {
  id: string;
  startedByTurn: number | null;
  task: string | null;
  /** Its last turn, and the response that it is of. */
  turn: Turn | null;
  response: string | null;
  hasBeenAsked: boolean;
}

/** Writes the events of a run as turns and context, whatever version they are of. */
export class RunWriter {
  readonly writer = new EntryWriter();
  readonly texts: TextReader;
  readonly agents: Agent[];
  readonly models = new Set<string>();
  /** The first words of a person to the main agent. */
  task: ContextItem | null = null;
  version: string | null = null;
  /** The identifiers of actions that were no agent's: what answers them is none of its results. */
  readonly ofOthers = new Set<string | number>();
  /** How the run ended, in its own words. */
  ending: string | null = null;
  /** Whether the main agent called its work finished. */
  hasFinished = false;
  /** The last record of metrics that the events state: each counts all so far. */
  metrics: JsonValue | undefined;
  /** The first and the last time that an event states. */
  times: { first: string; last: string } | null = null;
  private readonly book = new CallBook();
  private readonly working: [Working, ...Working[]];
  private readonly counted = new Set<string>();
  private readonly responses = new Map<Turn, string>();
  private metadata: ContextItem | null = null;
  private lastCall: OpenCall | null = null;
  /** The places of what was added last. */
  private lastRaw: RawSpan[] | null = null;

  constructor(
    agentName: string,
    readonly notes: NoteBook,
  ) {
    this.texts = new TextReader(notes);
    this.agents = [{ id: "main", name: agentName, startedByTurn: null }];
    this.working = [{ id: "main", startedByTurn: null, task: null, turn: null, response: null, hasBeenAsked: false }];
  }

  /** How many delegations the work is inside of. */
  get depth(): number {
    return this.working.length - 1;
  }

  /** The turn that an event of the agent belongs to: the last one while it is of the same response, else a new one. */
  turnOf(record: EventRecord, response: Response, at: string | null): Turn {
    const agent = this.current();
    if (agent.turn !== null && response.id !== null && agent.response === response.id) {
      agent.turn.sourceSteps.push(...stepsOf(record));
      return agent.turn;
    }
    const turn = this.writer.addTurn({
      agent: agent.id,
      sourceSteps: stepsOf(record),
      parentTurn: agent.startedByTurn,
      model: response.model,
      startedAt: at,
      endedAt: at,
    });
    if (response.model !== null) this.models.add(response.model);
    const isNew = response.id === null || !this.counted.has(response.id);
    if (isNew) turn.usage = response.usage;
    if (response.id !== null) {
      this.counted.add(response.id);
      if (isNew) this.responses.set(turn, response.id);
    }
    agent.turn = turn;
    agent.response = response.id;
    return turn;
  }

  /** Adds what the agent thinks, says or plans; nothing when there are no words. */
  addWords(turn: Turn, record: EventRecord, kind: "thought" | "message" | "plan", text: string): void {
    if (text.trim() === "") return;
    this.item(turn, { kind, author: AGENT, raw: record.raw, text });
  }

  /** Adds what the agent says to a person, also when it has no words: it is what the turn consists of. */
  addMessage(turn: Turn, record: EventRecord, text: string): void {
    this.item(turn, { kind: "message", author: AGENT, raw: record.raw, text });
  }

  /** Adds a call. `keys`: the identifiers by which an observation may name it. */
  addCall(
    turn: Turn,
    record: EventRecord,
    call: { tool: string; callId: string | null; given: JsonObject | null; text: string | null },
    keys: CallKeys,
  ): OpenCall {
    const { tool, callId, given, text } = call;
    const item = this.item(turn, {
      kind: "call",
      author: AGENT,
      raw: record.raw,
      callKind: callKindOf(tool, given),
      tool,
      callId,
      arguments: given,
      text,
    });
    const open: OpenCall = { turn, item, given, depth: this.depth, isAnswered: false };
    this.book.add(open, keys);
    this.lastCall = open;
    this.hasFinished ||= this.depth === 0 && tool === "finish";
    return open;
  }

  /** The call that an observation answers: by its identifiers, or because it stands in a pair with it. */
  callFor(record: EventRecord, keys: CallKeys): OpenCall | undefined {
    const isPaired = record.isAnswer && keys.event === null && keys.call === null;
    return this.book.answer(keys) ?? (isPaired ? (this.lastCall ?? undefined) : undefined);
  }

  /**
   * Adds an observation to the turn of its call. Without one it goes to the last turn of the agent at work, as a result
   * without a call; before any turn it is context.
   */
  addResult(
    record: EventRecord,
    call: OpenCall | undefined,
    text: string,
    more: Parameters<typeof plainResult>[2],
    time: string | null,
    directory: string | null = null,
  ): void {
    const turn = call?.turn ?? this.current().turn;
    if (turn === null) {
      this.addContext(record, "injected", HARNESS, text);
      return;
    }
    if (!call) {
      const message = "Observations of which the action cannot be told; kept as results without a call";
      this.notes.add("result_without_call", "information", message, record.at);
    }
    const item: CallItem | null = call?.item ?? null;
    this.item(
      turn,
      plainResult(text, record.raw, { callItem: item?.id ?? null, callId: item?.callId ?? null, ...more }),
    );
    turn.sourceSteps.push(...stepsOf(record));
    turn.endedAt = time ?? turn.endedAt;
    if (directory !== null) {
      turn.state = { when: "after", workingDirectory: directory, openFile: null, cumulativeDiff: null };
    }
  }

  /** Gives the place of an observation of nothing to what it answers; false when that cannot be told. */
  joinAnswered(record: EventRecord, call: OpenCall | undefined): boolean {
    const raw = call?.item.raw ?? (record.isAnswer ? this.lastRaw : null);
    if (raw === null) return false;
    raw.push(record.at);
    record.raw = raw;
    return true;
  }

  /** Adds what stands between turns. */
  addContext(
    record: Pick<EventRecord, "raw" | "step">,
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    text: string,
  ): ContextItem {
    this.metadata = null;
    this.lastRaw = record.raw;
    return this.writer.addContext({ contextKind, author, sourceSteps: [record.step], raw: record.raw, text });
  }

  /** Adds what an evaluation gave the agent to do, where no message of the run says it. */
  addInstruction(at: RawSpan, text: string): void {
    this.working[0].hasBeenAsked = true;
    const given = { contextKind: "task" as const, author: PERSON, sourceSteps: [], raw: [at], text };
    this.task = this.writer.addContext(given);
  }

  /** Adds words of a person: the task when they are the first to an agent. */
  addPerson(record: EventRecord, text: string): void {
    const agent = this.current();
    const isFirst = !agent.hasBeenAsked;
    agent.hasBeenAsked = true;
    const isHandedOn = this.depth > 0 && agent.task !== null && text.includes(agent.task);
    const entry = this.addContext(record, isFirst ? "task" : "person", isHandedOn ? AGENT : PERSON, text);
    if (this.depth === 0 && isFirst) this.task = entry;
  }

  /** Adds a record of the run's own books; those that follow each other are one item. */
  addMetadata(record: EventRecord, text: string): void {
    if (this.metadata !== null && this.writer.entries.at(-1) === this.metadata) {
      this.metadata.text += `\n${text}`;
      this.metadata.raw.push(...record.raw);
      record.raw = this.metadata.raw;
      this.metadata.sourceSteps.push(record.step);
      return;
    }
    this.metadata = this.writer.addContext({
      contextKind: "metadata",
      author: HARNESS,
      sourceSteps: [record.step],
      raw: record.raw,
      text,
    });
  }

  /** Adds what is not understood as it stands. */
  addOpaque(record: EventRecord | BrokenRecord, what: string, text: string): void {
    const [code, things] = "why" in record ? ["line_not_understood", "Lines"] : ["event_not_understood", "Events"];
    const message = `${things} that are not understood, such as ${what}; kept as they stand`;
    this.notes.add(code, "not_understood", message, record.at);
    this.addContext(record, "opaque", HARNESS, text);
  }

  /** What an agent starts with its call is the work of another one from here on. */
  startAgent(call: OpenCall, name: string, task: string | null): void {
    const id = `sub-agent ${this.agents.length}`;
    this.agents.push({ id, name, startedByTurn: call.turn.index });
    const startedByTurn = call.turn.index;
    this.working.push({ id, startedByTurn, task, turn: null, response: null, hasBeenAsked: false });
  }

  /** The agents that were started by a call of this depth have ended. */
  endAgents(depth: number): void {
    this.working.length = Math.max(1, Math.min(this.working.length, depth + 1));
  }

  noteTime(at: string | null): void {
    if (at === null) return;
    this.times ??= { first: at, last: at };
    this.times.last = at;
  }

  /** Gives turns the tokens that are counted elsewhere, by the response that they are of. */
  countTokens(byResponse: ReadonlyMap<string, Usage>): void {
    for (const [turn, id] of this.responses) turn.usage ??= byResponse.get(id) ?? null;
  }

  private current(): Working {
    return this.working.at(-1) ?? this.working[0];
  }

  private item<T extends NewItem>(turn: Turn, given: T): T & { id: string; arrival: number } {
    this.lastRaw = given.raw;
    return this.writer.addItem(turn, given);
  }
}

/** The place of an event in the list, and its own number where it has one. */
function stepsOf({ step, value }: EventRecord): { convention: string; step: string }[] {
  const id = typeof value === "object" && value !== null && !Array.isArray(value) ? value.id : null;
  return typeof id === "number" && Number.isSafeInteger(id) ? [step, { convention: "id", step: String(id) }] : [step];
}
