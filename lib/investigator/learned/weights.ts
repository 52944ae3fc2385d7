import type { Ranker } from "./ranking";
import weightsFile from "./weights.json";
import { type Trained, trainedSchema } from "./weights-schema";

/** The trained ranker that Misstep comes with. */
export const TRAINED: Trained = trainedSchema.parse(weightsFile);

/**
 * The ranker that has not seen a case: the one of its fold for a case that was trained on, or another run on its task;
 * the shipped one, and `fold` null, for any other.
 */
export function rankerWithout(trained: Trained, hashes: readonly string[]): { ranker: Ranker; fold: number | null } {
  const hash = hashes.find((one) => Object.hasOwn(trained.cases, one));
  const fold = hash === undefined ? null : (trained.cases[hash] ?? null);
  const ranker = fold === null ? undefined : trained.folds[fold];
  return ranker === undefined ? { ranker: trained.ranker, fold: null } : { ranker, fold };
}
