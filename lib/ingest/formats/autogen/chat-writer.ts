import type { Agent, ContextItem, RawSpan, Turn } from "@/lib/trajectory/schema";
import { codeBlocks, codeOutcome } from "../../code-blocks";
import { addCodeRun, type WaitingCode } from "../../code-runs";
import { AGENT, EntryWriter, HARNESS, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { CallBook } from "./call-book";
import { Cast } from "./cast";
import { isAutoReply } from "./names";
import type { ChatMessage, OtherPiece, Piece } from "./pieces";
import { callKindOf } from "./tools";

/** Writes a chat of AutoGen 0.2 as turns and context. */
export class ChatWriter {
  readonly writer = new EntryWriter();
  readonly agents: Agent[] = [];
  /** What the chat was begun with. */
  task: ContextItem | null = null;
  statement: string | null = null;
  private readonly cast: Cast;
  private readonly messages: ChatMessage[];
  private readonly book = new CallBook();
  private lastTurn: Turn | null = null;
  private waiting: WaitingCode | null = null;
  private count = 0;

  constructor(
    pieces: readonly Piece[],
    private readonly notes: NoteBook,
  ) {
    this.messages = pieces.filter((piece) => piece.kind === "message");
    this.cast = new Cast(this.messages);
  }

  /** Adds the next piece. */
  add(piece: Piece): void {
    if (piece.kind === "message") this.addMessage(piece);
    else this.addOther(piece);
  }

  private addOther({ kind, text, raw, step }: OtherPiece): void {
    const contextKind = kind === "opaque" ? "opaque" : "metadata";
    this.writer.addContext({ contextKind, author: HARNESS, sourceSteps: step === null ? [] : [step], raw, text });
  }

  private addMessage(message: ChatMessage): void {
    const isFirst = this.statement === null && message.role !== "system";
    const next = this.messages[++this.count];
    const part = message.reply === undefined ? this.cast.partOf(message) : "agent";
    const isWords = message.calls.length === 0 && message.reply === undefined;
    const outcome = isWords ? codeOutcome(message.text) : null;
    if (message.role === "system") this.context(message, "system", HARNESS, message.text);
    else if (message.answers.length > 0) this.addAnswers(message);
    else if (outcome !== null && this.waiting !== null) this.addRun(message, this.waiting, outcome);
    else if (isFirst && !this.isActing(message, next)) this.addTask(message, part);
    else if (part === "agent" || message.calls.length > 0 || (isFirst && this.isActing(message, next))) {
      this.addSpeech(message);
    } else if (part === "executor" || isAutoReply(message.text)) {
      const author = { role: "harness" as const, name: this.cast.nameOf(message) };
      this.context(message, "injected", author, message.text);
    } else {
      const author = { ...PERSON, name: this.cast.nameOf(message) };
      this.context(message, "person", author, message.text);
    }
    if (isFirst) this.statement ??= message.text;
  }

  /** Whether the first message does something by itself: it is a model's answer, it calls, or somebody runs the code in it. */
  private isActing(message: ChatMessage, next: ChatMessage | undefined): boolean {
    if (message.calls.length > 0 || message.reply !== undefined) return true;
    return next !== undefined && codeOutcome(next.text) !== null && codeBlocks(message.text).length > 0;
  }

  private addTask(message: ChatMessage, part: "agent" | "person" | "executor"): void {
    const name = this.cast.nameOf(message);
    const author = part === "agent" ? { ...AGENT, name } : { ...PERSON, name };
    this.task = this.context(message, "task", author, message.text);
  }

  private addSpeech(message: ChatMessage): void {
    const { text, calls, raw, step, reply } = message;
    const agent = this.agentNamed(this.cast.nameOf(message));
    const turn = this.writer.addTurn({ agent, sourceSteps: [step], ...reply });
    this.lastTurn = turn;
    if (text !== "" || calls.length === 0) this.writer.addItem(turn, { kind: "message", author: AGENT, raw, text });
    for (const { id, tool, arguments: given, text: written } of calls) {
      const item = this.writer.addItem(turn, {
        kind: "call",
        author: AGENT,
        raw,
        callKind: callKindOf(tool, given),
        tool,
        callId: id,
        arguments: given,
        text: written,
      });
      this.book.add({ turn, item });
    }
    const blocks = codeBlocks(text);
    if (blocks.length > 0) this.waiting = { turn, blocks, raw };
  }

  private addRun(
    message: ChatMessage,
    waiting: WaitingCode,
    outcome: { exitCode: number | null; output: string },
  ): void {
    addCodeRun(this.writer, waiting, outcome, this.cast.nameOf(message), message.raw);
    waiting.turn.sourceSteps.push(message.step);
  }

  private addAnswers(message: ChatMessage): void {
    const { answers, text, raw, step } = message;
    for (const answer of answers) {
      const call = this.book.answer(answer.id, answer.tool);
      const turn = call?.turn ?? this.lastTurn;
      if (turn === null) {
        this.context(message, "injected", HARNESS, answer.text);
        continue;
      }
      if (call === null) {
        const words = "Answers of tools that no message called; kept as results without a call";
        this.notes.add("result_without_call", "information", words, raw[0] ?? null);
      }
      const name = call?.item.tool ?? answer.tool;
      const isError = /^Error: /.test(answer.text) ? true : null;
      const base = {
        author: { role: "tool" as const, name },
        callItem: call?.item.id ?? null,
        callId: answer.id,
        isError,
      };
      this.writer.addItem(turn, plainResult(answer.text, raw, base));
      if (!turn.sourceSteps.includes(step)) turn.sourceSteps.push(step);
    }
    if (text !== "") this.context(message, "injected", { role: "harness", name: this.cast.nameOf(message) }, text);
  }

  private agentNamed(name: string): string {
    if (!this.agents.some(({ id }) => id === name)) this.agents.push({ id: name, name, startedByTurn: null });
    return name;
  }

  private context(
    message: ChatMessage,
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    text: string,
  ): ContextItem {
    const raw: RawSpan[] = message.raw;
    return this.writer.addContext({ contextKind, author, sourceSteps: [message.step], raw, text });
  }
}
