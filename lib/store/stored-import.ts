import { z } from "zod";
import { foldSavingsSchema } from "@/lib/folding/shape";
import { trajectorySchema } from "@/lib/trajectory/schema";

/**
 * What `Import.head` holds: the canonical trajectory without its entries, and what folding saves in it. Imports from before
 * folding have no `folding`: it was not measured for them.
 */
export const storedHeadSchema = trajectorySchema
  .omit({ entries: true })
  .extend({ folding: foldSavingsSchema.optional() });
export type StoredHead = z.infer<typeof storedHeadSchema>;

const tallySchema = z.object({ agreed: z.number().int().min(0), differed: z.number().int().min(0) });
const historyChecksSchema = z.object({
  recorded: tallySchema,
  read: tallySchema,
  diff: tallySchema,
  delivered: tallySchema.extend({ unknown: z.number().int().min(0) }),
});

/** What `Import.codeSummary` holds: what is said about the files of the run as a whole. */
export const codeSummarySchema = z.object({
  /** The repository's folder as the trace names it, null when it cannot be told. */
  root: z.string().nullable(),
  conflicts: z.array(
    z.object({
      path: z.string(),
      turn: z.number().int().nullable(),
      item: z.string().nullable(),
      kind: z.string(),
      message: z.string(),
    }),
  ),
  /** How many versions of all files are given, recorded, replayed, partial, unknown. */
  versionsByCertainty: z.record(z.string(), z.number().int().min(0)),
  /** How often the versions could be held against another source (`HistoryChecks`). Not in older imports. */
  checks: historyChecksSchema.optional(),
  /** Files of the attached input that this import used, and how many of them differ from what the trace read. */
  baseline: z.object({ files: z.number().int().min(0), differing: z.number().int().min(0) }),
});
export type CodeSummary = z.infer<typeof codeSummarySchema>;

/**
 * What `FileVersion.data` holds, before compression: the `StoredContent` of lib/artefact/model.ts as JSON. The first byte
 * says how the rest is kept: 0 plain UTF-8, 1 brotli (used when the JSON is over 1 KiB). Null for absent and unknown,
 * whose `kind` column says all.
 */
export const VERSION_PLAIN = 0;
export const VERSION_BROTLI = 1;

const knownRanges = z.array(z.object({ startLine: z.number().int().min(1), lines: z.array(z.string()) }));
const splices = z.array(
  z.object({ at: z.number().int().min(0), remove: z.number().int().min(0), insert: z.array(z.string()) }),
);
const totalLines = z.number().int().min(0);

export const storedContentSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("absent") }),
  z.object({ kind: z.literal("unknown") }),
  z.object({ kind: z.literal("keyframe"), text: z.string(), splices: splices.optional() }),
  z.object({
    kind: z.literal("splices"),
    splices,
    learned: knownRanges.optional(),
    totalLines: totalLines.optional(),
  }),
  z.object({
    kind: z.literal("partial"),
    ranges: knownRanges,
    totalLines: totalLines.nullable(),
    splices: splices.optional(),
  }),
]);
