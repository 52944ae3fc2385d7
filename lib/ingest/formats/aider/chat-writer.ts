import type { CallItem, ContextItem, RawSpan, Trajectory, Turn } from "@/lib/trajectory/schema";
import { EntryWriter, HARNESS, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import type { TextLine } from "../../text-lines";
import { AnswerWriter } from "./answer-writer";
import type { ChatBlock } from "./chat-blocks";
import { Commits } from "./commits";
import { type SettledEdit, settleEdits } from "./edit-outcomes";
import { isBlank, spanOf, textOf } from "./text-lines";
import { readToolLines, type ToolFacts } from "./tool-lines";
import { MAIN } from "./trajectory";
import { sumOf, UsageBook } from "./usage";

/** Commands of a person that go to a shell, with what to run. */
const SHELL = /^(?:\/(?:run|test)\s+|!\s*)(\S.*)$/s;
const GIT = /^\/(git\s.*)$/s;
const UNDO = /^\/undo\b/;
/** Commands that hand their words to the model. */
const PROMPT = /^\/(?:ask|code|architect|context|help)\s+\S/;

/** Writes the blocks of a chat history as turns and what stands between them. */
export class ChatWriter {
  readonly writer = new EntryWriter();
  readonly models = new Set<string>();
  task: ContextItem | null = null;
  version: string | null = null;
  readonly #chatFiles = new Set<string>();
  /** Files that were made and that no edit has written yet. */
  readonly #empty = new Set<string>();
  readonly #usage = new UsageBook();
  readonly #commits = new Commits();
  readonly #answers: AnswerWriter;
  #turn: Turn | null = null;
  #model: string | null = null;
  #editFormat: string | null = null;
  #hasBegun = false;
  #isPublished = false;

  constructor(
    readonly lines: readonly TextLine[],
    readonly notes: NoteBook,
  ) {
    this.#answers = new AnswerWriter(this.writer, lines, notes);
  }

  get variant(): string {
    return this.#isPublished ? "published chat transcript" : "chat history";
  }

  get totals(): Trajectory["totals"] {
    return this.#usage.totals();
  }

  /** Adds a block; says whether it took the next one, aider's, with it. */
  add(block: ChatBlock, next: ChatBlock | undefined): boolean {
    const answer = next?.writer === "aider" ? next : null;
    if (block.writer === "person") return this.#addPerson(block, answer);
    if (block.writer === "answer" && this.#hasBegun) {
      this.#addTurn(block, answer);
      return answer !== null;
    }
    if (block.writer === "aider") {
      this.#learn(readToolLines(this.#aiderLines(block)));
      this.#addContext(block, this.#hasPrompts() ? "injected" : "metadata", this.#aiderLines(block).join("\n"));
      this.#hasBegun = true;
    } else {
      if (block.writer === "page") this.#isPublished = true;
      this.#addContext(block, "metadata", this.#text(block));
    }
    return false;
  }

  #hasPrompts(): boolean {
    return this.task !== null || this.#turn !== null;
  }

  #text({ first, last }: ChatBlock): string {
    return textOf(this.lines, first, last);
  }

  #aiderLines({ first, last }: ChatBlock): string[] {
    return this.lines.slice(first, last + 1).map(({ text }) => text.replace(/^> ?/, "").replace(/ {2}$/, ""));
  }

  #addContext(block: ChatBlock, contextKind: ContextItem["contextKind"], text: string): ContextItem {
    const author = block.writer === "person" ? PERSON : HARNESS;
    const raw = [spanOf(this.lines, block.first, block.last)];
    return this.writer.addContext({ contextKind, author, sourceSteps: [], raw, text });
  }

  #addPerson(block: ChatBlock, next: ChatBlock | null): boolean {
    const text = this.lines
      .slice(block.first, block.last + 1)
      .map((line) => line.text.replace(/^#### ?/, "").trimEnd())
      .join("\n");
    this.#hasBegun = true;
    if (this.#turn !== null && this.#addCommand(this.#turn, block, text, next)) return next !== null;
    const isPrompt = !/^[/!]/.test(text) || PROMPT.test(text);
    const entry = this.#addContext(block, isPrompt && this.task === null ? "task" : "person", text);
    if (isPrompt) this.task ??= entry;
    return false;
  }

  /** A person's command that changes files counts from the end of the turn before it. */
  #addCommand(turn: Turn, block: ChatBlock, text: string, next: ChatBlock | null): boolean {
    const line = SHELL.exec(text)?.[1] ?? GIT.exec(text)?.[1];
    const isUndo = UNDO.test(text) && next !== null;
    if (line === undefined && !isUndo) return false;
    const facts = next === null ? null : readToolLines(this.#aiderLines(next));
    const call = this.writer.addItem(turn, {
      kind: "call",
      author: PERSON,
      raw: [spanOf(this.lines, block.first, block.last)],
      callKind: isUndo ? "write" : "execute",
      tool: isUndo ? "aider_undo" : "run",
      callId: null,
      arguments: line === undefined ? this.#commits.takeBack(facts?.undone ?? []) : { command: line },
      text,
    });
    if (isUndo && facts?.undone.some(({ hash }) => !this.#commits.isKnown(hash))) {
      const message = "Commits that were taken back and whose edits are not in this session";
      this.notes.add("undo_not_followed", "not_understood", message, call.raw[0] ?? null);
    }
    if (next === null || facts === null) return true;
    this.#learn(facts);
    const isError = isUndo ? facts.undone.length === 0 : null;
    const raw = [spanOf(this.lines, next.first, next.last)];
    const said = this.#aiderLines(next).join("\n");
    this.writer.addItem(turn, plainResult(said, raw, { author: HARNESS, callItem: call.id, isError }));
    return true;
  }

  #addTurn(block: ChatBlock, next: ChatBlock | null): void {
    const said = next === null ? [] : this.#aiderLines(next);
    const facts = readToolLines(said);
    const turn = this.writer.addTurn({ agent: MAIN, sourceSteps: [], model: this.#model });
    this.#turn = turn;
    turn.usage = sumOf(facts.usages);
    const texts = this.lines.slice(block.first, block.last + 1).map(({ text }) => text);
    const asked = { name: this.#editFormat, readsBlocks: true, isWholeFile: () => false };
    const { edits, others, open } = settleEdits(texts, facts, this.#chatFiles, asked);
    this.#learn(facts);
    const { first, last } = block;
    const written = new Set(edits.flatMap(({ isApplied, path }) => (isApplied && path !== null ? [path] : [])));
    const calls = this.#answers.addAnswer(turn, { head: first, first, last }, edits, this.#takeEmpty(written));
    for (const line of open) this.#answers.note("edit_block_open", OPEN_BLOCK, first + line);
    const used = new Set<number>();
    for (const [n, call] of calls.entries()) {
      const settled = edits[n];
      if (settled) this.#addResult(turn, call, settled, said, next);
      for (const line of settled?.lines ?? []) used.add(line);
    }
    this.#commits.addEdits(edits.flatMap(({ isApplied, path }) => (isApplied && path !== null ? [path] : [])));
    if (next !== null) this.#addDeeds(turn, next, said, facts, others, used);
  }

  /** Which of the paths are files that were made without content and not written since. Aider names some with their folder. */
  #takeEmpty(written: ReadonlySet<string>): Set<string> {
    const isNamed = (empty: string, path: string): boolean => empty === path || empty.endsWith(`/${path}`);
    const found = [...this.#empty].flatMap((empty) => {
      const paths = [...written].filter((path) => isNamed(empty, path));
      if (paths.length > 0) this.#empty.delete(empty);
      return paths;
    });
    return new Set(found);
  }

  /** What aider did besides: files that it wrote for edits which were not found, commands, commits, and the rest. */
  #addDeeds(
    turn: Turn,
    next: ChatBlock,
    said: readonly string[],
    facts: ToolFacts,
    others: readonly { path: string; line: number }[],
    used: Set<number>,
  ): void {
    for (const { path, line } of others) {
      used.add(line);
      const raw = this.#spansOf(next, [line]);
      const call = this.#answers.addCall(turn, "aider_edit", "write", { path }, raw, null);
      this.#addResult(turn, call, { isApplied: true, lines: [line] }, said, next);
    }
    for (const { command, line } of facts.ran) {
      used.add(line);
      this.#answers.addCall(turn, "run", "execute", { command }, this.#spansOf(next, [line]), command);
    }
    this.#commits.addEdits(others.map(({ path }) => path));
    const commit = facts.commits.at(-1);
    if (commit) this.#commits.commit(commit.hash);
    this.#addRest(turn, next, said, used);
  }

  /** What aider says about a call. Nothing means that it did nothing: it tells of every file that it writes. */
  #addResult(
    turn: Turn,
    call: CallItem,
    { isApplied, lines }: Pick<SettledEdit, "isApplied" | "lines">,
    said: readonly string[],
    next: ChatBlock | null,
  ): void {
    const text = lines.map((line) => said[line] ?? "").join("\n");
    const raw = next === null ? [] : this.#spansOf(next, lines);
    this.writer.addItem(turn, plainResult(text, raw, { author: HARNESS, callItem: call.id, isError: !isApplied }));
  }

  #addRest(turn: Turn, next: ChatBlock, said: readonly string[], used: ReadonlySet<number>): void {
    const rest = said.flatMap((_, n) => (used.has(n) || isBlank(this.lines[next.first + n]) ? [] : [n]));
    if (rest.length === 0) return;
    const text = rest
      .map((n) => said[n] ?? "")
      .join("\n")
      .trim();
    this.writer.addItem(turn, { kind: "message", author: HARNESS, raw: this.#spansOf(next, rest), text });
  }

  /** The places of some lines of a block, those that follow each other as one. */
  #spansOf(block: ChatBlock, places: readonly number[]): RawSpan[] {
    const stretches: { first: number; last: number }[] = [];
    for (const place of places) {
      const last = stretches.at(-1);
      if (last && last.last === place - 1) last.last = place;
      else stretches.push({ first: place, last: place });
    }
    return stretches.map(({ first, last }) => spanOf(this.lines, block.first + first, block.first + last));
  }

  #learn(facts: ToolFacts): void {
    for (const path of facts.added) this.#chatFiles.add(path);
    for (const { path } of facts.applied) this.#chatFiles.add(path);
    for (const path of facts.created) this.#empty.add(path);
    for (const path of facts.dropped) this.#chatFiles.delete(path);
    for (const model of facts.models) this.models.add(model);
    this.#model = facts.mainModel ?? this.#model;
    this.version = facts.version ?? this.version;
    this.#editFormat = facts.editFormat ?? this.#editFormat;
    this.#usage.add(facts);
  }
}

const OPEN_BLOCK = "Edit blocks that nothing ends; they stand in the assistant's words only";
