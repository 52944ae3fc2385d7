import { z } from "zod";
import { CHANGE_RULES, FEATURES } from "./features";

const count = z.number().int().min(0);
const rankerSchema = z.object({
  rule: z.enum(CHANGE_RULES),
  lent: z.number().min(0).max(1),
  /** By name in the file, in the order of `FEATURES` when read. */
  weights: z.record(z.enum(FEATURES), z.number()).transform((named) => FEATURES.map((feature) => named[feature])),
  /** How it was trained: the penalty of its weights and how far labels were blurred. */
  penalty: z.number(),
  blur: z.number(),
});

/** What training leaves behind. Written by `misstep train`, never by hand. */
export const trainedSchema = z.object({
  version: z.string(),
  trainedOn: z.array(z.object({ set: z.string(), split: z.string(), cases: count })),
  /** What the labels mean. */
  labelKind: z.string(),
  ranker: rankerSchema,
  /**
   * How often the labelled turn was named in runs that the ranker had not seen, by how sure it was: bands in ascending
   * order, each from `from` up to the next.
   */
  calibration: z.array(z.object({ from: z.number(), runs: count, exact: count, withinTwo: count })).min(1),
  /** The rankers of the cross-validation, each of which has not seen the cases of its fold. */
  folds: z.array(rankerSchema),
  /** The fold of each case that was trained on, by the hash of its name and of its task. */
  cases: z.record(z.string(), count),
});
export type Trained = z.output<typeof trainedSchema>;
/** The same as it stands in the file. */
export type TrainedFile = z.input<typeof trainedSchema>;
