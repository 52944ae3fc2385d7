import type { Agent, ContextItem, RawSpan, Turn } from "@/lib/trajectory/schema";
import { codeBlocks, codeOutcome } from "../../code-blocks";
import { addCodeRun, type WaitingCode } from "../../code-runs";
import { AGENT, EntryWriter, HARNESS, PERSON } from "../../entries";
import type { NoteBook } from "../../notes";
import { isObject, type JsonValue, member, storable, stringMember } from "../../safe-json";
import type { Row } from "./records";
import { isTerminal, type Speaker, speakerOf } from "./speakers";

const NOTHING_TO_RUN = /^There is no code from the last \d+ messages? for me to execute|^No code blocks found/;
/** What the orchestrator writes out of the ledger before it: no answer of the model by itself. */
const CARRIED_OUT = /^Next speaker /;

/** Writes the rows of a history as turns and context, in their order. */
export class HistoryWriter {
  readonly writer = new EntryWriter();
  readonly agents: Agent[] = [];
  /** The members of the record that became context of their own. */
  readonly shown = new Set<string>();
  task: ContextItem | null = null;
  /** What the run says of its end. */
  ending: string | null = null;
  private readonly names = new Set<string>();
  private lastTurn: Turn | null = null;
  private waiting: WaitingCode | null = null;

  /** @param convention what the numbers of the rows are called */
  constructor(
    private readonly notes: NoteBook,
    private readonly convention: string,
  ) {}

  /** Adds the system prompts of the agents, by their names, or the one for all. */
  addSystem(prompts: JsonValue | undefined, at: RawSpan): void {
    const named: [string | null, JsonValue][] = isObject(prompts)
      ? Object.entries(prompts)
      : typeof prompts === "string"
        ? [[null, prompts]]
        : [];
    for (const [name, prompt] of named) {
      const author = { role: "harness" as const, name };
      const text = textOf(prompt);
      this.writer.addContext({ contextKind: "system", author, sourceSteps: [], raw: [at], text });
      this.shown.add("system_prompt");
    }
  }

  /** Adds the question of the record: it is what the person asks, also where the history begins with more. */
  addQuestion(text: string, at: RawSpan): void {
    this.shown.add("question");
    this.task = this.writer.addContext({ contextKind: "task", author: PERSON, sourceSteps: [], raw: [at], text });
  }

  /** Adds one row. */
  add(row: Row): void {
    const steps = [{ convention: this.convention, step: row.step }];
    const raw = [row.raw];
    const speaker = "value" in row ? speakerOf(row.value) : null;
    if ("text" in row || speaker === null) {
      const [code, text] =
        "text" in row ? ["line_not_understood", row.text] : ["message_not_understood", json(row.value)];
      this.notes.add(code, "not_understood", "Rows that are not understood; kept as they stand", row.raw);
      this.context("opaque", HARNESS, steps, raw, text);
      return;
    }
    const text = textOf(member(row.value, "content"));
    const outcome = codeOutcome(text);
    if (speaker.isPerson) this.addPerson(text, steps, raw);
    else if (outcome !== null && this.waiting !== null) this.addRun(speaker, outcome, steps, raw);
    else if (isTerminal(speaker.name)) this.addTerminal(speaker, text, steps, raw);
    else if (speaker.act === "ends") {
      this.ending = text.split("\n", 1)[0]?.trim() || null;
      this.context("metadata", { role: "harness", name: speaker.name }, steps, raw, text);
    } else this.addSpeech(speaker, text, steps, raw);
  }

  private addPerson(text: string, steps: Turn["sourceSteps"], raw: RawSpan[]): void {
    const isFirst = this.writer.turnCount === 0;
    if (isFirst && this.task !== null && this.task.text.trim() === text.trim()) {
      this.task.raw.push(...raw);
      this.task.sourceSteps.push(...steps);
      return;
    }
    const entry = this.context(this.task === null ? "task" : "person", PERSON, steps, raw, text);
    this.task ??= entry;
  }

  private addRun(
    speaker: Speaker,
    outcome: { exitCode: number | null; output: string },
    steps: Turn["sourceSteps"],
    raw: RawSpan[],
  ): void {
    if (this.waiting === null) return;
    addCodeRun(this.writer, this.waiting, outcome, speaker.name, raw);
    this.waiting.turn.sourceSteps.push(...steps);
    this.lastTurn = null;
  }

  private addTerminal(speaker: Speaker, text: string, steps: Turn["sourceSteps"], raw: RawSpan[]): void {
    if (this.waiting === null || NOTHING_TO_RUN.test(text)) {
      this.context("injected", { role: "harness", name: speaker.name }, steps, raw, text);
    } else this.addRun(speaker, { exitCode: null, output: text }, steps, raw);
  }

  private addSpeech(speaker: Speaker, text: string, steps: Turn["sourceSteps"], raw: RawSpan[]): void {
    const { name, act } = speaker;
    const isCarriedOut = act === "hands_on" || (act === "thinks" && CARRIED_OUT.test(text));
    let turn = this.lastTurn;
    if (turn === null || turn.agent !== name || !isCarriedOut) {
      turn = this.writer.addTurn({ agent: this.agentNamed(name), sourceSteps: steps });
      this.lastTurn = turn;
    } else turn.sourceSteps.push(...steps);
    const kind = act === "hands_on" ? "handoff" : act === "says" ? "message" : isPlan(text) ? "plan" : "thought";
    this.writer.addItem(turn, { kind, author: AGENT, raw, text });
    const blocks = act === "says" ? codeBlocks(text) : [];
    if (blocks.length > 0) this.waiting = { turn, blocks, raw };
  }

  private agentNamed(name: string): string {
    if (!this.names.has(name)) this.agents.push({ id: name, name, startedByTurn: null });
    this.names.add(name);
    return name;
  }

  private context(
    contextKind: ContextItem["contextKind"],
    author: ContextItem["author"],
    sourceSteps: Turn["sourceSteps"],
    raw: RawSpan[],
    text: string,
  ): ContextItem {
    this.lastTurn = null;
    return this.writer.addContext({ contextKind, author, sourceSteps, raw, text });
  }
}

function isPlan(text: string): boolean {
  return /^(?:Initial|New) plan:/.test(text);
}

/** The text of a content, or of its parts; what is no text is shown as JSON. */
function textOf(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "";
  if (Array.isArray(value)) return value.map((part) => stringMember(part, "text") ?? textOf(part)).join("\n");
  return typeof value === "string" ? value : json(value);
}

function json(value: JsonValue): string {
  return storable(JSON.stringify(value, null, 2));
}
