import type { ContextItem, RawSpan, ReadFile, Trajectory, Turn } from "@/lib/trajectory/schema";
import { AGENT, EntryWriter, HARNESS, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { AnswerWriter } from "./answer-writer";
import { type SettledEdits, settleEdits } from "./edit-outcomes";
import { askedFormat, exampleCount, isHarnessMessage, type LastWords, lastMessage, lastWords } from "./prompts";
import type { HistoryMessage, ModelRequest, RequestHistory } from "./requests";
import { shownFiles, showsFiles } from "./shown-files";
import { spanOf, textOf } from "./text-lines";
import { readToolLines } from "./tool-lines";
import { MAIN } from "./trajectory";

/** Something that holds the places at which a message stands again. */
interface Holder {
  raw: RawSpan[];
}

/** Writes requests as turns: each message of the cumulative prompts once, each answer as a turn. */
export class RequestWriter {
  readonly writer = new EntryWriter();
  readonly variant = "LLM history";
  readonly version = null;
  readonly models = new Set<string>();
  task: ContextItem | null = null;
  readonly #answers: AnswerWriter;
  readonly #lastWords: ReturnType<typeof lastWords>;
  /** What holds the first, second, ... occurrence of a message in one prompt. */
  readonly #seen = new Map<string, Holder[]>();
  readonly #chatFiles = new Set<string>();
  #last: Holder | null = null;
  /** Files that were shown and wait for the turn that answers. */
  #shown: { text: string; reads: ReadFile[]; raw: RawSpan[] }[] = [];

  constructor(
    readonly history: RequestHistory,
    readonly notes: NoteBook,
  ) {
    this.#answers = new AnswerWriter(this.writer, history.lines, notes);
    this.#lastWords = lastWords(history.requests);
    const { before } = history;
    if (before === null) return;
    const text = textOf(history.lines, before.first, before.last);
    this.#addContext("opaque", HARNESS, text, [spanOf(history.lines, before.first, before.last)]);
  }

  get totals(): Trajectory["totals"] {
    const { requests } = this.history;
    const times = requests.flatMap(({ sentAt, answer }) => [sentAt, answer?.at ?? null]).filter((at) => at !== null);
    const [first, last] = [times[0], times.at(-1)];
    // Both are of one clock without a zone: only the difference means something.
    const tookMs = first === undefined || last === undefined ? 0 : Date.parse(`${last}Z`) - Date.parse(`${first}Z`);
    return {
      inputTokens: null,
      cachedTokens: null,
      outputTokens: null,
      costUsd: null,
      durationMs: tookMs > 0 ? tookMs : null,
    };
  }

  /** Adds the request of this place (0-based) in the history. */
  add(request: ModelRequest, n: number): void {
    const counts = new Map<string, number>();
    const examples = exampleCount(request.messages);
    for (const [place, message] of request.messages.entries()) {
      const parted = place === request.messages.length - 1 ? (this.#lastWords[n] ?? null) : null;
      // The same words may be said again: what counts is how often one prompt has them, with a reminder behind them or not.
      const key = keyOf(message.role, parted?.words ?? message.text);
      const count = counts.get(key) ?? 0;
      counts.set(key, count + 1);
      const holder = this.#seen.get(key)?.[count];
      const raw = this.#spanOf(message);
      if (holder) {
        holder.raw.push(raw);
        this.#last = holder;
        const text = "Messages of a prompt that stood in an earlier one; shown once";
        this.notes.add("repeated_prompt", "information", text, raw);
      } else this.#addMessage(message, place < examples, place === request.messages.length - 1, parted);
    }
    const { answer } = request;
    if (answer === null) return;
    if (answer.text.trim() === "") {
      const text = "Requests without an answer, which aider repeats; no turn";
      const raw = this.#spanOf(answer);
      this.notes.add("empty_answer", "information", text, raw);
      // The place is kept with the message that got no answer: a note keeps the first places only.
      this.#last?.raw.push(raw);
    } else this.#addTurn(request, answer, this.history.requests[n + 1]);
  }

  /** Adds what waits for a turn that does not come. */
  finish(): void {
    for (const { text, raw } of this.#shown) this.#addContext("injected", HARNESS, text, raw);
    this.#shown = [];
  }

  #spanOf(message: HistoryMessage): RawSpan {
    return spanOf(this.history.lines, message.first, message.last);
  }

  #remember(role: string, text: string, holder: Holder): void {
    const key = keyOf(role, text);
    const known = this.#seen.get(key);
    if (known) known.push(holder);
    else this.#seen.set(key, [holder]);
    this.#last = holder;
  }

  #addContext(
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    text: string,
    raw: RawSpan[],
  ): ContextItem {
    return this.writer.addContext({ contextKind, author, sourceSteps: [], raw, text });
  }

  #addMessage(message: HistoryMessage, isExample: boolean, isLast: boolean, parted: LastWords | null): void {
    const { role, text } = message;
    const raw = [this.#spanOf(message)];
    if (role === "USER" && !isExample && showsFiles(text)) {
      const reads = shownFiles(text);
      for (const { path } of reads) this.#chatFiles.add(path);
      this.#shown.push({ text, reads, raw });
      this.#remember(role, text, { raw });
      return;
    }
    const words = parted?.words ?? text;
    const isPerson = role === "USER" && !isExample && isLast && !isHarnessMessage(words);
    const author = role === "ASSISTANT" ? AGENT : isPerson ? PERSON : HARNESS;
    const kind =
      role === "SYSTEM" ? "system" : isExample ? "demonstration" : isPerson ? this.#personKind() : "injected";
    const entry = this.#addContext(kind, author, words, raw);
    if (kind === "task") this.task = entry;
    this.#remember(role, words, entry);
    if (parted === null) return;
    if (!this.#seen.has(keyOf("reminder", parted.reminder))) {
      const reminder = this.#addContext("injected", HARNESS, parted.reminder.trim(), [...raw]);
      this.#remember("reminder", parted.reminder, reminder);
    }
  }

  #personKind(): ContextItem["contextKind"] {
    return this.task === null ? "task" : "person";
  }

  #addTurn(request: ModelRequest, answer: HistoryMessage & { at: string }, next: ModelRequest | undefined): void {
    const turn = this.writer.addTurn({
      agent: MAIN,
      sourceSteps: [],
      startedAt: request.sentAt,
      endedAt: answer.at,
    });
    for (const { text, reads, raw } of this.#shown) {
      this.writer.addItem(turn, plainResult(text, raw, { author: HARNESS, reads }));
    }
    this.#shown = [];
    const texts = answer.text.split("\n");
    const format = askedFormat(request);
    const reply = lastMessage(next);
    const words = reply?.text.split("\n") ?? [];
    const facts = readToolLines(words);
    // An answer that names other files is not acted on: aider adds them to the chat and asks again.
    if (/^I added these files to the chat: /.test(words[0] ?? "")) facts.malformed = 0;
    const isTold = facts.refusals.length > 0 || facts.malformed !== null;
    const settled: SettledEdits =
      format === null
        ? { edits: [], others: [], open: [] }
        : settleEdits(texts, facts, this.#chatFiles, {
            name: format,
            readsBlocks: format === "blocks",
            isWholeFile: (path) => format === "whole" && isFileName(path),
          });
    const { words: first, last, first: head } = answer;
    const calls = this.#answers.addAnswer(turn, { head, first, last }, settled.edits, new Set());
    for (const line of settled.open) {
      this.#answers.note("edit_block_open", "Edit blocks that nothing ends", first + line);
    }
    // Otherwise the history does not say what became of an edit; the files shown next do.
    for (const [n, call] of isTold && reply !== null ? calls.entries() : []) {
      const { isApplied, lines } = settled.edits[n] ?? { isApplied: false, lines: [] };
      const raw = lines.map((line) => (reply === null ? 0 : reply.words + line));
      const spans = raw.length === 0 ? [] : [spanOf(this.history.lines, raw[0] ?? 0, raw.at(-1) ?? 0)];
      const text = lines.map((line) => words[line] ?? "").join("\n");
      this.writer.addItem(turn, plainResult(text, spans, { author: HARNESS, callItem: call.id, isError: !isApplied }));
    }
    this.#remember("ASSISTANT", answer.text, holderOf(turn));
  }
}

/** The item of a turn that holds the places at which its words stand again in later prompts. */
function holderOf(turn: Turn): Holder {
  return turn.items.find((item) => item.kind === "message" || item.kind === "call") ?? { raw: [] };
}

function keyOf(role: string, text: string): string {
  return `${role}\n${text.trimEnd()}`;
}

/** Whether a line before a fence reads like the path of a file. */
function isFileName(path: string): boolean {
  return !/\s/.test(path) && /[^/]\.\w+$|\//.test(path);
}
