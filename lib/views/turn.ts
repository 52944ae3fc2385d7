import { z } from "zod";
import { authorSchema, rawSpanSchema, sourceStepSchema, usageSchema } from "@/lib/trajectory/schema";

import { foldViewSchema } from "./fold";

/**
 * A text as the page gets it: the first and last lines of a long one. `totalChars` is the whole; `head` and `tail` are
 * what is here, `omittedChars` what stands between them (0 when `head` is everything). Pieces come from the item route.
 */
export const textViewSchema = z.object({
  head: z.string(),
  tail: z.string(),
  totalChars: z.number(),
  totalLines: z.number(),
  omittedChars: z.number(),
  omittedLines: z.number(),
});
export type TextView = z.infer<typeof textViewSchema>;

/** One write of a call, as far as the turn pane needs it; the code pane asks for the versions. */
export const writeViewSchema = z.object({
  n: z.number(),
  item: z.string(),
  file: z.number(),
  path: z.string(),
  display: z.string(),
  grammar: z.string(),
  operation: z.string(),
  status: z.enum(["applied", "assumed", "refused", "opaque"]),
  isScratch: z.boolean(),
  versionBefore: z.number().nullable(),
  versionAfter: z.number().nullable(),
  addedLines: z.number().nullable(),
  removedLines: z.number().nullable(),
  reason: z.string().nullable(),
});
export type WriteView = z.infer<typeof writeViewSchema>;

export const itemViewSchema = z.object({
  id: z.string(),
  kind: z.enum(["thought", "message", "plan", "handoff", "review", "call", "result", "opaque"]),
  author: authorSchema,
  text: textViewSchema.nullable(),
  /** Calls only. `arguments` is the JSON text of the arguments, indented. */
  tool: z.string().nullable(),
  callKind: z.string().nullable(),
  arguments: textViewSchema.nullable(),
  /** The one line that says what the call does: the command, or the tool with its path. */
  summary: z.string().nullable(),
  /** Results only. */
  answers: z.string().nullable(),
  isError: z.boolean().nullable(),
  exitCode: z.number().nullable(),
  isCut: z.boolean(),
  /** Of a result of which a rule folds something; null when none does, or when folding was not measured. */
  fold: foldViewSchema.nullable(),
  durationMs: z.number().nullable(),
  /** Why a record was not understood. */
  reason: z.string().nullable(),
  /** True when this result arrived after a later turn had begun. */
  arrivedLate: z.boolean(),
});
export type ItemView = z.infer<typeof itemViewSchema>;

export const turnViewSchema = z.object({
  index: z.number(),
  total: z.number(),
  title: z.string(),
  activity: z.string(),
  agent: z.string(),
  agentName: z.string(),
  parentTurn: z.number().nullable(),
  branch: z.string().nullable(),
  model: z.string().nullable(),
  usage: usageSchema.nullable(),
  startedAt: z.string().nullable(),
  durationMs: z.number().nullable(),
  sourceSteps: z.array(sourceStepSchema),
  workingDirectory: z.string().nullable(),
  items: z.array(itemViewSchema),
  writes: z.array(writeViewSchema),
  /** Files that results of this turn showed, for the tabs of the code pane. */
  reads: z.array(z.object({ file: z.number(), path: z.string(), display: z.string() })),
  /** How many of each list are not here, so that no answer exceeds 1 MB; 0 in all but extreme turns. */
  omitted: z.object({ items: z.number(), writes: z.number(), reads: z.number() }),
});
export type TurnView = z.infer<typeof turnViewSchema>;

/** A piece of a long text: characters `offset` to `offset + text.length` of `totalChars`. At most 65,536 characters. */
export const textPieceSchema = z.object({
  item: z.string(),
  field: z.enum(["text", "arguments"]),
  offset: z.number(),
  text: z.string(),
  totalChars: z.number(),
  nextOffset: z.number().nullable(),
});
export type TextPiece = z.infer<typeof textPieceSchema>;

/** The records of the upload that a turn was made from. `omitted` counts the bytes that were left out of `text`. */
export const rawViewSchema = z.object({
  records: z.array(z.object({ span: rawSpanSchema, text: z.string(), omittedBytes: z.number() })),
  total: z.number(),
});
export type RawView = z.infer<typeof rawViewSchema>;

/** A context item opened. */
export const contextViewSchema = z.object({
  n: z.number(),
  beforeTurn: z.number(),
  contextKind: z.string(),
  item: z.string(),
  author: authorSchema,
  text: textViewSchema,
});
export type ContextView = z.infer<typeof contextViewSchema>;
