import { IngestError } from "@/lib/errors";
import { type RawSpan, TRAJECTORY_VERSION, type Trajectory, type Turn } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress, Sniff } from "../adapter";
import type { Content } from "../content";
import { AGENT, EntryWriter, HARNESS, PERSON, plainResult, unknownFailure } from "../entries";
import { NoteBook } from "../notes";
import { countMember, isObject, type JsonObject, type JsonValue, member, stringMember } from "../safe-json";
import { shellCallKind } from "../shell-kind";
import { windowLines } from "../skill-windows";
import { usageOfTurns } from "../usage-sum";
import { aboutDevAi } from "./devai/about";

/** Trajectories of the DevAI benchmark: a list of steps for every agent that it ran (formats: docs/formats.md). */
export const devAi: Adapter = { id: "devai", about: aboutDevAi, sniff: sniffDevAi, parse: parseDevAi };

const LOOKED_AT = 50;

function isStep(value: JsonValue | undefined): value is JsonObject {
  const agent = member(value, "agent");
  if (!isObject(value) || !isObject(agent) || !Object.hasOwn(value, "environment")) return false;
  return Object.hasOwn(value, "step") && Object.hasOwn(agent, "thought") && Object.hasOwn(agent, "action");
}

function sniffDevAi(content: Content): Sniff {
  const list = content.kind === "document" ? content.json.value : null;
  const first = Array.isArray(list) ? list.slice(0, LOOKED_AT) : [];
  const steps = first.filter(isStep).length;
  return steps > 0 && steps * 2 >= first.length
    ? { score: 0.9, reason: "steps with `agent` (`thought`, `action`) and `environment`" }
    : { score: 0, reason: "no list of steps with `agent` and `environment`" };
}

function parseDevAi(content: Content, report: ReportProgress): Parsed {
  if (content.kind !== "document") throw new IngestError("malformed", "a DevAI trajectory is one list of steps");
  const { value, layout, repairs } = content.json;
  const notes = new NoteBook();
  notes.addRepairs(repairs, null);
  const run = new StepWriter();
  const steps = Array.isArray(value) ? value : [];
  for (const [n, step] of steps.entries()) {
    const place = layout.elements[n];
    const at: RawSpan = { line: null, pointer: `/${n}`, start: place?.start ?? null, end: place?.end ?? null };
    if (isStep(step)) run.add(step, at);
    else {
      notes.add("step_not_understood", "not_understood", "Elements that are not steps; kept as they stand", at);
      run.addOpaque(JSON.stringify(step), at);
    }
    if (n % 100 === 99) report(at.end ?? 0, run.writer.turnCount);
  }
  report(content.source.bytes.length, run.writer.turnCount);
  const entries = run.writer.finish();
  const turns = entries.filter((entry): entry is Turn => entry.kind === "turn");
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "devai", variant: "steps" },
    framework: { name: run.isOpenHands ? "OpenHands" : "DevAI", version: null },
    models: [...new Set(turns.flatMap(({ model }) => model ?? []))],
    title: null,
    task: { statement: run.task, instance: null, repository: null, baseCommit: null },
    agents: [...run.agents].map(([id, name]) => ({ id, name, startedByTurn: null })),
    entries,
    deliveredPatch: null,
    exitStatus: null,
    totals: totalsOf(turns, steps),
    notes: notes.list(),
  };
  if (trajectory.agents.length === 0) trajectory.agents.push({ id: "main", name: "Agent", startedByTurn: null });
  return { trajectory, failure: unknownFailure() };
}

const SHELL = "Running command: ";
const NOTEBOOK = "Running Python code interactively: ";

class StepWriter {
  readonly writer = new EntryWriter();
  readonly agents = new Map<string, string>();
  task: string | null = null;
  isOpenHands = false;

  add(step: JsonObject, at: RawSpan): void {
    const raw = [at];
    const sourceSteps = typeof step.step === "number" ? [{ convention: "step", step: String(step.step) }] : [];
    const said = stringMember(step, "user_message");
    if (said !== null && said.trim() !== "") {
      const contextKind = this.task === null ? ("task" as const) : ("person" as const);
      this.task ??= said;
      this.writer.addContext({ contextKind, author: PERSON, sourceSteps, raw, text: said });
    }
    const usage = member(step, "step_usage");
    const turn = this.writer.addTurn({
      agent: this.agentOf(step),
      sourceSteps,
      model: stringMember(usage, "model"),
      usage: usageOf(usage),
    });
    const thought = stringMember(step.agent, "thought") ?? "";
    const action = textOf(member(step.agent, "action"));
    const answer = textOf(step.environment);
    const kind = action === null ? ("message" as const) : ("thought" as const);
    // A turn holds something, even if it is nothing that was said.
    if (thought.trim() !== "" || (action === null && answer === null)) {
      this.writer.addItem(turn, { kind, author: AGENT, raw, text: thought });
    }
    const called = action === null ? null : this.addCall(turn, action, raw);
    if (answer === null) return;
    const reads = called?.tool === "run_ipython" ? windowLines(answer) : [];
    const durationMs = secondsOf(usage, "step_execution_time");
    this.writer.addItem(turn, plainResult(answer, raw, { callItem: called?.id ?? null, durationMs, reads }));
  }

  addOpaque(text: string, at: RawSpan): void {
    this.writer.addContext({ contextKind: "opaque", author: HARNESS, sourceSteps: [], raw: [at], text });
  }

  private addCall(turn: Turn, action: string, raw: RawSpan[]): { id: string; tool: string } {
    const base = { kind: "call" as const, author: AGENT, raw, callId: null };
    const isShell = action.startsWith(SHELL);
    const isNotebook = action.startsWith(NOTEBOOK);
    this.isOpenHands ||= isShell || isNotebook;
    if (isShell) {
      const command = action.slice(SHELL.length);
      const callKind = shellCallKind(command);
      return this.writer.addItem(turn, { ...base, callKind, tool: "run", arguments: { command }, text: null });
    }
    if (isNotebook) {
      const code = action.slice(NOTEBOOK.length);
      return this.writer.addItem(turn, {
        ...base,
        callKind: "execute",
        tool: "run_ipython",
        arguments: { code },
        text: null,
      });
    }
    return this.writer.addItem(turn, { ...base, callKind: "other", tool: "action", arguments: null, text: action });
  }

  private agentOf(step: JsonObject): string {
    const name = stringMember(step.agent, "agent_name")?.trim() || null;
    const id = name === null ? "main" : `agent ${name}`;
    if (!this.agents.has(id)) this.agents.set(id, name ?? "Agent");
    return id;
  }
}

/** A text, or another value as JSON; null when there is nothing. */
function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

function usageOf(usage: JsonValue | undefined): Turn["usage"] {
  const [inputTokens, outputTokens] = [countMember(usage, "input_tokens"), countMember(usage, "output_tokens")];
  // A cost of zero was not measured: models without a price count it.
  const costUsd = countMember(usage, "cost") || null;
  if (inputTokens === null && outputTokens === null && costUsd === null) return null;
  return { inputTokens, cachedTokens: null, outputTokens, costUsd };
}

function secondsOf(value: JsonValue | undefined, key: string): number | null {
  const seconds = countMember(value, key);
  return seconds === null ? null : Math.round(seconds * 1000);
}

function totalsOf(turns: readonly Turn[], steps: readonly JsonValue[]): Trajectory["totals"] {
  const usage = usageOfTurns(turns);
  const last = steps.findLast((step) => isObject(member(step, "accumulated_usage")));
  return {
    inputTokens: usage.inputTokens,
    cachedTokens: null,
    outputTokens: usage.outputTokens,
    costUsd: usage.costUsd,
    durationMs: secondsOf(member(last, "accumulated_usage"), "accumulated_time"),
  };
}
