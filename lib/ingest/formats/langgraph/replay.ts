import type { RawSpan } from "@/lib/trajectory/schema";
import { type LangChainMessage, messageKey, readMessage } from "../../langchain/message";
import { isObject, type JsonObject, type JsonValue, member } from "../../safe-json";
import type { ChannelValues, ChannelWrite, Checkpoint } from "./checkpoint";
import { changesBetween, type FileChange, type FileTexts, readFiles, updateFiles } from "./files";

/** A message of a run, at its place in the conversation. */
export interface MessageRecord {
  message: LangChainMessage;
  raw: RawSpan[];
  /** The checkpoint at which it was first seen. */
  seen: Checkpoint;
  /** True when that is the first state of all: when it came before it is not known. */
  isFirst: boolean;
  /** What became of it when it is not on the path that the run ended on. */
  branch: string | null;
}

/** Files that changed on the way to a checkpoint, or by what was written after the last one. */
export interface FileStep {
  seen: Checkpoint;
  /** True for the first state: what was there before it is not known. */
  isFirst: boolean;
  /** True before any agent has said anything: the files were given. */
  isGiven: boolean;
  changes: FileChange[];
}

/** Values of channels that were not read, with the reason. */
export interface Unreadable {
  at: RawSpan;
  why: string;
}

const REMOVED = "removed";
/** The branch of messages in whose place others of the same id came. */
export const REPLACED = "replaced";
const REMOVE_ALL = "__remove_all__";

/** What the checkpoints of one path hold, each message once, in the order of the conversation. */
export class Replay {
  readonly records: MessageRecord[] = [];
  readonly fileSteps: FileStep[] = [];
  readonly unreadable: Unreadable[] = [];
  /** Messages that were taken out of the state while later ones stayed: trimmed, not taken back. */
  readonly trimmed: MessageRecord[] = [];
  /** What else a checkpoint holds that the one before did not. */
  readonly others = new Map<Checkpoint, JsonObject>();
  private current: MessageRecord[] = [];
  private readonly known = new Map<string, MessageRecord>();
  private readonly own = new Set<MessageRecord>();
  private readonly channels = new Map<string, string>();
  private pending: ChannelWrite[] = [];
  private files: FileTexts = new Map();
  private isFirst = false;
  private readonly held = new Set<string>();

  /**
   * @param branch the name of all that is new on a path that was left behind, null on the path to the end
   * @param before what holds messages that are not shown again: the path that was forked, or the graph around this one
   */
  constructor(
    checkpoints: readonly Checkpoint[],
    private readonly branch: string | null,
    private readonly before: Replay | null = null,
  ) {
    checkpoints.forEach((checkpoint, n) => {
      const found = checkpoint.read();
      this.isFirst = n === 0 && before === null;
      if ("why" in found) this.unreadable.push({ at: checkpoint.at, why: found.why });
      else this.readValues(checkpoint, found, n === 0);
      this.pending.push(...checkpoint.writes);
    });
    const last = checkpoints.at(-1);
    // What nothing follows is only in what was written: it is a state of its own.
    this.isFirst = false;
    if (last !== undefined) this.applyPending({ ...last });
  }

  private find(key: string): MessageRecord | undefined {
    return this.known.get(key) ?? this.before?.find(key);
  }

  /** Whether the last state of this path holds a file with this text. */
  holdsFile(path: string, text: string | null): boolean {
    return text !== null && this.files.get(path) === text;
  }

  /** Whether what this path comes from, or runs inside of, held a file with this text at any time. */
  inheritsFile({ path, after }: FileChange): boolean {
    const { before } = this;
    return (
      before !== null && (before.held.has(`${path}\n${after}`) || before.inheritsFile({ path, before: null, after }))
    );
  }

  private readValues(checkpoint: Checkpoint, found: ChannelValues, isFirst: boolean): void {
    const { values, rest, messageAt } = found;
    const list = member(values, "messages");
    if (Array.isArray(list)) {
      this.become(
        list.map((value, n) => ({ message: asMessage(value), raw: messageAt(n) })),
        checkpoint,
      );
      this.settlePending(checkpoint);
    } else this.applyPending(checkpoint);
    const files = member(values, "files");
    if (files !== undefined) this.changeFiles(readFiles(files), checkpoint, isFirst);
    this.keepOthers(checkpoint, { ...values, ...rest });
  }

  /** What was written before a checkpoint with messages is in them, in the order that counts, or was taken out again. */
  private settlePending(checkpoint: Checkpoint): void {
    if (this.pending.length === 0) return;
    const fresh = new Map<string, MessageRecord>();
    for (const record of this.current) if (record.seen === checkpoint) fresh.set(said(record.message), record);
    for (const { channel, value, at } of this.pending) {
      if (channel !== "messages" || overwriting(value) !== null) continue;
      for (const { message, raw } of messagesIn(value, at)) {
        if (message.kind === "remove") continue;
        // A message is often written without an id, and gets one on its way into the state.
        const known = message.id === null ? fresh.get(said(message)) : this.find(messageKey(message));
        if (known !== undefined && sayTheSame(known.message, message)) {
          if (this.own.has(known) && known.raw.length < RAW_MAX) known.raw.push(raw);
        } else {
          const branch = this.branch ?? (known === undefined ? REMOVED : REPLACED);
          const record = { message, raw: [raw], seen: checkpoint, isFirst: false, branch };
          this.insert(record, known ?? this.current.at(-1) ?? null);
          if (known === undefined) this.known.set(messageKey(message), record);
        }
      }
    }
    this.pending = [];
  }

  private applyPending(seen: Checkpoint): void {
    for (const { channel, value, at } of this.pending) {
      if (channel === "messages") this.writeMessages(value, at, seen);
      else if (channel === "files") this.changeFiles(updateFiles(this.files, value), seen, false);
    }
    this.pending = [];
  }

  /** The reducer `add_messages`: the same id replaces, `RemoveMessage` takes out, `Overwrite` begins anew. */
  private writeMessages(value: JsonValue, at: RawSpan, seen: Checkpoint): void {
    const fresh = overwriting(value);
    let next: Placed[] = fresh === null ? this.current.map(({ message, raw }) => ({ message, raw: raw[0] ?? at })) : [];
    for (const placed of messagesIn(fresh ?? value, at)) {
      const { message } = placed;
      if (message.kind !== "remove") {
        const n = message.id === null ? -1 : next.findIndex((one) => one.message.id === message.id);
        if (n === -1) next.push(placed);
        else next[n] = placed;
      } else if (message.id === REMOVE_ALL) next = [];
      else next = next.filter((one) => one.message.id !== message.id);
    }
    this.become(next, seen);
  }

  /** Goes on to another list of messages: new ones get their place, changed ones a record beside the old one. */
  private become(next: Placed[], seen: Checkpoint): void {
    const stays = new Set<MessageRecord>();
    const current: MessageRecord[] = [];
    let isSummarised = false;
    const staying = new Set<MessageRecord | undefined>();
    const named = keyed(next);
    for (const [key] of named) staying.add(this.find(key));
    for (const [key, { message, raw }] of named) {
      const known = this.find(key);
      let record: MessageRecord;
      if (known !== undefined && sayTheSame(known.message, message)) {
        record = known;
        // A message that was taken out and put back is on the path again.
        if (this.own.has(record)) record.branch = this.branch;
      } else {
        record = { message, raw: [raw], seen, isFirst: this.isFirst, branch: this.branch };
        isSummarised ||= message.isSummary;
        this.insert(record, known ?? current.at(-1) ?? null, staying);
        this.known.set(key, record);
        if (known !== undefined) {
          stays.add(known);
          if (this.own.has(known)) known.branch ??= REPLACED;
        }
      }
      stays.add(record);
      current.push(record);
    }
    let isBehind = false;
    for (const record of this.current.toReversed()) {
      if (stays.has(record)) isBehind = true;
      else if (isBehind || isSummarised) this.trimmed.push(record);
      else if (this.own.has(record)) record.branch ??= REMOVED;
    }
    this.current = current;
  }

  /** Puts a record behind another one and behind what was taken out after that: it was said before. */
  private insert(record: MessageRecord, after: MessageRecord | null, staying?: ReadonlySet<unknown>): void {
    this.own.add(record);
    // Nearly always the end.
    let at = after === null || after === this.records.at(-1) ? -1 : this.records.lastIndexOf(after);
    if (staying?.has(after))
      while (at !== -1 && at + 1 < this.records.length && !staying.has(this.records[at + 1])) at++;
    if (at === -1) this.records.push(record);
    else this.records.splice(at + 1, 0, record);
  }

  private changeFiles(next: FileTexts, seen: Checkpoint, isFirst: boolean): void {
    const changes = changesBetween(this.files, next);
    const isGiven = !this.current.some(({ message }) => message.kind === "ai");
    if (changes.length > 0) this.fileSteps.push({ seen, isFirst, isGiven, changes });
    for (const { path, after } of changes) this.held.add(`${path}\n${after}`);
    this.files = next;
  }

  private keepOthers(checkpoint: Checkpoint, values: JsonObject): void {
    const changed: [string, JsonValue][] = [];
    for (const [channel, value] of Object.entries(values)) {
      if (channel === "messages" || channel === "files") continue;
      const text = JSON.stringify(value);
      if (this.channels.get(channel) !== text) changed.push([channel, withoutMessages(value)]);
      this.channels.set(channel, text);
    }
    if (changed.length > 0) this.others.set(checkpoint, Object.fromEntries(changed));
  }
}

interface Placed {
  message: LangChainMessage;
  raw: RawSpan;
}

/** Places of one message that are kept: where it was first, and the row that wrote it. */
const RAW_MAX = 2;

/** The messages that a write holds: one, or a list. */
function messagesIn(value: JsonValue, at: RawSpan): Placed[] {
  if (!Array.isArray(value)) return [{ message: asMessage(value), raw: at }];
  return value.map((one, n) => ({ message: asMessage(one), raw: { ...at, pointer: `${at.pointer ?? ""}/${n}` } }));
}

/** What a graph was started with holds the first messages again: they are counted. */
export function withoutMessages(value: JsonValue): JsonValue {
  const list = member(value, "messages");
  if (!isObject(value) || !Array.isArray(list)) return value;
  return { ...value, messages: `${list.length} messages` };
}

/** True when two messages say the same, but for their ids. */
function sayTheSame(one: LangChainMessage, other: LangChainMessage): boolean {
  return one === other || said(one) === said(other);
}

/** All that a message says, but for its id. */
function said(message: LangChainMessage): string {
  return `${message.kind}${JSON.stringify({ ...message.fields, id: null })}`;
}

/** Messages by what they are known by; those without an id that say the same are told apart by their number. */
function keyed<T extends { message: LangChainMessage }>(messages: readonly T[]): [string, T][] {
  const counts = new Map<string, number>();
  return messages.map((one) => {
    const key = messageKey(one.message);
    const count = counts.get(key) ?? 0;
    counts.set(key, count + 1);
    return [count === 0 ? key : `${key}~${count}`, one];
  });
}

/** A value of the channel as a message; what is none is kept as one of an unknown kind. */
function asMessage(value: JsonValue): LangChainMessage {
  const read = typeof value === "string" ? readMessage({ type: "human", content: value }) : readMessage(value);
  const fields = isObject(value) ? value : { value };
  const none = {
    id: null,
    name: null,
    calls: [],
    callId: null,
    status: null,
    model: null,
    usage: null,
    reasoning: null,
  };
  return read ?? { kind: "other", ...none, content: value, isSummary: false, fields };
}

/** The messages that an `Overwrite` puts in the place of all others, null for another value. */
function overwriting(value: JsonValue): JsonValue[] | null {
  const held = member(value, "__overwrite__") ?? member(member(value, "kwargs"), "value");
  if (member(value, "__overwrite__") === undefined && member(member(value, "kwargs"), "type") !== "__overwrite__") {
    const { id } = isObject(value) ? value : { id: null };
    if (!Array.isArray(id) || id.at(-1) !== "Overwrite") return null;
  }
  return Array.isArray(held) ? held : [held ?? null];
}
