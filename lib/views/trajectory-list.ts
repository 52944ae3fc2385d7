import { z } from "zod";
import { noteSchema } from "@/lib/trajectory/schema";

/** Where in an upload a reason points. */
export const positionSchema = z.object({
  byte: z.number().nullable(),
  line: z.number().nullable(),
  pointer: z.string().nullable(),
});

export const STATUSES = ["queued", "importing", "ready", "failed", "several"] as const;
export const OUTCOMES = ["failed", "resolved", "unknown"] as const;

/** How far the trajectories of one file are. */
export const partCountsSchema = z.object({
  total: z.number(),
  ready: z.number(),
  failed: z.number(),
  /** Queued or being imported. */
  waiting: z.number(),
});
export type PartCounts = z.infer<typeof partCountsSchema>;

/** One row of the table of trajectories. Everything the page draws, nothing it has to compute from other rows. */
export const trajectoryRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: z.enum(STATUSES),
  progress: z.object({ phase: z.string(), done: z.number(), total: z.number(), turns: z.number() }).nullable(),
  failure: z.object({ code: z.string(), message: z.string(), at: positionSchema }).nullable(),
  /** Of a file that holds several trajectories: how many, and how far they are. Null for every other row. */
  parts: partCountsSchema.nullable(),
  /**
   * Of one of those: the row of its file, and which it is of how many. `index` (from 0) is null for one that a later reading
   * of the file does not find any more. Null for what is a file of its own.
   */
  file: z
    .object({ id: z.string(), name: z.string(), index: z.number().nullable(), total: z.number().nullable() })
    .nullable(),
  isDemo: z.boolean(),
  format: z.object({ id: z.string(), variant: z.string(), score: z.number(), reason: z.string() }).nullable(),
  framework: z.string().nullable(),
  frameworkVersion: z.string().nullable(),
  model: z.string().nullable(),
  task: z.string().nullable(),
  outcome: z.enum(OUTCOMES).nullable(),
  exitStatus: z.string().nullable(),
  turnCount: z.number().nullable(),
  writeCount: z.number().nullable(),
  notUnderstood: z.number(),
  /** At most 64 characters, see lib/views/strip.ts. */
  runStrip: z.string().nullable(),
  verdict: z
    .object({ status: z.enum(["determined", "undetermined"]), turn: z.number().nullable(), engine: z.string() })
    .nullable(),
  sizeBytes: z.number(),
  /** ISO 8601, UTC. */
  uploadedAt: z.string(),
});
export type TrajectoryRow = z.infer<typeof trajectoryRowSchema>;

export const SORTABLE = [
  "name",
  "framework",
  "task",
  "outcome",
  "turns",
  "writes",
  "verdict",
  "status",
  "uploaded",
] as const;
export const PAGE_SIZES = [25, 50, 100] as const;

/** What the address of `/` can say. Unknown or broken values fall back to the default, so that an old link opens. */
export const listQuerySchema = z.object({
  q: z.string().max(200).catch(""),
  status: z.enum(["all", ...STATUSES]).catch("all"),
  outcome: z.enum(["all", ...OUTCOMES]).catch("all"),
  verdict: z.enum(["all", "determined", "undetermined"]).catch("all"),
  /** The id of a file's row: only the trajectories of that file. */
  file: z.string().max(40).catch(""),
  framework: z.string().max(100).catch(""),
  minTurns: z.coerce.number().int().min(0).catch(0),
  sort: z.enum(SORTABLE).catch("uploaded"),
  direction: z.enum(["ascending", "descending"]).catch("descending"),
  page: z.coerce.number().int().min(1).catch(1),
  size: z.coerce
    .number()
    .pipe(z.union([z.literal(25), z.literal(50), z.literal(100)]))
    .catch(50),
});
export type ListQuery = z.infer<typeof listQuerySchema>;

export const listPageSchema = z.object({
  rows: z.array(trajectoryRowSchema),
  /**
   * Queued, importing and failed rows, and files of which a trajectory is, shown whatever the filters (at most 20, newest
   * first; `pinnedTotal` counts all, `pinnedFailed` the failed ones). The trajectories of a file are among them only where
   * the query asks for that file, and there without those that wait.
   */
  pinned: z.array(trajectoryRowSchema),
  pinnedTotal: z.number(),
  pinnedFailed: z.number(),
  /** How many rows match the filters, and how many trajectories there are at all (or in the file that is asked for). */
  matching: z.number(),
  total: z.number(),
  /** How many of those stand under the row of their file and not in `rows`, because nothing is asked for that they could match. */
  insideFiles: z.number(),
  counts: z.object({ undetermined: z.number(), failedImports: z.number() }),
  /** The row of the file that the query asks for; null when it asks for none, or for one that is not there. */
  file: trajectoryRowSchema.nullable(),
  frameworks: z.array(z.string()),
  /** Something waits for a worker, and none gives a sign of life. */
  isWorkerAway: z.boolean().optional(),
});
export type ListPage = z.infer<typeof listPageSchema>;

/**
 * What is told of a file with several trajectories beside its row: what of it none of them holds, and how many parts about a
 * failure were sent with it, which apply to none.
 */
export const fileViewSchema = z.object({
  row: trajectoryRowSchema,
  notes: z.array(noteSchema),
  givenParts: z.number(),
});
export type FileView = z.infer<typeof fileViewSchema>;

/** What stands before and behind one trajectory in its file. */
export const neighboursSchema = z.object({ previous: z.string().nullable(), next: z.string().nullable() });
export type Neighbours = z.infer<typeof neighboursSchema>;

/** The answer to an upload. `duplicate` is the same bytes in the same project: nothing new was stored. */
export const uploadAnswerSchema = z.object({
  id: z.string(),
  duplicate: z.boolean(),
  /** How many trajectories the file holds, when it is known to hold several: a new upload is looked into afterwards. */
  partCount: z.number().nullable(),
  /** Why what was said about the failure was not taken with bytes that are there already; null when nothing was refused. */
  givenRefused: z.string().nullable(),
  sha256: z.string(),
  sizeBytes: z.number(),
});
export type UploadAnswer = z.infer<typeof uploadAnswerSchema>;
