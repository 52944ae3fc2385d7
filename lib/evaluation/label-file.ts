import { z } from "zod";
import { labelDefinition } from "@/lib/catalogue/label-definitions";
import type { FailureContext, FailureLabel } from "@/lib/trajectory/schema";

/** What a file of labels says about one run. */
interface RunLabels {
  labels: FailureLabel[];
  task: string | null;
}

/** A file of labels that stands beside the runs that it is about. */
export interface LabelFile {
  set: string;
  /** By the name of the run. */
  runs: ReadonlyMap<string, RunLabels>;
  /** Rows that are of another shape. */
  unread: number;
}

const idSchema = z.union([z.string().min(1), z.number()]).transform(String);

/**
 * A row of AgentRx's ground truth (microsoft/AgentRx, data/ground_truth/magentic_one_ground_truth.json; the published data
 * set adds `root_cause_failure_id`). `step_number` counts the messages of the run from 1 on.
 */
const agentRxSchema = z.object({
  trajectory_id: idSchema,
  failures: z.array(
    z.object({
      failure_id: idSchema,
      step_number: z.union([z.number(), z.string()]),
      step_reason: z.string().nullish(),
      failed_agent: z.string().nullish(),
    }),
  ),
  root_cause: z.object({ failure_id: idSchema }).nullish(),
  root_cause_failure_id: idSchema.nullish(),
});

const stagesSchema = z.array(z.object({ incorrect_step_ids: z.array(z.number()).default([]) }));

/**
 * A row of CodeTraceBench's manifest (NJU-LINK/CodeTracer, README, "Dataset Fields"). Stages may be JSON inside a text.
 * Step numbers are those of CodeTracer's own `steps.json`, from 1 on.
 */
const codeTraceSchema = z.object({
  traj_id: z.string().min(1),
  task_name: z.string().nullish(),
  incorrect_stages: z.union([stagesSchema, z.string().transform(parsedOrNull).pipe(stagesSchema)]),
});

/** Each format by what its rows are, and what one says. */
const FORMATS: readonly { set: string; read(row: unknown): [string, RunLabels] | null }[] = [
  { set: "AgentRx", read: readAgentRx },
  { set: "CodeTraceBench", read: readCodeTrace },
];

/** The numbering of CodeTracer's `steps.json`. */
export const CODETRACER_CONVENTION = "step_id";

/**
 * Reads a file of labels: a list of rows in JSON, or a row a line. Null when most rows are of no set that is known.
 */
export function readLabelFile(text: string): LabelFile | null {
  const rows = rowsOf(text);
  for (const { set, read } of FORMATS) {
    const found = rows.map(read).filter((row) => row !== null);
    if (found.length * 2 > rows.length) return { set, runs: new Map(found), unread: rows.length - found.length };
  }
  return null;
}

/** What of a path a run may be called by: each of its folders and its file, with and without what follows the first dot. */
export function namesIn(path: string): string[] {
  return path.split(/[\\/]/).flatMap((part) => [part, part.replace(/(?<=.)\..*$/, "")]);
}

/**
 * A failure with the labels that a file has for its run, by the first of the run's names that the file knows. Without one
 * it is a case that is not labelled: what the trace itself says counts as little as its absence would.
 */
export function withLabelsOf(
  file: LabelFile,
  failure: FailureContext,
  names: readonly string[],
): { failure: FailureContext; id: string | null } {
  const { labels: _, labelledCase: __, ...rest } = failure;
  const id = names.find((name) => file.runs.has(name)) ?? null;
  const found = id === null ? undefined : file.runs.get(id);
  const exclusion = found === undefined ? "not in the file of labels" : found.labels.length === 0 ? "no label" : null;
  const labelledCase = { dataset: file.set, split: null, id, task: found?.task ?? id, exclusion };
  if (found === undefined || exclusion !== null) return { failure: { ...rest, labelledCase }, id };
  return { failure: { ...rest, outcome: "failed", labels: found.labels, labelledCase }, id };
}

function readAgentRx(row: unknown): [string, RunLabels] | null {
  const { data } = agentRxSchema.safeParse(row);
  if (data === undefined) return null;
  const root = data.root_cause?.failure_id ?? data.root_cause_failure_id ?? null;
  const failure = data.failures.find(({ failure_id }) => failure_id === root);
  if (failure === undefined) return [data.trajectory_id, { labels: [], task: null }];
  const number = Number(failure.step_number);
  const step = Number.isInteger(number) ? String(number - 1) : String(failure.step_number);
  const said = { agent: failure.failed_agent ?? null, reason: failure.step_reason ?? null };
  return [data.trajectory_id, { labels: [labelOf("AgentRx", "messages", step, said)], task: null }];
}

function readCodeTrace(row: unknown): [string, RunLabels] | null {
  const { data } = codeTraceSchema.safeParse(row);
  if (data === undefined) return null;
  const steps = [...new Set(data.incorrect_stages.flatMap((stage) => stage.incorrect_step_ids))];
  const said = { agent: null, reason: null };
  const labels = steps.map((step) => labelOf("CodeTraceBench", CODETRACER_CONVENTION, String(step), said));
  return [data.traj_id, { labels, task: data.task_name ?? null }];
}

function labelOf(
  set: string,
  convention: string,
  step: string,
  said: Pick<FailureLabel, "agent" | "reason">,
): FailureLabel {
  const definition = labelDefinition(set);
  const label: FailureLabel = { kind: definition?.kind ?? "labelled step", step, convention, ...said };
  return definition === null ? label : { ...label, definition: { text: definition.text, source: definition.source } };
}

function rowsOf(text: string): unknown[] {
  const whole = parsedOrNull(text);
  if (Array.isArray(whole)) return whole;
  if (whole !== null) return [whole];
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  return lines.map(parsedOrNull);
}

/** A text's JSON, null when it is none. */
function parsedOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not swallowed: the row is counted as one that could not be read.
    return null;
  }
}
