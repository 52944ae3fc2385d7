import { z } from "zod";

/** Why a part of an observation stays: its place, what it is, or the failure word that stands in it. */
export const keptReasonSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["first", "last", "diff", "tests", "quotation"]) }),
  z.object({ kind: z.literal("signal"), word: z.string() }),
]);
export type KeptReason = z.infer<typeof keptReasonSchema>;

const offset = z.number().int().min(0);
const lineNumber = z.number().int().min(1);

/**
 * A part that stays. UTF-16 offsets, end exclusive, on the ends of rows: of lines or, inside a line of more than 1,000
 * units, of stretches of 1,000. `line` is the 1-based line that stands at `start`, `lineAfter` the one at `end`: equal
 * when the part lies inside one line.
 */
export const keptRangeSchema = z.object({
  start: offset,
  end: offset,
  line: lineNumber,
  lineAfter: lineNumber,
  why: z.array(keptReasonSchema),
});
export type KeptRange = z.infer<typeof keptRangeSchema>;

/**
 * What `parts` makes of an observation: the parts that stay, in order, the first and the last of the text always among
 * them. One part that is the whole text: nothing is folded. `leftOut` counts the lines with a signal that would have
 * stayed if there were no bound on what stays.
 */
export const partsFoldSchema = z.object({ kept: z.array(keptRangeSchema), leftOut: offset });
export type PartsFold = z.infer<typeof partsFoldSchema>;

/**
 * What the paper's rule makes of an observation. Not folded: `diff` or `word`. Folded: `long` (over tau and no diff) or
 * `no_word`. `empty`: nothing to fold. `word` is the first failure word, when the rule had to look for one.
 */
export const paperFoldSchema = z.object({
  isFolded: z.boolean(),
  why: z.enum(["diff", "word", "long", "no_word", "empty"]),
  word: z.string().nullable(),
});
export type PaperFold = z.infer<typeof paperFoldSchema>;

/** Both rules on one observation. `parts` is null when it folds nothing. */
export const observationFoldSchema = z.object({ parts: partsFoldSchema.nullable(), paper: paperFoldSchema });
export type ObservationFold = z.infer<typeof observationFoldSchema>;

/** What a rule folds in a trajectory. Characters are UTF-16 units. */
export const ruleSavingsSchema = z.object({
  /** `parts@1`. */
  rule: z.string(),
  /** Observations of which something is folded. */
  observations: z.number().int().min(0),
  /** Characters that are folded, and those that the placeholders in their place take. */
  foldedChars: z.number().int().min(0),
  placeholderChars: z.number().int().min(0),
  /** Lines with a signal that only the bound on what stays left out (`parts`). */
  leftOut: z.number().int().min(0),
});
export type RuleSavings = z.infer<typeof ruleSavingsSchema>;

/** What folding saves in a trajectory: of its observations, and of all its texts. */
export const foldSavingsSchema = z.object({
  observations: z.number().int().min(0),
  observationChars: z.number().int().min(0),
  /** Observations, thoughts, messages, calls with their arguments, and what stands between turns. */
  wholeChars: z.number().int().min(0),
  parts: ruleSavingsSchema,
  paper: ruleSavingsSchema,
});
export type FoldSavings = z.infer<typeof foldSavingsSchema>;
