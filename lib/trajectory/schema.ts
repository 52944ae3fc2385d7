import { z } from "zod";

/** The version of the canonical trajectory that this file describes. Stored with every import. */
export const TRAJECTORY_VERSION = 1;

/**
 * A piece of the upload. `start` and `end` are byte offsets (end exclusive) into the stored upload; `line` is 1-based;
 * `pointer` is a JSON pointer (RFC 6901) inside the document or, when `line` is given, inside that line. In an archive,
 * a folder or a database `file` names the file (or `table/row number`), and the rest counts from the beginning of it.
 */
export const rawSpanSchema = z.object({
  line: z.number().int().min(1).nullable(),
  pointer: z.string().nullable(),
  start: z.number().int().min(0).nullable(),
  end: z.number().int().min(0).nullable(),
  file: z.string().optional(),
});
export type RawSpan = z.infer<typeof rawSpanSchema>;

/** Who wrote an item. `harness` is the framework around the agent: format-error notices, reminders, injected text. */
export const authorSchema = z.object({
  role: z.enum(["agent", "tool", "person", "harness"]),
  name: z.string().nullable(),
});
export type Author = z.infer<typeof authorSchema>;

/**
 * What the trace itself recorded about one file as the effect of a result (formats.md W8).
 * `before` and `after` are whole contents; null means that the trace does not hold it; `exists*` false means no such file.
 * `patch` is unified-diff text without needing a file header. `byPerson` is true when a person changed the text before it was written.
 */
export const recordedFileSchema = z.object({
  path: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  existedBefore: z.boolean().nullable(),
  patch: z.string().nullable(),
  byPerson: z.boolean(),
});
export type RecordedFile = z.infer<typeof recordedFileSchema>;

/**
 * Lines of a file that a result shows without being cut: `startLine` is 1-based, `text` has no line-number prefixes.
 * `whole` is true when this is the complete file.
 */
export const readFileSchema = z.object({
  path: z.string(),
  startLine: z.number().int().min(1),
  text: z.string(),
  totalLines: z.number().int().min(0).nullable(),
  whole: z.boolean(),
});
export type ReadFile = z.infer<typeof readFileSchema>;

const itemBase = {
  /** Unique in the trajectory and stable for the same bytes and parser version, for example `t12.3` or `c4`. */
  id: z.string().min(1),
  author: authorSchema,
  raw: z.array(rawSpanSchema),
  /** Place in the order in which things became known. A result counts from here, not from where it is shown. */
  arrival: z.number().int().min(0),
};

export const textItemSchema = z.object({
  ...itemBase,
  kind: z.enum(["thought", "message", "plan", "handoff", "review"]),
  text: z.string(),
});
export type TextItem = z.infer<typeof textItemSchema>;

type Json = z.core.util.JSONType;

/** An object of JSON values, as it is: a record of zod's would drop a key `__proto__`, which an argument may have. */
const jsonObjectSchema = z.custom<{ [key: string]: Json }>(
  (value) => typeof value === "object" && value !== null && !Array.isArray(value) && isJson(value),
  "not an object of JSON values",
);

function isJson(value: unknown): boolean {
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value === "number") return Number.isFinite(value);
  if (typeof value !== "object") return false;
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && Object.values(value).every(isJson);
}

export const callKindSchema = z.enum(["read", "write", "execute", "search", "delegate", "submit", "other"]);
export type CallKind = z.infer<typeof callKindSchema>;

export const callItemSchema = z.object({
  ...itemBase,
  kind: z.literal("call"),
  callKind: callKindSchema,
  /** The tool's name as the trace gives it: `str_replace_editor`, `edit`, `Bash`. */
  tool: z.string(),
  /** The source's identifier of the call; may repeat or be missing in real traces. */
  callId: z.string().nullable(),
  /** Arguments as given: parsed when they were JSON (or when the format defines how to split them), else null. */
  arguments: jsonObjectSchema.nullable(),
  /** The call as the trace wrote it when it is text: a shell command line, a SWE-agent action, unparsable arguments. */
  text: z.string().nullable(),
  /** True when the source itself cut the text or the arguments before we saw them. Not in older imports. */
  isCut: z.boolean().optional(),
});
export type CallItem = z.infer<typeof callItemSchema>;

export const resultItemSchema = z.object({
  ...itemBase,
  kind: z.literal("result"),
  /** The item of the call that this answers, null when the trace holds no such call. */
  callItem: z.string().nullable(),
  callId: z.string().nullable(),
  text: z.string(),
  /** True when the trace or the tool says that the call failed; null when it does not say. */
  isError: z.boolean().nullable(),
  exitCode: z.number().int().nullable(),
  /** True when the source itself cut the text before we saw it. */
  isCut: z.boolean(),
  durationMs: z.number().min(0).nullable(),
  recorded: z.array(recordedFileSchema),
  reads: z.array(readFileSchema),
});
export type ResultItem = z.infer<typeof resultItemSchema>;

/** A record that was kept but not understood; `text` is its source text. */
export const opaqueItemSchema = z.object({
  ...itemBase,
  kind: z.literal("opaque"),
  text: z.string(),
  reason: z.string(),
});
export type OpaqueItem = z.infer<typeof opaqueItemSchema>;

export const itemSchema = z.discriminatedUnion("kind", [
  textItemSchema,
  callItemSchema,
  resultItemSchema,
  opaqueItemSchema,
]);
export type Item = z.infer<typeof itemSchema>;

export const usageSchema = z.object({
  inputTokens: z.number().min(0).nullable(),
  cachedTokens: z.number().min(0).nullable(),
  outputTokens: z.number().min(0).nullable(),
  costUsd: z.number().min(0).nullable(),
});
export type Usage = z.infer<typeof usageSchema>;

/** What the trace says about the agent's surroundings at one end of the turn. */
export const turnStateSchema = z.object({
  when: z.enum(["before", "after"]),
  workingDirectory: z.string().nullable(),
  openFile: z.string().nullable(),
  /** `git diff` of everything so far, as SWE-agent 1.x records it; it lags and omits untracked files. */
  cumulativeDiff: z.string().nullable(),
  /** True when every call of the turn starts in `workingDirectory` anew: a `cd` ends with its call. Not in older imports. */
  freshShell: z.boolean().optional(),
});
export type TurnState = z.infer<typeof turnStateSchema>;

export const sourceStepSchema = z.object({ convention: z.string(), step: z.string() });

export const turnSchema = z.object({
  kind: z.literal("turn"),
  /** 0-based, in trace order over all agents; shown as #1, #2, ... */
  index: z.number().int().min(0),
  sourceSteps: z.array(sourceStepSchema),
  /** The id of an entry of `agents`. */
  agent: z.string(),
  /** For a sub-agent: the index of the turn that started it. */
  parentTurn: z.number().int().min(0).nullable(),
  /** Null on the path that the run ended on; a name for turns that a rewind left behind. */
  branch: z.string().nullable(),
  model: z.string().nullable(),
  usage: usageSchema.nullable(),
  /** ISO 8601 as the trace gives it (without a zone when it has none). */
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  state: turnStateSchema.nullable(),
  items: z.array(itemSchema),
});
export type Turn = z.infer<typeof turnSchema>;

/** What stands between turns: never dropped, never an agent's turn. */
export const contextSchema = z.object({
  kind: z.literal("context"),
  id: z.string().min(1),
  contextKind: z.enum(["system", "task", "demonstration", "person", "injected", "compaction", "metadata", "opaque"]),
  author: authorSchema,
  sourceSteps: z.array(sourceStepSchema),
  arrival: z.number().int().min(0),
  raw: z.array(rawSpanSchema),
  text: z.string(),
});
export type ContextItem = z.infer<typeof contextSchema>;

export const entrySchema = z.discriminatedUnion("kind", [turnSchema, contextSchema]);
export type Entry = z.infer<typeof entrySchema>;

/** Something that was skipped, repaired or guessed. `positions` holds the first of them, `count` all. */
export const noteSchema = z.object({
  code: z.string().regex(/^[a-z][a-z0-9_]*$/),
  level: z.enum(["information", "repaired", "not_understood"]),
  message: z.string(),
  count: z.number().int().min(1),
  positions: z.array(rawSpanSchema),
});
export type Note = z.infer<typeof noteSchema>;

export const agentSchema = z.object({
  id: z.string().min(1),
  name: z.string(),
  /** The index of the turn that started this agent, null for the main one or when unknown. */
  startedByTurn: z.number().int().min(0).nullable(),
});
export type Agent = z.infer<typeof agentSchema>;

export const trajectorySchema = z.object({
  version: z.literal(TRAJECTORY_VERSION),
  /** `id` is an adapter's id (`swe-agent`, `claude-code`), `variant` what it found inside (`1.x`, `0.x windowed`). */
  format: z.object({ id: z.string(), variant: z.string() }),
  framework: z.object({ name: z.string(), version: z.string().nullable() }),
  models: z.array(z.string()),
  /** A title that the trace gives itself, if any. */
  title: z.string().nullable(),
  task: z.object({
    statement: z.string().nullable(),
    instance: z.string().nullable(),
    repository: z.string().nullable(),
    baseCommit: z.string().nullable(),
  }),
  agents: z.array(agentSchema).min(1),
  entries: z.array(entrySchema),
  deliveredPatch: z.string().nullable(),
  /** How the trace says the run ended, in its own words: `submitted`, `exit_cost`. */
  exitStatus: z.string().nullable(),
  totals: z.object({
    inputTokens: z.number().min(0).nullable(),
    cachedTokens: z.number().min(0).nullable(),
    outputTokens: z.number().min(0).nullable(),
    costUsd: z.number().min(0).nullable(),
    durationMs: z.number().min(0).nullable(),
  }),
  notes: z.array(noteSchema),
});
export type Trajectory = z.infer<typeof trajectorySchema>;

const failurePartSchema = z.enum([
  "outcome",
  "failing_test_code",
  "error_report",
  "reference_patch",
  "verification",
  "label",
]);

/** `step` is in the numbering that `convention` names, as in a turn's `sourceSteps`. */
export const failureLabelSchema = z.object({
  kind: z.string(),
  step: z.string(),
  convention: z.string(),
  agent: z.string().nullable(),
  reason: z.string().nullable(),
  /** What the data set means by such a label, and who says so. Not in older imports, nor where nobody has told it. */
  definition: z.object({ text: z.string(), source: z.string() }).optional(),
  /** Who gave it, in the data set's words: `human, single annotator`. */
  origin: z.string().optional(),
});
export type FailureLabel = z.infer<typeof failureLabelSchema>;

/** What is known about the failure. It stands apart so that nothing of it can slip into a prefix. */
export const failureContextSchema = z.object({
  outcome: z.enum(["failed", "resolved", "unknown"]),
  failingTestCode: z.string().nullable(),
  errorReport: z.string().nullable(),
  referencePatch: z.string().nullable(),
  /** `detail` is what the trace says besides, for example a reward as it stands there. */
  verification: z.array(
    z.object({ name: z.string(), passed: z.boolean().nullable(), detail: z.string().nullable().optional() }),
  ),
  /** Where this comes from: `trace`, `person`. */
  source: z.string(),
  /** Where in the upload each part of it stands: a pointer, behind its line in a file of lines, or a file. Not in older imports. */
  foundAt: z.array(z.object({ what: failurePartSchema, where: z.string() })).optional(),
  /** Steps at which somebody said that the run went wrong (labels of a data set), in the data set's own numbers. */
  labels: z.array(failureLabelSchema).optional(),
  /** Which case of a labelled data set this is; `exclusion` is why whoever labelled the set left it out. */
  labelledCase: z
    .object({
      dataset: z.string(),
      split: z.string().nullable(),
      id: z.string().nullable(),
      task: z.string().nullable(),
      exclusion: z.string().nullable(),
    })
    .optional(),
});
export type FailureContext = z.infer<typeof failureContextSchema>;

/** The turns of a trajectory in order, without what stands between them. */
export function turnsOf(trajectory: Trajectory): Turn[] {
  return trajectory.entries.filter((entry): entry is Turn => entry.kind === "turn");
}
