import { type ChangeRule, FEATURES } from "./features";
import { shares, utilities } from "./logit";

/** A fitted ranker: what counts as a change, a weight for every feature in the order of `FEATURES`, and `lent`. */
export interface Ranker {
  rule: ChangeRule;
  /**
   * The part of its probability that a turn lends to each turn up to two away. Labels of one run differ by a turn or two
   * between readers, so of two equal turns the one among other likely ones is the better answer.
   */
  lent: number;
  weights: number[];
}

export interface Ranking {
  /** Utility of each turn over that of the run's average turn; the contributions of its features add up to it. */
  advantage: number[];
  /** Probability within this run that the model gives each turn; sums to 1. */
  share: number[];
  /** What turns are ranked by: the share with what neighbours lend, made to sum to 1. */
  score: number[];
  /** Positions, best first; the earlier of two equal ones first. */
  order: number[];
  /** The share of the first and of the turns up to two away from it: how sure the model is. */
  certainty: number;
}

const REACH = 2;

/** Ranks the turns of a run by its feature rows; an empty ranking for no turns. */
export function rankTurns(rows: number[][], { weights, lent }: Ranker): Ranking {
  if (rows.length === 0) return { advantage: [], share: [], score: [], order: [], certainty: 0 };
  const values = utilities(rows, weights);
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const share = shares(values);
  const around = (at: number, part: number): number => {
    let sum = share[at] ?? 0;
    for (let by = 1; by <= REACH; by += 1) sum += part * ((share[at - by] ?? 0) + (share[at + by] ?? 0));
    return sum;
  };
  const raw = share.map((_, i) => around(i, lent));
  const total = raw.reduce((a, b) => a + b, 0);
  const score = raw.map((value) => value / total);
  const order = score.map((_, i) => i).sort((a, b) => (score[b] ?? 0) - (score[a] ?? 0) || a - b);
  return {
    advantage: values.map((value) => value - mean),
    share,
    score,
    order,
    certainty: Math.min(1, around(order[0] ?? 0, 1)),
  };
}

/**
 * What each feature adds to the turn at `at` against the run's average turn, in the order of `FEATURES`. They add up to
 * its advantage.
 */
export function contributionsOf(rows: number[][], at: number, { weights }: Ranker): number[] {
  return FEATURES.map((_, k) => {
    const mean = rows.reduce((sum, row) => sum + (row[k] ?? 0), 0) / rows.length;
    return (weights[k] ?? 0) * ((rows[at]?.[k] ?? 0) - mean);
  });
}
