import { z } from "zod";
import { foldSavingsSchema, keptRangeSchema, paperFoldSchema } from "@/lib/folding/shape";

/**
 * A part of an observation that stays when it is folded by parts. `text` is null where the page has it anyway (the
 * observation came as a whole) and where an answer had no room for it: then it is one request away.
 */
export const keptPartSchema = keptRangeSchema.extend({ text: z.string().nullable() });
export type KeptPart = z.infer<typeof keptPartSchema>;
export type KeptReason = KeptPart["why"][number];

/**
 * How an observation is folded, in offsets of the text as this reader gets it. `parts` is null when that rule folds
 * nothing of it.
 */
export const foldViewSchema = z.object({
  parts: z.object({ kept: z.array(keptPartSchema), leftOut: z.number() }).nullable(),
  paper: paperFoldSchema,
});
export type FoldView = z.infer<typeof foldViewSchema>;

/** What folding saves in a run, and what the rules look for. */
export const runFoldingSchema = z.object({
  savings: foldSavingsSchema,
  tauChars: z.number(),
  words: z.array(z.string()),
  /** Tokens are an estimate by this. */
  charsPerToken: z.number(),
});
export type RunFolding = z.infer<typeof runFoldingSchema>;
export type RuleSavings = RunFolding["savings"]["parts"];
