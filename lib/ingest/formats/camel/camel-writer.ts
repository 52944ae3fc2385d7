import type { Agent, CallKind, ContextItem, Item, RawSpan, Turn } from "@/lib/trajectory/schema";
import { AGENT, EntryWriter, HARNESS, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import type { CamelPiece } from "./pieces";
import { ending, isInstruction, taskIn } from "./rules";

type Speech = Extract<CamelPiece, { kind: "speech" }>;
type Answer = Extract<CamelPiece, { kind: "answer" }>;

/** A message that was written once, with the places of it so far. */
interface Written {
  turn: Turn;
  raw: RawSpan[];
}

/** Calls of one identifier in their order, and the first of them that waits. */
interface Waiting {
  calls: { turn: Turn; id: string }[];
  next: number;
}

const KINDS: [RegExp, CallKind][] = [
  [/^search|^find|browse|google|wiki/, "search"],
  [/shell|terminal|execute|^run_|bash|python/, "execute"],
  [/write|create|edit|save|append|replace/, "write"],
  [/read|view|extract|list|^get_|document/, "read"],
];

/** Writes records of CAMEL as turns and context. */
export class CamelWriter {
  readonly writer = new EntryWriter();
  readonly agents: Agent[] = [];
  statement: string | null = null;
  exitStatus: string | null = null;
  private lastTurn: Turn | null = null;
  /** True while the last turn only calls: a call that follows is parallel. Behind words or an answer it is the next turn. */
  private isCalling = false;
  private readonly written = new Map<string, Written[]>();
  /** How often a memory has said each message. */
  private readonly said = new Map<string, number>();
  private readonly calls = new Map<string, Waiting>();

  constructor(private readonly notes: NoteBook) {}

  /** Adds the next record. */
  add(piece: CamelPiece): void {
    const { kind } = piece;
    if (kind === "speech") this.addSpeech(piece);
    else if (kind === "answer") this.addAnswer(piece);
    else if (kind === "person") {
      const isFirst = this.statement === null && this.writer.turnCount === 0;
      this.statement ??= piece.text;
      this.context(piece, isFirst ? "task" : "person", { ...PERSON, name: piece.name }, piece.text);
    } else if (kind === "prompt") {
      this.statement ??= piece.of === "system" ? taskIn(piece.text) : null;
      this.context(piece, piece.of, { role: "harness", name: piece.name }, piece.text);
    } else {
      const message = "Records that are not understood; kept as they stand";
      this.notes.add(piece.code, "not_understood", message, piece.origin.raw);
      this.context(piece, "opaque", HARNESS, piece.text);
    }
  }

  private addSpeech(piece: Speech): void {
    const { name, text, thought, calls, origin } = piece;
    if (this.joinWritten(piece)) return;
    const raw = [origin.raw];
    const isParallel = calls.length > 0 && text === "" && this.lastTurn?.agent === name && this.isCalling;
    const turn = isParallel && this.lastTurn !== null ? this.lastTurn : this.begin(piece);
    if (!turn.sourceSteps.includes(origin.step)) turn.sourceSteps.push(origin.step);
    if (thought.trim() !== "") this.writer.addItem(turn, { kind: "thought", author: AGENT, raw, text: thought });
    if (text !== "" || calls.length === 0) {
      const kind = isInstruction(text) ? "handoff" : "message";
      this.writer.addItem(turn, { kind, author: AGENT, raw, text });
    }
    for (const { id, tool, arguments: given, text: written } of calls) {
      const callKind = KINDS.find(([pattern]) => pattern.test(tool.toLowerCase()))?.[1] ?? "other";
      const base = { kind: "call" as const, author: AGENT, raw, callKind, tool, callId: id };
      const item = this.writer.addItem(turn, { ...base, arguments: given, text: written });
      this.waitFor(turn, item, id ?? `tool ${tool}`);
    }
    this.isCalling = calls.length > 0;
    if (calls.length === 0) this.remember(piece, { turn, raw });
    this.exitStatus = ending(text) ?? this.exitStatus;
  }

  private begin({ name, origin }: Speech): Turn {
    if (!this.agents.some(({ id }) => id === name)) this.agents.push({ id: name, name, startedByTurn: null });
    const given = { agent: name, sourceSteps: [], startedAt: origin.at, endedAt: origin.at };
    this.lastTurn = this.writer.addTurn(given);
    return this.lastTurn;
  }

  /** The same words of the same agent in another one's memory are the same message: the first time the first, and so on. */
  private joinWritten(piece: Speech): boolean {
    const { name, text, memory, calls, origin } = piece;
    if (memory === null || calls.length > 0) return false;
    const own = JSON.stringify([name, text, memory]);
    const time = this.said.get(own) ?? 0;
    this.said.set(own, time + 1);
    const known = this.written.get(JSON.stringify([name, text]))?.[time];
    if (known === undefined) return false;
    known.raw.push(origin.raw);
    known.turn.sourceSteps.push(origin.step);
    return true;
  }

  private remember({ name, text, memory }: Speech, written: Written): void {
    if (memory === null) return;
    const key = JSON.stringify([name, text]);
    const known = this.written.get(key);
    if (known) known.push(written);
    else this.written.set(key, [written]);
  }

  private waitFor(turn: Turn, item: Item, key: string): void {
    const known = this.calls.get(key);
    if (known) known.calls.push({ turn, id: item.id });
    else this.calls.set(key, { calls: [{ turn, id: item.id }], next: 0 });
  }

  /** The call that an answer is to: the first of its identifier that waits, else the last of it. */
  private calledWith(key: string): { turn: Turn; id: string } | undefined {
    const known = this.calls.get(key);
    return known?.calls[known.next++] ?? known?.calls.at(-1);
  }

  private addAnswer(piece: Answer): void {
    const { id, tool, text, origin } = piece;
    const call = this.calledWith(id ?? `tool ${tool}`);
    const turn = call?.turn ?? this.lastTurn;
    if (turn === null) {
      this.context(piece, "injected", HARNESS, text);
      return;
    }
    if (call === undefined) {
      const words = "Answers of tools that no record called; kept as results without a call";
      this.notes.add("result_without_call", "information", words, origin.raw);
    }
    const author = { role: "tool" as const, name: tool };
    this.writer.addItem(turn, plainResult(text, [origin.raw], { author, callItem: call?.id ?? null, callId: id }));
    if (!turn.sourceSteps.includes(origin.step)) turn.sourceSteps.push(origin.step);
    turn.endedAt = origin.at ?? turn.endedAt;
    this.isCalling = false;
  }

  private context(
    piece: CamelPiece,
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    text: string,
  ): void {
    const { raw, step } = piece.origin;
    this.writer.addContext({ contextKind, author, sourceSteps: [step], raw: [raw], text });
  }
}
