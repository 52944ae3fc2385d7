import { z } from "zod";

/** A text of the failure's report, cut for one answer. */
const reportTextSchema = z.object({
  what: z.enum(["error_report", "failing_test_code", "reference_patch"]),
  text: z.string(),
  /** Characters that are not here; the upload holds them. */
  omittedChars: z.number(),
});
export type ReportText = z.infer<typeof reportTextSchema>;

/** What is known of how a run ended and why, apart from its turns. */
export const failureViewSchema = z.object({
  outcome: z.enum(["failed", "resolved", "unknown"]),
  /** `trace` or `person`. */
  source: z.string(),
  checks: z.array(z.object({ name: z.string(), passed: z.boolean().nullable(), detail: z.string().nullable() })),
  /** Checks that are not in the list. */
  omittedChecks: z.number(),
  texts: z.array(reportTextSchema),
  /** What others said about where it went wrong; `turns` are those that the step falls on, 0-based. */
  labels: z.array(
    z.object({
      kind: z.string(),
      step: z.string(),
      convention: z.string(),
      agent: z.string().nullable(),
      reason: z.string().nullable(),
      turns: z.array(z.number()),
    }),
  ),
  foundAt: z.array(z.object({ what: z.string(), where: z.string() })),
});
export type FailureView = z.infer<typeof failureViewSchema>;

/** What the head of the page says of it: whether there is more to open than the outcome. */
export const failureSummarySchema = z.object({
  passed: z.number(),
  failed: z.number(),
  /** Checks that say neither. */
  unsaid: z.number(),
  texts: z.number(),
  labels: z.number(),
});
export type FailureSummary = z.infer<typeof failureSummarySchema>;
