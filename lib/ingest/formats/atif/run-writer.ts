import type { Agent, Author, ContextItem, RawSpan, Turn } from "@/lib/trajectory/schema";
import { AGENT, EntryWriter, HARNESS, PERSON, plainResult } from "../../entries";
import type { NoteBook } from "../../notes";
import { readWrittenCalls } from "../../rows/function-text";
import { stringMember } from "../../safe-json";
import { kindOfCall } from "../../tool-kinds";
import { answerOf, isOneScreen, type MadeCall, waitingById } from "./answers";
import { isCompaction, taskIn } from "./between";
import { hasUnusedRecord, recordedResult } from "./claude-record";
import { Terminal } from "./keystrokes";
import { isPlaceholder, joinsTurn, largerUsage } from "./responses";
import type { Step, StepCall, StepResult } from "./steps";
import { readTerminus } from "./terminus";

/** Whose steps are written: an agent of the run, where its own numbers begin, and what its document knows. */
export interface Speaker {
  agent: string;
  /** What stands before a step's number, so that it is told from those of other documents. */
  prefix: string;
  parentTurn: number | null;
  model: string | null;
  /** True when some of the agent's steps state tokens: then those that do not go on with an answer. */
  hasMetrics: boolean;
}

/** Turns steps into entries. */
export class RunWriter {
  readonly writer = new EntryWriter();
  readonly agents: Agent[] = [];
  readonly models = new Set<string>();
  statement: string | null = null;
  times: { first: number; last: number } | null = null;
  /** The last turn of anybody. */
  last: Turn | null = null;
  /** The turn that the next step may join, its last step, and steps of it that no item holds yet. */
  private open: { turn: Turn; step: Step; bare: RawSpan[] } | null = null;
  private readonly calls = new Map<string, MadeCall>();
  private readonly terminals = new Map<string, Terminal>();
  private readonly said = new Set<string>();

  constructor(readonly notes: NoteBook) {}

  /** Begins a document: nothing of it goes on with an answer of another. */
  begin(): void {
    this.close();
  }

  /** Adds a step; returns the turn that it belongs to or follows. */
  add(step: Step, speaker: Speaker): Turn | null {
    this.noteFacts(step);
    if (step.source === "agent" && !step.isCopied) this.addAgent(step, speaker);
    else {
      this.close();
      this.addOther(step, speaker);
    }
    return this.last;
  }

  /** Ends the turn that later steps could join. One that holds nothing says so. */
  private close(): void {
    const { open } = this;
    this.open = null;
    if (open === null || open.bare.length === 0) return;
    const { turn, step, bare } = open;
    const last = turn.items.at(-1);
    if (last !== undefined) {
      last.raw = [...last.raw, ...bare];
      return;
    }
    const message = "Steps of the agent in which nothing is said and nothing called";
    this.notes.add("empty_message", "information", message, step.raw);
    this.writer.addItem(turn, { kind: "message", author: AGENT, raw: bare, text: "" });
  }

  /** Adds what is no step, with its source. */
  addUnknown(what: string, text: string, raw: RawSpan): void {
    this.notes.add("step_not_understood", "not_understood", `Steps that could not be read, such as ${what}`, raw);
    this.writer.addContext({ contextKind: "opaque", author: HARNESS, sourceSteps: [], raw: [raw], text });
  }

  private addOther(step: Step, speaker: Speaker): void {
    const results = step.results.map((result) => result.text).filter((text) => text !== "");
    const calls = step.calls.map((call) => JSON.stringify({ [call.tool]: call.arguments ?? call.text }));
    const text = [step.message, step.reasoning, ...calls, ...results].filter((part) => part !== "").join("\n");
    if (step.isCopied && this.said.has(text)) {
      const message = "Steps copied from an earlier part of the run, which stand there already";
      this.notes.add("copied_step", "information", message, step.raw);
      return;
    }
    this.said.add(text);
    const { contextKind, author } = this.kindOf(step, speaker, text);
    const sourceSteps = [stepOf(step, speaker)];
    this.writer.addContext({ contextKind, author, sourceSteps, raw: [step.raw], text });
  }

  private kindOf(
    step: Step,
    speaker: Speaker,
    text: string,
  ): { contextKind: ContextItem["contextKind"]; author: Author } {
    const isMain = speaker.agent === "main";
    if (step.source === "user" && isMain && this.statement === null) {
      this.statement = taskIn(text);
      return { contextKind: "task", author: PERSON };
    }
    if (step.isCopied) return { contextKind: "injected", author: step.source === "agent" ? AGENT : HARNESS };
    if (step.source === "user") {
      // What a sub-agent is told comes from the agent that started it.
      return isMain ? { contextKind: "person", author: PERSON } : { contextKind: "injected", author: AGENT };
    }
    if (step.source === "system") {
      if (isCompaction(step)) return { contextKind: "compaction", author: HARNESS };
      const isPrompt = this.last === null && this.statement === null;
      return { contextKind: isPrompt || step.id === "1" ? "system" : "injected", author: HARNESS };
    }
    const message = `Steps of a source that is not known, such as ${step.source.slice(0, 40) || "none"}`;
    this.notes.add("step_not_understood", "not_understood", message, step.raw);
    return { contextKind: "opaque", author: HARNESS };
  }

  private addAgent(step: Step, speaker: Speaker): void {
    const turn = this.turnFor(step, speaker);
    const bare = this.open?.bare ?? [];
    const known = turn.items.length;
    const written = this.addWords(turn, step, speaker);
    const calls = [...written, ...step.calls.map((call) => this.addCall(turn, call, step, speaker))];
    this.addResults(turn, step, calls, speaker);
    const first = turn.items[known];
    if (first !== undefined && bare.length > 0) first.raw = [...bare, ...first.raw];
    this.open = { turn, step, bare: first === undefined ? [...bare, step.raw] : [] };
    this.last = turn;
  }

  private turnFor(step: Step, speaker: Speaker): Turn {
    const { open } = this;
    const isSame =
      open !== null && open.turn.agent === speaker.agent && joinsTurn(step, open.turn, open.step, speaker.hasMetrics);
    if (!isSame) this.close();
    const turn = isSame
      ? open.turn
      : this.writer.addTurn({
          agent: speaker.agent,
          parentTurn: speaker.parentTurn,
          sourceSteps: [],
          startedAt: step.time,
          model: step.model ?? speaker.model,
        });
    turn.sourceSteps.push(stepOf(step, speaker));
    turn.endedAt = step.time ?? turn.endedAt;
    turn.usage = largerUsage(turn.usage, step.usage);
    if (turn.model !== null) this.models.add(turn.model);
    const cwd = stringMember(step.extra, "cwd");
    if (cwd?.startsWith("/")) {
      turn.state ??= { when: "before", workingDirectory: cwd, openFile: null, cumulativeDiff: null };
    }
    return turn;
  }

  /** Adds what a step says; returns the calls that its text makes. */
  private addWords(turn: Turn, step: Step, speaker: Speaker): MadeCall[] {
    const raw = [step.raw];
    const thought = step.reasoning.trim();
    const isKnown = turn.items.some((item) => item.kind === "thought" && item.text.trim() === thought);
    if (thought !== "" && !isKnown) {
      this.writer.addItem(turn, { kind: "thought", author: AGENT, raw, text: step.reasoning });
    }
    if (isPlaceholder(step)) {
      const message = "Words of the converter in place of a message (`Executed ...`); not shown as the agent's";
      this.notes.add("converter_words", "information", message, step.raw);
      return [];
    }
    const terminus = step.calls.length === 0 ? readTerminus(step.message) : null;
    if (terminus === null) return this.addMessage(turn, step, speaker);
    const { analysis, plan, around } = terminus;
    if (around !== "") this.writer.addItem(turn, { kind: "message", author: AGENT, raw, text: around });
    if (analysis !== "") this.writer.addItem(turn, { kind: "thought", author: AGENT, raw, text: analysis });
    if (plan !== "") this.writer.addItem(turn, { kind: "plan", author: AGENT, raw, text: plan });
    const typed = terminus.commands.map((command) =>
      this.addCall(turn, { id: null, tool: "keystrokes", arguments: command, text: null }, step, speaker),
    );
    if (terminus.isComplete) {
      this.addCall(turn, { id: null, tool: "task_complete", arguments: {}, text: null }, step, speaker);
    }
    return typed;
  }

  /** Adds a message, and the calls that it writes as text when the step has none of its own. */
  private addMessage(turn: Turn, step: Step, speaker: Speaker): MadeCall[] {
    const isPlain = step.calls.length > 0 || !step.message.includes("<function=");
    const { words, calls } = isPlain ? { words: step.message, calls: [] } : readWrittenCalls(step.message);
    this.said.add(step.message);
    const broken = calls.filter((call) => call.arguments === null).map((call) => call.text);
    const text = [words, ...broken].join("\n");
    if (text.trim() !== "") {
      const shown = isPlain ? text : text.trim();
      this.writer.addItem(turn, { kind: "message", author: AGENT, raw: [step.raw], text: shown });
    }
    return calls
      .filter((call) => call.arguments !== null)
      .map((call) =>
        this.addCall(turn, { id: null, tool: call.tool, arguments: call.arguments, text: null }, step, speaker),
      );
  }

  private addCall(turn: Turn, call: StepCall, step: Step, speaker: Speaker): MadeCall {
    const keystrokes = stringMember(call.arguments ?? undefined, "keystrokes");
    const line = keystrokes === null ? null : this.terminalOf(speaker).type(keystrokes);
    const kind = keystrokes === null ? kindOfCall(call.tool, call.arguments, call.text) : null;
    const item = this.writer.addItem(turn, {
      kind: "call",
      author: AGENT,
      raw: [step.raw],
      // A line that is not certain is no command line: what it does to files is not told.
      callKind: kind ?? (line === null ? "other" : kindOfCall("bash", null, line)),
      tool: call.tool,
      callId: call.id,
      arguments: call.arguments,
      text: line ?? call.text,
    });
    if (call.arguments === null) {
      const message = "Arguments of calls that are no JSON object; kept as text";
      this.notes.add("arguments_not_json", "information", message, step.raw);
    }
    const made = { turn, item };
    if (call.id !== null) this.calls.set(`${speaker.agent} ${call.id}`, made);
    return made;
  }

  private terminalOf(speaker: Speaker): Terminal {
    const known = this.terminals.get(speaker.agent) ?? new Terminal();
    this.terminals.set(speaker.agent, known);
    return known;
  }

  private addResults(turn: Turn, step: Step, calls: MadeCall[], speaker: Speaker): void {
    if (isOneScreen(step, calls)) {
      this.addScreen(turn, step, calls, speaker);
      return;
    }
    const given = step.results.length > 0 || calls.length !== 1 ? step.results : recordedResult(step);
    const waiting = waitingById(calls);
    const isInOrder = given.every((result) => result.callId === null) && given.length === calls.length;
    for (const [n, result] of given.entries()) {
      const own = result.callId === null ? undefined : waiting.get(result.callId)?.shift();
      const earlier = result.callId === null ? undefined : this.calls.get(`${speaker.agent} ${result.callId}`);
      const call = own ?? earlier ?? (isInOrder ? calls[n] : undefined) ?? null;
      if (result.text === "" && result.media.length === 0 && result.references.length === 0 && call === null) continue;
      this.addResult(turn, step, result, call, calls.length === 1 ? step.calls[0] : undefined);
      this.terminals.get(speaker.agent)?.see(result.text);
    }
  }

  /** One screen answers all keystrokes of a step: it stands with the last of them, and the others say nothing more. */
  private addScreen(turn: Turn, step: Step, calls: MadeCall[], speaker: Speaker): void {
    const [result] = step.results;
    const last = calls.at(-1);
    if (result === undefined || last === undefined) return;
    for (const { item } of calls.slice(0, -1)) {
      const author = { role: "tool" as const, name: item.tool };
      this.writer.addItem(turn, plainResult("", [step.raw], { author, callItem: item.id }));
    }
    const message = "Keystrokes of one step, which share the screen after the last of them";
    this.notes.add("shared_screen", "information", message, step.raw, calls.length - 1);
    this.addResult(turn, step, result, last, undefined);
    this.terminals.get(speaker.agent)?.see(result.text);
  }

  private addResult(
    turn: Turn,
    step: Step,
    result: StepResult,
    call: MadeCall | null,
    only: StepCall | undefined,
  ): void {
    const { item, directory } = answerOf(step, result, call?.item ?? null, only);
    if (call === null && step.calls.length > 0) {
      const message = "Results that say of no call that they answer it";
      this.notes.add("result_without_call", "information", message, step.raw);
    }
    this.writer.addItem(call?.turn ?? turn, item);
    if (directory === null || turn.state !== null) return;
    turn.state = { when: "after", workingDirectory: directory, openFile: null, cumulativeDiff: null };
  }

  private noteFacts(step: Step): void {
    const ms = step.time === null ? Number.NaN : Date.parse(step.time);
    if (!Number.isNaN(ms)) {
      this.times = { first: Math.min(ms, this.times?.first ?? ms), last: Math.max(ms, this.times?.last ?? ms) };
    }
    for (const type of [...step.media, ...step.results.flatMap((result) => result.media)]) {
      const message = `Parts that are named and not shown, such as ${type.slice(0, 40)}`;
      this.notes.add("media_not_shown", "information", message, step.raw);
    }
    if (hasUnusedRecord(step)) {
      const message = "What a converter recorded of a tool beside no one call of the step; the raw record holds it";
      this.notes.add("tool_record_not_used", "information", message, step.raw);
    }
    for (const key of step.unread) {
      const message = `Fields of steps that stay in the raw record, such as \`${key.slice(0, 40)}\``;
      this.notes.add("fields_not_shown", "information", message, step.raw);
    }
  }
}

function stepOf(step: Step, { prefix }: Speaker): { convention: string; step: string } {
  return { convention: "step_id", step: `${prefix}${step.id}` };
}
