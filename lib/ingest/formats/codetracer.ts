import { IngestError } from "@/lib/errors";
import { type RawSpan, TRAJECTORY_VERSION, type Turn } from "@/lib/trajectory/schema";
import type { Adapter, Parsed, ReportProgress, Sniff } from "../adapter";
import type { Content } from "../content";
import { callKindOf } from "../editor-commands";
import { AGENT, EntryWriter, HARNESS, plainResult, unknownFailure } from "../entries";
import { NoteBook } from "../notes";
import { fencedCommand } from "../rows/fences";
import { isObject, type JsonObject, type JsonValue, member, stringMember } from "../safe-json";
import { shellReads } from "../shell-reads";
import { aboutCodeTracer } from "./codetracer/about";

/** CodeTracer's `steps.json`: a run of any agent as steps with an action and its observation (docs/formats.md). */
export const codeTracer: Adapter = {
  id: "codetracer",
  about: aboutCodeTracer,
  sniff: sniffCodeTracer,
  parse: parseCodeTracer,
};

const LOOKED_AT = 20;
const REPORT_EVERY = 100;
const KNOWN_FIELDS = new Set(["step_id", "action", "observation", "thinking", "action_ref", "observation_ref"]);
const RETURN_CODE = /<returncode>(-?\d{1,10})<\/returncode>/;
const [OUTPUT, OUTPUT_END] = ["<output>", "</output>"];
/** How much of an observation is looked at for its code: it stands first. */
const HEAD_CHARS = 2_000;

function sniffCodeTracer(content: Content): Sniff {
  const value = content.kind === "document" ? content.json.value : null;
  const steps = Array.isArray(value) ? value.slice(0, LOOKED_AT) : [];
  if (steps.filter(isStep).length * 2 > steps.length) {
    return { score: 0.95, reason: "a list with `step_id`, `action` and `observation`" };
  }
  return { score: 0, reason: "no list of numbered actions and observations" };
}

function isStep(value: JsonValue): value is JsonObject {
  return (
    isObject(value) &&
    Object.hasOwn(value, "step_id") &&
    Object.hasOwn(value, "action") &&
    Object.hasOwn(value, "observation")
  );
}

function parseCodeTracer(content: Content, report: ReportProgress): Parsed {
  if (content.kind !== "document" || !Array.isArray(content.json.value)) {
    throw new IngestError("malformed", "steps of CodeTracer are one list", { byte: 0, line: 1, pointer: null });
  }
  const { value, layout, repairs } = content.json;
  const notes = new NoteBook();
  notes.addRepairs(repairs, null);
  const writer = new EntryWriter();
  for (const [n, step] of value.entries()) {
    const span = layout.elements[n];
    const raw = { line: null, pointer: `/${n}`, start: span?.start ?? null, end: span?.end ?? null };
    addStep(writer, notes, step, n, raw);
    if (n % REPORT_EVERY === 0) report(raw.end ?? 0, writer.turnCount);
  }
  report(content.source.bytes.length, writer.turnCount);
  return {
    trajectory: {
      version: TRAJECTORY_VERSION,
      format: { id: "codetracer", variant: "steps.json" },
      framework: { name: "CodeTracer", version: null },
      models: [],
      title: null,
      task: { statement: null, instance: null, repository: null, baseCommit: null },
      agents: [{ id: "main", name: "agent", startedByTurn: null }],
      entries: writer.finish(),
      deliveredPatch: null,
      exitStatus: null,
      totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
      notes: notes.list(),
    },
    failure: unknownFailure(),
  };
}

function addStep(writer: EntryWriter, notes: NoteBook, step: JsonValue, n: number, raw: RawSpan): void {
  if (!isStep(step)) {
    const message = "Elements that are no steps; kept as they stand";
    notes.add("step_not_understood", "not_understood", message, raw);
    const text = JSON.stringify(step);
    writer.addContext({ contextKind: "opaque", author: HARNESS, sourceSteps: [], raw: [raw], text });
    return;
  }
  const unknown = Object.keys(step).filter((key) => !KNOWN_FIELDS.has(key));
  const message = "Fields of steps that are not known; they stay in the raw record";
  notes.add("fields_not_shown", "information", message, raw, unknown.length);
  const number = typeof step.step_id === "number" ? step.step_id : n + 1;
  const turn = writer.addTurn({ agent: "main", sourceSteps: [{ convention: "step_id", step: String(number) }] });
  const say = (kind: "thought" | "message", text: string): void => {
    if (text !== "") writer.addItem(turn, { kind, author: AGENT, raw: [raw], text });
  };
  say("thought", stringMember(step, "thinking") ?? "");
  // The reference holds the lines of the run's own file that the action was taken from.
  const action = stringMember(step, "action") || (stringMember(member(step, "action_ref"), "content") ?? "");
  const fenced = fencedCommand(action);
  say("message", (fenced?.words ?? "").trim());
  const command = (fenced?.command ?? action).trim();
  const call = command === "" ? null : addCommand(writer, turn, command, raw);
  const observation = stringMember(step, "observation");
  if (observation !== null) addObservation(writer, turn, call, command, observation, raw);
  if (turn.items.length > 0) return;
  const reason = "a step without action and observation";
  writer.addItem(turn, { kind: "opaque", author: AGENT, raw: [raw], text: JSON.stringify(step), reason });
}

function addCommand(writer: EntryWriter, turn: Turn, command: string, raw: RawSpan): string {
  const callKind = callKindOf("bash", command, null);
  const base = { callKind, tool: "bash", callId: null, arguments: null, text: command };
  return writer.addItem(turn, { kind: "call", author: AGENT, raw: [raw], ...base }).id;
}

function addObservation(
  writer: EntryWriter,
  turn: Turn,
  call: string | null,
  command: string,
  observation: string,
  raw: RawSpan,
): void {
  const code = RETURN_CODE.exec(observation.slice(0, HEAD_CHARS))?.[1];
  const exitCode = code === undefined ? null : Number(code);
  const output = outputIn(observation);
  writer.addItem(
    turn,
    plainResult(observation, [raw], {
      author: call === null ? HARNESS : { role: "tool", name: "bash" },
      callItem: call,
      exitCode,
      isError: exitCode === null ? null : exitCode !== 0,
      reads: exitCode === 0 && output !== null ? shellReads(command, output) : [],
    }),
  );
}

/** What the command printed, where the observation marks it and nothing was left out. */
function outputIn(observation: string): string | null {
  const text = observation.trimEnd();
  const start = text.indexOf(OUTPUT);
  if (start === -1 || !text.endsWith(OUTPUT_END)) return null;
  const from = start + OUTPUT.length;
  return text.slice(text[from] === "\n" ? from + 1 : from, text.length - OUTPUT_END.length);
}
