import { z } from "zod";
import {
  adjustmentSchema,
  diagnosisSchema,
  investigationSettingsSchema,
  trailStepSchema,
} from "@/lib/investigator/diagnosis";

export {
  DEFAULT_SETTINGS,
  type Diagnosis,
  type Evidence,
  type InvestigationSettings,
  investigationSettingsSchema,
  type TrailStep,
} from "@/lib/investigator/diagnosis";
export { FAILURE_KINDS, PHASES } from "@/lib/investigator/failure-kinds";

export const investigationStatusSchema = z.enum(["queued", "running", "done", "failed", "cancelled"]);
export type InvestigationStatus = z.infer<typeof investigationStatusSchema>;

/** What a trajectory's investigations are told by in a list. */
export const investigationRowSchema = z.object({
  id: z.string(),
  status: investigationStatusSchema,
  /** The model that was asked; null before anybody was. */
  model: z.string().nullable(),
  version: z.string(),
  createdBy: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  /** The turn that it named, 0-based; null when it named none. */
  turn: z.number().nullable(),
  /** True when the upload was read again since: what was known of the failure may have been another. */
  isOfOlderImport: z.boolean(),
});
export type InvestigationRow = z.infer<typeof investigationRowSchema>;

/** One investigation, as far as it is. */
export const investigationSchema = investigationRowSchema.extend({
  settings: investigationSettingsSchema,
  startedAt: z.string().nullable(),
  /** While it runs: so far. Afterwards the diagnosis has it too. */
  trail: z.array(trailStepSchema),
  diagnosis: diagnosisSchema.nullable(),
  /** Why it failed, in words for a person. It is never a verdict. */
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type Investigation = z.infer<typeof investigationSchema>;

/** What a person said about where the run went wrong. */
export const reviewSchema = z.object({
  id: z.string(),
  kind: z.enum(["confirmed", "moved", "rejected"]),
  turn: z.number().nullable(),
  reason: z.string(),
  by: z.string(),
  at: z.string(),
  /** The analysis that it is about; null when that is gone. */
  analysisId: z.string().nullable(),
  /** True when it was said about another reading of the same upload: its turn may have another number there. */
  isOfOlderImport: z.boolean(),
});
export type Review = z.infer<typeof reviewSchema>;

/** A review as a person gives it. */
export const reviewRequestSchema = z.object({
  analysisId: z.string().min(1).max(40),
  kind: reviewSchema.shape.kind,
  /** 0-based; null when rejected. */
  turn: z.number().int().min(0).nullable(),
  reason: z.string().trim().min(1, "say why").max(4_000),
});
export type ReviewRequest = z.infer<typeof reviewRequestSchema>;

/** Everything about the investigations of one trajectory that the page shows. */
export const investigationsSchema = z.object({
  /** Null when one may be started; else why not, in words. */
  refusal: z.string().nullable(),
  /** Null: no model is configured. */
  model: z.object({ name: z.string(), second: z.string().nullable() }).nullable(),
  hasReference: z.boolean(),
  /** The one that is queued or running, else the last one that ended; null when there was none. */
  latest: investigationSchema.nullable(),
  /** Where `latest` waits for a worker: the investigations that were started before it and have not ended. Else 0. */
  ahead: z.number().int().min(0),
  /** True when a worker gave a sign of life lately. */
  hasWorker: z.boolean(),
  /** All of them, newest first. */
  rows: z.array(investigationRowSchema),
  /** Newest first: the first one counts. */
  reviews: z.array(reviewSchema),
});
export type Investigations = z.infer<typeof investigationsSchema>;

/** One question to a model, as a person reads it. */
export const judgeCallSchema = z.object({
  judge: z.number(),
  position: z.number(),
  purpose: z.string(),
  model: z.string(),
  /** The messages in the words in which they went to the model; long ones cut and counted. */
  messages: z.array(
    z.object({
      role: z.string(),
      text: z.string(),
      omittedChars: z.number(),
      calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
    }),
  ),
  tools: z.array(z.string()),
  temperature: z.number(),
  answer: z
    .object({
      text: z.string(),
      calls: z.array(z.object({ name: z.string(), arguments: z.string() })),
      finish: z.string(),
    })
    .nullable(),
  /** Why there was none. */
  failure: z.object({ code: z.string(), message: z.string() }).nullable(),
  failedTries: z.array(z.string()),
  /** How it had to be asked otherwise, because the endpoint takes no other way. */
  adjustments: z.array(adjustmentSchema),
  inputTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  outputTokens: z.number().nullable(),
  costUsd: z.number().nullable(),
  startedAt: z.string(),
  endedAt: z.string(),
});
export type JudgeCallView = z.infer<typeof judgeCallSchema>;
