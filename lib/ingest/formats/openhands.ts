import { TRAJECTORY_VERSION, type Trajectory, turnsOf, type Usage } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress } from "../adapter";
import type { Content } from "../content";
import { unknownFailure } from "../entries";
import { NoteBook } from "../notes";
import { isObject, type JsonValue, member, storable, stringMember } from "../safe-json";
import { decodeUtf8 } from "../text-decoding";
import { sumUsage } from "../usage-sum";
import { aboutOpenHands } from "./openhands/about";
import { addAround, addFiles, instructionOf } from "./openhands/beside";
import { splitOpenHands } from "./openhands/conversations";
import { sniffOpenHands } from "./openhands/detection";
import { readEvaluation } from "./openhands/evaluation";
import type { BrokenRecord, EventRecord, ObjectRecord } from "./openhands/event-record";
import { readMetrics } from "./openhands/metrics";
import { openRun } from "./openhands/opened-run";
import { Repetitions } from "./openhands/repetitions";
import { RunWriter } from "./openhands/run-writer";
import { eventShape } from "./openhands/shapes";
import { durationOf } from "./openhands/times";
import { addV0Event, fromViewer } from "./openhands/v0-events";
import { addV1Event } from "./openhands/v1-events";
import { type Seen, variantOf } from "./openhands/variant";

/** Runs of OpenHands: events of V0 and OpenDevin, of the SDK (V1), and rows of evaluations with either (docs/formats.md). */
export const openHands: Adapter = {
  id: "openhands",
  about: aboutOpenHands,
  sniff: sniffOpenHands,
  split: splitOpenHands,
  parse: parseOpenHands,
};

const REPORT_EVERY = 200;

function parseOpenHands(content: Content, report: ReportProgress, key: string | null): Parsed {
  const notes = new NoteBook();
  const opened = openRun(content, key, notes);
  const { around } = opened;
  const evaluation = around?.isRow === true ? readEvaluation(around) : null;
  const run = new RunWriter(evaluation?.agent ?? "OpenHands", notes);
  const instruction = around?.isRow === true ? instructionOf(around) : null;
  if (instruction !== null && !instruction.isSaidAgain) run.addInstruction(instruction.at, instruction.text);

  const seen: Seen = { v0: 0, v1: 0, viewer: 0, reprs: 0, pairs: 0 };
  const bytesOf = bytesIn(content);
  const repetitions = new Repetitions(bytesOf, notes);
  let bytesDone = 0;
  let count = 0;
  for (const record of opened.events) {
    if (!repetitions.isRepeated(record)) addEvent(run, record, seen, bytesOf);
    // Its places may still be asked for, what it says may not: lines are read one after the other.
    if (!("why" in record)) record.value = null;
    bytesDone = Math.max(bytesDone, record.at.file === undefined ? (record.at.end ?? 0) : 0);
    if (++count % REPORT_EVERY === 0) report(bytesDone, run.writer.turnCount);
  }
  if (instruction?.isSaidAgain === true) run.task?.raw.push(instruction.at);
  const state = addFiles(run, opened.files);
  if (around !== null) addAround(run, around, instruction !== null && run.task !== null);
  report(content.source.bytes.length, run.writer.turnCount);

  const stated = readMetrics(member(around?.value, "metrics") ?? member(state, "stats")) ?? readMetrics(run.metrics);
  run.countTokens(stated?.byResponse ?? new Map());
  const entries = run.writer.finish();
  const model = evaluation?.model ?? stringMember(member(member(state, "agent"), "llm"), "model");
  const models = run.models.size > 0 ? [...run.models] : model === null ? (stated?.models ?? []) : [model];
  const trajectory: Trajectory = {
    version: TRAJECTORY_VERSION,
    format: { id: "openhands", variant: variantOf(seen, opened, run.agents.length > 1) },
    framework: { name: "OpenHands", version: run.version },
    models,
    title: null,
    task: {
      statement: evaluation?.task.statement ?? run.task?.text ?? null,
      instance: evaluation?.task.instance ?? null,
      repository: evaluation?.task.repository ?? null,
      baseCommit: evaluation?.task.baseCommit ?? null,
    },
    agents: run.agents,
    entries,
    deliveredPatch: evaluation?.patch ?? null,
    exitStatus: stringMember(state, "execution_status") ?? run.ending ?? (run.hasFinished ? "finished" : null),
    totals: totalsOf(run, stated?.total ?? null),
    notes: notes.list(),
  };
  // One model answered for every turn when the run names only one.
  const [only, ...others] = models;
  for (const turn of turnsOf(trajectory)) if (others.length === 0) turn.model ??= only ?? null;
  return { trajectory, failure: evaluation?.failure ?? unknownFailure() };
}

/** What the run states of all of it counts, and the sum of its turns where it states nothing. */
function totalsOf(run: RunWriter, stated: Usage | null): Trajectory["totals"] {
  const usages = run.writer.entries.flatMap((entry) => (entry.kind === "turn" && entry.usage ? [entry.usage] : []));
  const counted = sumUsage(usages);
  return {
    inputTokens: stated?.inputTokens ?? counted.inputTokens,
    cachedTokens: stated?.cachedTokens ?? counted.cachedTokens,
    outputTokens: stated?.outputTokens ?? counted.outputTokens,
    costUsd: stated?.costUsd ?? null,
    durationMs: durationOf(run.times),
  };
}

function addEvent(
  run: RunWriter,
  record: EventRecord | BrokenRecord,
  seen: Seen,
  bytesOf: (record: EventRecord | BrokenRecord) => Uint8Array,
): void {
  if ("why" in record) {
    run.addOpaque(record, record.why, storable(decodeUtf8(bytesOf(record)).text));
    return;
  }
  const { value } = record;
  const shape = eventShape(value);
  if (record.isAnswer) seen.pairs++;
  if (shape !== null) seen[shape]++;
  if (shape === "viewer" && isObject(value)) record.value = fromViewer(value);
  if (shape !== null && isOfObject(record)) {
    if (shape === "v1") addV1Event(run, record);
    else addV0Event(run, record);
  } else if (typeof value === "string") {
    seen.reprs++;
    run.addOpaque(record, "what Python prints of an event", value);
  } else run.addOpaque(record, whatOf(value), run.texts.json(value, record.at));
}

function isOfObject(record: EventRecord): record is ObjectRecord {
  return isObject(record.value);
}

function whatOf(value: JsonValue): string {
  const kind = stringMember(value, "kind");
  if (kind !== null) return `one of kind ${kind}`;
  return isObject(value) ? "one that is neither an action nor an observation" : "one that is not an object";
}

/** The bytes of an event, in whichever file of the content it stands; none where its place is not exact. */
function bytesIn(content: Content): (record: EventRecord | BrokenRecord) => Uint8Array {
  const files = new Map(content.kind === "files" ? content.files.map(({ path, bytes }) => [path, bytes]) : []);
  return ({ at }) => {
    const bytes = at.file === undefined ? content.source.bytes : (files.get(at.file) ?? new Uint8Array());
    return bytes.subarray(at.start ?? 0, at.end ?? 0);
  };
}
