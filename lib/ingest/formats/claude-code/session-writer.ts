import type { ContextItem, Item, RawSpan, Turn } from "@/lib/trajectory/schema";
import { readToolRecord } from "../../claude-tool-records";
import { AGENT, EntryWriter, HARNESS, type NewItem, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, member, stringMember } from "../../safe-json";
import { orderArrivals, type Stamp } from "./arrivals";
import { CallBook } from "./call-book";
import { blocksOf, type SessionRecord } from "./records";
import { isDelegate, MAIN, type ThreadKey, type Threads } from "./threads";
import { blockText, callKindOf, planOf, resultText } from "./tools";
import { largerUsage, usageOf } from "./usage";
import { classifyUserText, commandArguments, DELEGATING, INTERRUPTED, notifiedCall } from "./user-texts";

/** Turns the lines of a session into entries, in the order of the file. */
export class SessionWriter {
  readonly writer = new EntryWriter();
  task: string | null = null;
  commandTask: string | null = null;
  isInterrupted = false;
  readonly models = new Set<string>();
  private readonly turns = new Map<string, Turn>();
  private readonly lastTurn = new Map<ThreadKey, Turn>();
  private readonly calls = new CallBook();
  private readonly blocks = new Map<Turn, Map<string, JsonValue>>();
  /** The line that each turn began with. */
  private readonly begun = new Map<Turn, SessionRecord>();
  private readonly prompted = new Set<ThreadKey>();
  private readonly stamps: Stamp[] = [];

  constructor(
    private readonly threads: Threads,
    private readonly branches: Map<string, string>,
    private readonly sourceOf: (record: SessionRecord) => string,
    private readonly notes: NoteBook,
  ) {}

  /** The turn of a call, by the call's identifier. */
  turnOfCall(callId: string): Turn | null {
    return this.calls.first(callId)?.turn ?? null;
  }

  /** Adds an assistant line: to the turn of its API message, or to a new one. */
  addAssistant(record: SessionRecord): void {
    const blocks = blocksOf(record.message);
    if (
      member(record.value, "isApiErrorMessage") === true ||
      stringMember(record.message ?? undefined, "model") === "<synthetic>"
    ) {
      this.context(record, "injected", HARNESS, blocks.map(blockText).join("\n"));
      return;
    }
    if (blocks.length === 0) {
      this.opaque(record, "assistant lines without content that can be read");
      return;
    }
    const turn = this.turnFor(record);
    for (const block of blocks) this.addBlock(turn, record, block);
  }

  /** Adds a user line: results go to the turns of their calls, texts stand between turns. */
  addUser(record: SessionRecord): void {
    const blocks = blocksOf(record.message);
    if (blocks.length === 0) {
      this.opaque(record, "user lines without content that can be read");
      return;
    }
    const results = blocks.filter(isResult).length;
    const recorded = member(record.value, "toolUseResult");
    if (results !== 1 && isObject(recorded)) {
      const message = "What a tool recorded about several results at once, or about none; only the raw record shows it";
      this.notes.add("tool_record_not_used", "information", message, record.raw);
    }
    for (const block of blocks) {
      if (isResult(block)) this.addResult(record, block, results === 1 ? recorded : undefined);
      else if (isObject(block) && block.type === "text" && typeof block.text === "string")
        this.addUserText(record, block.text);
      else if (isObject(block) && (block.type === "image" || block.type === "document")) {
        this.notes.add("picture_not_shown", "information", "Pictures and documents are named, not shown", record.raw);
        this.context(record, "person", { role: "person", name: null }, blockText(block));
      } else {
        this.notes.add(
          "block_not_understood",
          "not_understood",
          "Content blocks of a kind that is not known",
          record.raw,
        );
        this.context(record, "opaque", HARNESS, JSON.stringify(block));
      }
    }
  }

  /** Adds something that stands between turns. */
  context(
    record: SessionRecord,
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    text: string,
  ): ContextItem {
    const sourceSteps = [{ convention: "line", step: String(record.line) }];
    const entry = this.writer.addContext({ contextKind, author, sourceSteps, raw: rawOf(record), text });
    this.stamp(record, entry);
    return entry;
  }

  /** Keeps a line that is no object; it belongs to no thread and has no time. */
  opaqueLine(line: { raw: RawSpan; line: number }, text: string): void {
    const entry = this.writer.addContext({
      contextKind: "opaque",
      author: HARNESS,
      sourceSteps: [{ convention: "line", step: String(line.line) }],
      raw: [line.raw],
      text,
    });
    this.stamps.push({ target: entry, thread: MAIN, timeMs: Number.NaN });
  }

  /** Keeps a line that is not understood, with its source text. */
  opaque(record: SessionRecord, why: string): void {
    this.notes.add("line_not_understood", "not_understood", `Lines that could not be read, such as ${why}`, record.raw);
    this.context(record, "opaque", HARNESS, this.sourceOf(record));
  }

  /** Adds what a person typed or the harness put into the conversation. */
  addUserText(record: SessionRecord, text: string): void {
    const called = notifiedCall(text);
    const open = called === null ? undefined : this.calls.last(called);
    if (open) {
      this.item(
        open.turn,
        record,
        plainResult(text, rawOf(record), { author: HARNESS, callItem: open.item.id, callId: open.item.callId }),
      );
      return;
    }
    if (INTERRUPTED.test(text)) this.isInterrupted = true;
    const thread = record.thread;
    const { contextKind, author } = classifyUserText(record, text);
    if (contextKind === "injected" && thread === MAIN) this.commandTask ??= commandArguments(text);
    if (contextKind !== "person") {
      this.context(record, contextKind, author, text);
      return;
    }
    const isFirst = !this.prompted.has(thread);
    this.prompted.add(thread);
    const isDelegated = thread !== MAIN || this.threads.isSubAgentFile;
    if (isFirst && thread === MAIN) this.task = text;
    this.context(record, isFirst ? "task" : "person", isFirst && isDelegated ? DELEGATING : author, text);
  }

  /** Gives everything its final place in the order of arrival. */
  finish(): void {
    for (const [turn, record] of this.begun) {
      if (turn.items.length > 0) continue;
      const given = { kind: "opaque" as const, author: AGENT, raw: rawOf(record), text: this.sourceOf(record) };
      this.item(turn, record, { ...given, reason: "a message of which nothing can be shown" });
    }
    orderArrivals(this.stamps);
    this.writer.finish();
  }

  private turnFor(record: SessionRecord): Turn {
    const key = record.turnKey ?? `line-${record.line}`;
    const thread = record.thread;
    const known = this.turns.get(key);
    const step = { convention: "line", step: String(record.line) };
    const turn =
      known ??
      this.writer.addTurn({
        agent: thread,
        sourceSteps: [],
        branch: this.branches.get(key) ?? null,
        startedAt: record.timestamp,
        state: stateOf(record),
      });
    if (!known) {
      this.begun.set(turn, record);
      this.turns.set(key, turn);
    }
    turn.sourceSteps.push(step);
    turn.endedAt = record.timestamp ?? turn.endedAt;
    turn.model ??= stringMember(record.message ?? undefined, "model");
    if (turn.model) this.models.add(turn.model);
    turn.usage = largerUsage(turn.usage, usageOf(record.message));
    this.lastTurn.set(thread, turn);
    return turn;
  }

  private addBlock(turn: Turn, record: SessionRecord, block: JsonValue): void {
    const raw = rawOf(record);
    const seen = this.blocks.get(turn) ?? new Map<string, JsonValue>();
    this.blocks.set(turn, seen);
    const key = blockKey(block);
    const earlier = seen.get(key);
    if (earlier !== undefined && JSON.stringify(earlier) === JSON.stringify(block)) {
      const message = "Blocks that repeat one of the same message; shown once";
      this.notes.add("repeated_block", "information", message, record.raw);
      return;
    }
    seen.set(key, block);
    const type = stringMember(block, "type");
    const text = stringMember(block, "text");
    const thinking = stringMember(block, "thinking");
    if (type === "text" && text !== null) this.item(turn, record, { kind: "message", author: AGENT, raw, text });
    else if (type === "thinking" && thinking !== null) {
      if (thinking !== "") this.item(turn, record, { kind: "thought", author: AGENT, raw, text: thinking });
      else
        this.notes.add(
          "empty_thinking",
          "information",
          "Thinking of which the trace holds only a signature",
          record.raw,
        );
    } else if ((type === "tool_use" || type === "server_tool_use") && isObject(block))
      this.addCall(turn, record, block);
    else if (type?.endsWith("tool_result") && isObject(block)) this.addResult(record, block, undefined);
    else {
      this.notes.add(
        "block_not_understood",
        "not_understood",
        "Content blocks of a kind that is not known",
        record.raw,
      );
      this.item(turn, record, {
        kind: "opaque",
        author: AGENT,
        raw,
        text: JSON.stringify(block),
        reason: `content block ${type ?? "without a type"}`,
      });
    }
  }

  private addCall(turn: Turn, record: SessionRecord, block: JsonObject): void {
    const tool = stringMember(block, "name") ?? "";
    const input = member(block, "input");
    const raw = rawOf(record);
    const plan = planOf(tool, input);
    if (plan !== null) this.item(turn, record, { kind: "plan", author: AGENT, raw, text: plan });
    const callId = stringMember(block, "id");
    const item = this.item(turn, record, {
      kind: "call" as const,
      author: AGENT,
      raw,
      callKind: isDelegate(tool) ? "delegate" : callKindOf(tool, input),
      tool,
      callId,
      arguments: isObject(input) ? input : null,
      text: isObject(input) || input === undefined ? null : typeof input === "string" ? input : JSON.stringify(input),
    });
    this.calls.add({ turn, item, input, thread: record.thread });
  }

  private addResult(record: SessionRecord, block: JsonValue, given: JsonValue | undefined): void {
    const callId = stringMember(block, "tool_use_id");
    const thread = record.thread;
    const open = this.calls.answer(callId, thread);
    const text = resultText(member(block, "content"));
    const facts = readToolRecord(open?.item.tool ?? "", open?.input, given, text);
    const isFlagged = member(block, "is_error");
    const isError =
      isFlagged === true || facts.isInterrupted
        ? true
        : isFlagged === false || facts.recorded.length > 0
          ? false
          : null;
    const result = plainResult(text, rawOf(record), {
      author: { role: "tool", name: open?.item.tool ?? null },
      callItem: open?.item.id ?? null,
      callId,
      isError,
      exitCode: facts.exitCode === null ? null : Math.trunc(facts.exitCode),
      isCut: isCut(text),
      durationMs: facts.durationMs,
      recorded: facts.recorded,
      reads: isError === true ? [] : facts.reads,
    });
    if (open) {
      this.item(open.turn, record, result);
      open.turn.endedAt = record.timestamp ?? open.turn.endedAt;
      return;
    }
    this.notes.add(
      "result_without_call",
      "information",
      "Results of which the trace does not hold the call",
      record.raw,
    );
    const turn = this.lastTurn.get(thread);
    if (turn) this.item(turn, record, result);
    else this.context(record, "injected", result.author, text);
  }

  private item<T extends NewItem>(turn: Turn, record: SessionRecord, given: T): T & { id: string; arrival: number } {
    const item = this.writer.addItem(turn, given);
    this.stamp(record, item);
    return item;
  }

  private stamp(record: SessionRecord, target: Item | ContextItem): void {
    this.stamps.push({ target, thread: record.thread, timeMs: record.timeMs });
  }
}

const isResult = (block: JsonValue): boolean => stringMember(block, "type") === "tool_result";

/** Where a line stands, with the places where a resumed session wrote it again. */
function rawOf(record: SessionRecord): RawSpan[] {
  return [record.raw, ...record.repeats];
}

/** What two equal blocks of a message share; cheap, so that only likely repeats are compared in full. */
function blockKey(block: JsonValue): string {
  const type = stringMember(block, "type") ?? "";
  const said = stringMember(block, "text") ?? stringMember(block, "thinking") ?? stringMember(block, "id");
  return `${type}:${said ?? JSON.stringify(block)}`;
}

function stateOf(record: SessionRecord): Turn["state"] {
  const workingDirectory = stringMember(record.value, "cwd");
  return workingDirectory === null ? null : { when: "before", workingDirectory, openFile: null, cumulativeDiff: null };
}

/** What says that an output was cut, and a part of it each: looking for those first is cheaper. */
const CUT =
  /\.\.\. \[\d+ (?:lines|characters) truncated\] \.\.\.|<persisted-output>|^Output too large|\[Output truncated/m;
const CUT_PARTS = [" truncated", "<persisted-output>", "Output too large"];

function isCut(text: string): boolean {
  return CUT_PARTS.some((part) => text.includes(part)) && CUT.test(text);
}
