import type { CallItem, ContextItem, RawSpan, ResultItem, Turn, Usage } from "@/lib/trajectory/schema";
import { AGENT, EntryWriter, HARNESS, type NewItem } from "../../entries";
import type { NoteBook } from "../../notes";
import { shellCallKind } from "../../shell-kind";
import { CallBook, type OpenCall } from "./call-book";
import type { CodexLine } from "./lines";
import type { Output } from "./outputs";
import { readsOf } from "./reads";
import { commandLineOf, type ReadCall } from "./tools";

/** What an output says, and what events add to it. */
export type Answer = Omit<Output, "session" | "isMixed"> & Pick<ResultItem, "recorded">;

/** Bytes that belong together, end exclusive. */
interface ByteRun {
  start: number;
  end: number;
}

/** A line feed, with what may stand before it. */
const LINE_END_BYTES = 2;

const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh"]);

/** Whether a command line starts a shell that waits for commands. */
function isBareShell(line: string): boolean {
  const [name = "", ...options] = line.trim().slice(0, 200).split(/\s+/);
  return SHELLS.has(name.slice(name.lastIndexOf("/") + 1)) && options.every((option) => /^-[il]+$/.test(option));
}

/** Puts the places of an item in the order of the file: events that repeat or announce it may stand before it. */
function inFileOrder(raw: RawSpan[]): void {
  let before = 0;
  for (const { start } of raw) {
    if ((start ?? 0) < before) {
      orderByStart(raw);
      return;
    }
    before = start ?? 0;
  }
}

function orderByStart(raw: RawSpan[]): void {
  const [first, second] = raw;
  // Nearly always an item and the event that repeats it: a sort takes more memory than both.
  if (raw.length === 2 && first && second) {
    raw[0] = second;
    raw[1] = first;
  } else raw.sort((a, b) => (a.start ?? 0) - (b.start ?? 0));
}

/** Writes the entries of a run in the order of its lines: turns, what stands between them, and its own books. */
export class Run {
  readonly writer = new EntryWriter();
  readonly calls = new CallBook();
  readonly models = new Set<string>();
  /** The turn that further items of the agent belong to; null when the next begins another. */
  turn: Turn | null = null;
  /** Something told that the turn's answer is complete. */
  isMarked = false;
  model: string | null = null;
  directory: string | null = null;
  /** The tokens of a request whose turn has not begun yet. */
  pendingUsage: Usage | null = null;
  private books: { entry: ContextItem; runs: ByteRun[] } | null = null;
  private held: RawSpan[] = [];
  /** Lines of the turn that has not begun yet. */
  private ahead: CodexLine[] = [];
  private hasResult = false;
  /** The last line that the open turn names as a step of its own. */
  private lastLine = 0;
  /** The command lines of sessions that go on after their call was answered. */
  private readonly sessions = new Map<string, string>();

  constructor(
    private readonly sourceOf: (run: ByteRun) => string,
    private readonly notes: NoteBook,
    /** Something in the file tells where the answers of the model end; otherwise the results of calls do. */
    private readonly hasMarks: boolean,
    /** What the numbers of the lines are. */
    private readonly convention: "line" | "item",
  ) {}

  private stepOf({ line }: { line: number }): Turn["sourceSteps"][number] {
    return { convention: this.convention, step: String(line) };
  }

  /** Adds something that stands between turns; what the agent says next begins a turn. */
  context(
    line: CodexLine,
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    text: string,
    raw: RawSpan[] = [line.raw],
  ): ContextItem {
    this.close();
    const sourceSteps = [this.stepOf(line)];
    return this.writer.addContext({ contextKind, author, sourceSteps, raw, text });
  }

  /** Keeps a line of the run's own books. Lines of them that follow each other are one entry; the turn goes on. */
  keep(line: CodexLine): void {
    const { start, end } = line.raw;
    const run = { start: start ?? 0, end: end ?? 0 };
    if (this.books !== null && this.writer.entries.at(-1) === this.books.entry) {
      const { entry, runs } = this.books;
      const last = runs.at(-1);
      // Lines that stand side by side are decoded together.
      if (last !== undefined && run.start - last.end <= LINE_END_BYTES) last.end = run.end;
      else runs.push(run);
      entry.raw.push(line.raw);
      return;
    }
    this.writeBooks();
    const sourceSteps = [this.stepOf(line)];
    const given = { contextKind: "metadata" as const, author: HARNESS, sourceSteps, raw: [line.raw], text: "" };
    this.books = { entry: this.writer.addContext(given), runs: [run] };
  }

  /** Gives a line to the turn that comes next; when none does, to the one that is open at the end. */
  lead(line: CodexLine): void {
    this.ahead.push(line);
  }

  /** Gives a line that tells of the open turn to that turn; without one, to the next. */
  trail(line: CodexLine): void {
    if (this.turn === null) this.lead(line);
    else (this.turn.items.at(-1)?.raw ?? this.held).push(line.raw);
  }

  /** What a line says under its wrapper, as it stands: its time does not count. */
  payloadOf(line: CodexLine): string {
    const source = this.sourceOf({ start: line.raw.start ?? 0, end: line.raw.end ?? 0 });
    return line.isWrapped ? source.slice(Math.max(0, source.indexOf('"payload"'))) : source;
  }

  /** Ends the run. Call it once, after the last line. */
  finish(): void {
    const { turn } = this;
    const left = this.ahead.splice(0);
    if (turn !== null) for (const line of left) this.trail(line);
    this.close();
    if (turn === null) for (const line of left) this.keep(line);
    this.writeBooks();
  }

  private writeBooks(): void {
    if (this.books !== null) this.books.entry.text = this.books.runs.map(this.sourceOf).join("\n");
    this.books = null;
  }

  /** Keeps a line that is not understood, with its source text. */
  opaque(line: CodexLine, why: string): void {
    this.notes.add("line_not_understood", "not_understood", `Lines that could not be read, such as ${why}`, line.raw);
    const text = this.sourceOf({ start: line.raw.start ?? 0, end: line.raw.end ?? 0 });
    this.context(line, "opaque", HARNESS, text);
  }

  /** Keeps a line that is no object. */
  unread(line: { raw: RawSpan; line: number; why: string }, text: string): void {
    const message = `Lines that could not be read, such as ${line.why}`;
    this.notes.add("line_not_understood", "not_understood", message, line.raw);
    const sourceSteps = [this.stepOf(line)];
    this.writer.addContext({ contextKind: "opaque", author: HARNESS, sourceSteps, raw: [line.raw], text });
  }

  /** Adds an item of the agent: to the open turn, or to a new one. */
  item<T extends NewItem>(line: CodexLine, given: T): T & { id: string; arrival: number } {
    const turn = this.begin(line);
    if (line.line !== this.lastLine) turn.sourceSteps.push(this.stepOf(line));
    this.lastLine = line.line;
    if (this.held.length > 0) given.raw = [...this.held.splice(0), ...given.raw];
    inFileOrder(given.raw);
    return this.writer.addItem(turn, given);
  }

  /** Gives a line of the agent of which nothing can be shown to the next item of its turn. */
  hold(line: CodexLine, raw: RawSpan[]): void {
    this.begin(line);
    for (const span of raw) this.held.push(span);
  }

  /** Adds a call. */
  call(line: CodexLine, read: ReadCall, callId: string | null, raw: RawSpan[]): CallItem {
    const { plan, tool, callKind, arguments: given, text } = this.continued(read);
    if (plan !== null) this.item(line, { kind: "plan", author: AGENT, raw: [...raw], text: plan });
    const call = { kind: "call" as const, author: AGENT, raw, callId, tool, callKind, arguments: given, text };
    const item = this.item(line, call);
    if (this.turn !== null) this.calls.add(callId, { turn: this.turn, item, arguments: given, result: null });
    return item;
  }

  /** Adds a result to the turn of its call; without one, to the open turn, or between turns. */
  result(line: CodexLine, callId: string | null, answer: Answer & Partial<Output>, raw: RawSpan[]): void {
    const open = this.calls.answer(callId);
    inFileOrder(raw);
    if (answer.session != null && open) this.begun(answer.session, open);
    const author = { role: "tool" as const, name: open?.item.tool ?? null };
    const given: Extract<NewItem, { kind: "result" }> = {
      kind: "result",
      author,
      raw,
      callItem: open?.item.id ?? null,
      callId,
      text: answer.text,
      isError: answer.isError,
      exitCode: answer.exitCode,
      isCut: answer.isCut,
      durationMs: answer.durationMs,
      recorded: answer.recorded,
      reads: open && answer.isError !== true && !answer.isMixed ? readsOf(open.item, answer) : [],
    };
    if (open) {
      open.result = this.writer.addItem(open.turn, given);
      open.turn.endedAt = line.timestamp ?? open.turn.endedAt;
      if (open.turn === this.turn) this.hasResult = true;
      return;
    }
    const message = "Results of which the trace does not hold the call";
    this.notes.add("result_without_call", "information", message, line.raw);
    if (this.turn === null) this.context(line, "injected", author, answer.text, raw);
    else {
      this.writer.addItem(this.turn, given);
      this.hasResult = true;
    }
  }

  /** Ends the open turn. */
  close(): void {
    const { turn } = this;
    if (turn !== null && this.held.length > 0) {
      const last = turn.items.at(-1);
      const raw = this.held.splice(0);
      const reason = "reasoning of which the trace holds only an encrypted form";
      if (last) for (const span of raw) last.raw.push(span);
      else this.writer.addItem(turn, { kind: "opaque", author: AGENT, raw, text: "", reason });
    }
    this.turn = null;
    this.isMarked = false;
    this.hasResult = false;
  }

  /** The open turn, or a new one when the answer that it was made of is complete. */
  private begin(line: CodexLine): Turn {
    const { turn } = this;
    const isOver = turn !== null && (this.hasMarks ? this.isMarked : this.hasResult && !this.calls.waits(turn));
    if (turn !== null && !isOver) {
      turn.endedAt = line.timestamp ?? turn.endedAt;
      return turn;
    }
    this.close();
    if (this.model !== null) this.models.add(this.model);
    const state =
      this.directory === null
        ? null
        : {
            when: "before" as const,
            workingDirectory: this.directory,
            openFile: null,
            cumulativeDiff: null,
            freshShell: true,
          };
    this.turn = this.writer.addTurn({
      agent: "main",
      sourceSteps: [this.stepOf(line)],
      model: this.model,
      startedAt: line.timestamp,
      endedAt: line.timestamp,
      usage: this.pendingUsage,
      state,
    });
    this.pendingUsage = null;
    this.lastLine = line.line;
    if (this.ahead.length > 0) for (const { raw } of this.ahead.splice(0)) this.held.push(raw);
    return this.turn;
  }

  private begun(session: string, { item, arguments: given }: OpenCall): void {
    if (item.tool !== "write_stdin") this.sessions.set(session, item.text ?? commandLineOf(given) ?? "");
  }

  /** What is typed into a session that is a shell is a command line. */
  private continued(read: ReadCall): ReadCall {
    if (read.tool !== "write_stdin") return read;
    const { session_id: id, chars } = read.arguments ?? {};
    const line = this.sessions.get(String(id ?? ""));
    if (line === undefined || typeof chars !== "string" || chars.trim() === "" || !isBareShell(line)) return read;
    return { ...read, callKind: shellCallKind(chars), text: chars };
  }
}
