import type { Agent, RawSpan, Turn } from "@/lib/trajectory/schema";
import { type EntryWriter, HARNESS } from "../../entries";
import { ConversationWriter, textOf } from "../../langchain/conversation";
import type { LangChainMessage } from "../../langchain/message";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, member, stringMember } from "../../safe-json";
import { holdsMessages, isElsewhere, messagesOf, modelOf, type PlacedMessage, type Run, usageOf } from "./run";

const MAIN = "main";
/** Runs inside of runs. */
const DEPTH_MAX = 200;
/** Begins what a message is known by that has no identifier. */
const SAID = "said";

/** Who works at a place of the tree: the main agent, or one that a tool started. */
interface Worker {
  agent: string;
  startedByTurn: number | null;
}

/** Writes the runs of one trace: a model's run is a turn, and what it was told that nobody said before is context. */
export class TraceWriter {
  readonly agents: Agent[];
  readonly conversation: ConversationWriter;
  /** What was shown, by agent: every prompt repeats the ones before it. */
  private readonly shown = new Map<string, Map<string, number>>();
  private readonly runs: Run[] = [];
  private readonly keys = new MessageKeys();

  constructor(
    private readonly writer: EntryWriter,
    private readonly notes: NoteBook,
    name: string,
  ) {
    this.agents = [{ id: MAIN, name, startedByTurn: null }];
    this.conversation = new ConversationWriter(writer, notes, MAIN);
  }

  write(roots: readonly Run[]): void {
    for (const root of roots) {
      const worker = { agent: MAIN, startedByTurn: null };
      this.walk(root, worker, 0);
      // A run without those that it started holds the conversation itself; others may hold what no model was told.
      const [asked, answered] = [messagesOf(root, "inputs"), messagesOf(root, "outputs")];
      // A graph's outputs are its whole state, which begins with its inputs.
      this.addMessages(answered.length > asked.length ? answered : [...asked, ...answered], root, worker);
      if (root.error !== null && root.type !== "llm") this.addError(root);
    }
    this.addRuns();
  }

  private walk(run: Run, worker: Worker, depth: number): void {
    this.runs.push(run);
    if (isElsewhere(run)) {
      const message = "Runs whose inputs or outputs are kept elsewhere: only their addresses are in the file";
      this.notes.add("kept_elsewhere", "not_understood", message, run.at);
    }
    if (run.type === "llm") this.addModelRun(run, worker);
    if (depth < DEPTH_MAX) {
      const inner = run.type === "tool" ? this.workerOf(run, worker) : worker;
      for (const child of run.children) this.walk(child, inner, depth + 1);
    }
    if (run.type === "tool") this.addToolRun(run, worker);
    if (depth === DEPTH_MAX) this.walkFlat(run, worker);
  }

  /** What is nested deeper than any agent goes, one after the other. */
  private walkFlat(run: Run, worker: Worker): void {
    const open = run.children.toReversed();
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      this.walk(next, worker, DEPTH_MAX + 1);
      open.push(...next.children.toReversed());
    }
  }

  /** Whoever asks a model below a tool is another agent; its name is the one that the call gives. */
  private workerOf(run: Run, worker: Worker): Worker {
    if (!run.asksModel) return worker;
    const call = this.callOf(run);
    const named = call === null ? null : stringMember(call.call.arguments ?? undefined, "subagent_type");
    const id = `run ${run.id ?? this.agents.length}`;
    this.agents.push({ id, name: named ?? run.name, startedByTurn: call?.turn.index ?? null });
    return { agent: id, startedByTurn: call?.turn.index ?? null };
  }

  /** The call that a tool's run carries out: the one whose identifier its message, its metadata or its input holds. */
  private callOf(run: Run): ReturnType<ConversationWriter["callOf"]> {
    const metadata = member(member(run.value, "extra"), "metadata");
    const inputs = member(run.value, "inputs");
    const [answer] = messagesOf(run, "outputs");
    const id =
      answer?.message.callId ??
      stringMember(metadata, "tool_call_id") ??
      stringMember(member(run.value, "extra"), "tool_call_id") ??
      stringMember(inputs, "tool_call_id") ??
      stringMember(inputs, "id");
    return id === null ? null : this.conversation.callOf(id);
  }

  private addModelRun(run: Run, worker: Worker): void {
    this.addMessages(messagesOf(run, "inputs"), run, worker);
    const answers = messagesOf(run, "outputs");
    if (answers.length === 0 && run.error !== null) this.addError(run);
    for (const [n, answer] of answers.entries()) {
      // Several answers share the tokens of their run.
      const usage = n === 0 ? (answer.message.usage ?? usageOf(run)) : null;
      const cost = n === 0 ? (usageOf(run)?.costUsd ?? null) : null;
      const keys = this.keys.of(answer.message);
      const isRepeated = keys.some((key) => !key.startsWith(SAID) && (this.shownTo(worker).get(key) ?? 0) > 0);
      for (const key of keys) this.count(worker, key);
      if (isRepeated) continue;
      const turn = this.place(answer, run, worker, usage === null ? null : { ...usage, costUsd: cost });
      if (turn === null || answer.message.kind !== "ai") continue;
      turn.startedAt = run.startedAt;
      if (run.id !== null) turn.sourceSteps.push({ convention: "run", step: run.id });
    }
  }

  /** Adds the messages of a list that this agent has not seen: of those that say the same, as many as are new. */
  private addMessages(messages: readonly PlacedMessage[], run: Run, worker: Worker): void {
    const here = new Map<string, number>();
    for (const placed of messages) {
      const keys = this.keys.of(placed.message);
      for (const key of keys) here.set(key, (here.get(key) ?? 0) + 1);
      const shown = this.shownTo(worker);
      if (keys.some((key) => (shown.get(key) ?? 0) >= (here.get(key) ?? 0))) continue;
      for (const key of keys) this.count(worker, key);
      this.place(placed, run, worker, placed.message.usage);
    }
  }

  private shownTo({ agent }: Worker): Map<string, number> {
    const shown = this.shown.get(agent) ?? new Map<string, number>();
    this.shown.set(agent, shown);
    return shown;
  }

  private count(worker: Worker, key: string): void {
    const shown = this.shownTo(worker);
    shown.set(key, (shown.get(key) ?? 0) + 1);
  }

  private place({ message, at }: PlacedMessage, run: Run, worker: Worker, usage: Turn["usage"]): Turn | null {
    return this.conversation.add(
      { ...message, usage: null },
      {
        raw: [at],
        agent: worker.agent,
        parentTurn: worker.startedByTurn,
        branch: null,
        steps: [],
        time: run.endedAt,
        model: message.kind === "ai" && run.type === "llm" ? modelOf(run) : null,
        usage,
      },
    );
  }

  private addToolRun(run: Run, worker: Worker): void {
    const open = this.callOf(run);
    const callId = open?.call.id ?? null;
    const [answer] = messagesOf(run, "outputs");
    if (callId === null) return;
    if (this.conversation.resultOf(callId) === null) {
      const output = member(run.value, "outputs");
      const content = answer?.message.content ?? member(output, "output") ?? output ?? "";
      const message: LangChainMessage = {
        kind: "tool",
        id: answer?.message.id ?? null,
        name: run.name,
        content: run.error ?? content,
        calls: [],
        callId,
        status: run.error === null ? (answer?.message.status ?? null) : "error",
        model: null,
        usage: null,
        reasoning: null,
        isSummary: false,
        fields: answer?.message.fields ?? {},
      };
      for (const key of this.keys.of(message)) this.count(worker, key);
      this.place({ message, at: answer?.at ?? run.at }, run, worker, null);
    }
    const result = this.conversation.resultOf(callId);
    if (result !== null) result.durationMs ??= durationMs(run);
  }

  private addError(run: Run): void {
    const text = `${run.name}: ${run.error}`;
    const raw = [{ ...run.at, pointer: `${run.at.pointer ?? ""}/error` }];
    this.writer.addContext({ contextKind: "injected", author: HARNESS, sourceSteps: [], raw, text });
  }

  /** What the runs hold besides messages, as one item of context: each run with its own fields. */
  private addRuns(): void {
    const raw: RawSpan[] = this.runs.map(({ at }) => at);
    const text = this.runs.map(({ value }) => JSON.stringify(withoutMessages(value))).join("\n");
    if (raw.length > 0)
      this.writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
  }
}

/** Tells by what a message is known again: its calls, or what it says, with the identifiers that it has. */
class MessageKeys {
  /** The last keys of an identifier: prompts repeat their messages, and their texts are long. */
  private readonly known = new Map<string, { kind: string; words: string; asked: string; keys: string[] }>();

  of(message: LangChainMessage): string[] {
    const { kind, calls, callId } = message;
    const words = textOf(message.content);
    const isResult = kind === "tool" && callId !== null;
    const asked = isResult ? "" : calls.map((call) => JSON.stringify(partsOf(call))).join(" ");
    const own = isResult ? `result ${callId}` : message.id === null ? null : `message ${message.id}`;
    const last = own === null ? undefined : this.known.get(own);
    // To compare texts takes a fraction of the time of putting them together and finding them in a map.
    if (last && last.kind === kind && last.words === words && last.asked === asked) return last.keys;
    const said = `${kind} ${words} ${asked}`;
    const keys = isResult ? [`${own} ${words}`] : [`${SAID} ${said}`];
    if (!isResult && message.id !== null) keys.unshift(`${message.id} ${said}`);
    if (own !== null) this.known.set(own, { kind, words, asked, keys });
    return keys;
  }
}

function partsOf({ id, name, arguments: given, text }: LangChainMessage["calls"][number]): JsonValue[] {
  return [id, name, given, text];
}

function durationMs(run: Run): number | null {
  const took = Date.parse(run.endedAt ?? "") - Date.parse(run.startedAt ?? "");
  return Number.isFinite(took) && took >= 0 ? took : null;
}

/** A run's own fields: those that it started stand in rows of their own, messages in turns and context. */
function withoutMessages(value: JsonObject): JsonObject {
  const rest: JsonObject = {};
  for (const [key, held] of Object.entries(value)) {
    if (key === "child_runs") continue;
    rest[key] = key === "inputs" || key === "outputs" ? withoutLists(held) : held;
  }
  return rest;
}

const MESSAGES = new Set(["messages", "message", "generations", "choices"]);

function withoutLists(side: JsonValue): JsonValue {
  if (!isObject(side)) return side;
  return Object.fromEntries(
    Object.entries(side).map(([key, held]) => [
      key,
      MESSAGES.has(key) && holdsMessages(held) ? "shown as messages" : held,
    ]),
  );
}
