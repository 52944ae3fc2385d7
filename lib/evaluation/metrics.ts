import type { LabelledCase } from "./labelled-case";
import { distanceOf } from "./step-map";

/** How near an answer must be to count, in steps of the data set's own numbering. */
export const TOLERANCES = ["exact", "within1", "within2", "within3", "within5"] as const;
export type Tolerance = (typeof TOLERANCES)[number];
export type ByTolerance<T> = Record<Tolerance, T>;

/** Accuracy in per cent of all `n` cases; coverage is the per cent of them that got an answer. */
export type Metrics = ByTolerance<number> & { n: number; coverage: number };

/**
 * How a case came out: its part of a hit at each tolerance and of an answer, each from 0 to 1. In between stand ties, and
 * means over several runs.
 */
export interface CaseScore {
  hits: ByTolerance<number>;
  covered: number;
}

/** A value for each tolerance. */
export function byTolerance<T>(value: (key: Tolerance, steps: number) => T): ByTolerance<T> {
  return {
    exact: value("exact", 0),
    within1: value("within1", 1),
    within2: value("within2", 2),
    within3: value("within3", 3),
    within5: value("within5", 5),
  };
}

/**
 * Scores an answer by whole numbers, in the data set's numbering.
 * @param turns those that the engine ranks first: more than one is a tie, which is worth what choosing one of them at
 * random would be; none is an abstention, which is wrong
 */
export function scoreAnswer({ label, map }: LabelledCase, turns: readonly number[]): CaseScore {
  const distances = turns.map((turn) => (label === null ? null : distanceOf(map, turn, label)));
  const hits = byTolerance((_, steps) => {
    const near = distances.filter((distance) => distance !== null && distance <= steps).length;
    return turns.length === 0 ? 0 : near / turns.length;
  });
  return { hits, covered: turns.length === 0 ? 0 : 1 };
}

/** The mean of the scores of one case over several runs. @throws RangeError without a run. */
export function meanScore(scores: readonly CaseScore[]): CaseScore {
  if (scores.length === 0) throw new RangeError("no run to take the mean of");
  const mean = (part: (score: CaseScore) => number): number =>
    scores.reduce((sum, score) => sum + part(score), 0) / scores.length;
  return { hits: byTolerance((key) => mean(({ hits }) => hits[key])), covered: mean(({ covered }) => covered) };
}

/** Accuracy and coverage of scored cases. @throws RangeError without a case: nothing was measured then. */
export function metricsOf(scores: readonly CaseScore[]): Metrics {
  const n = scores.length;
  const { hits, covered } = meanScore(scores);
  return { ...byTolerance((key) => 100 * hits[key]), n, coverage: 100 * covered };
}

/** The expected score of a guess that takes each turn with the same probability, exactly. */
export function chanceScore(labelled: LabelledCase): CaseScore {
  return scoreAnswer(labelled, [...labelled.map.turns.keys()]);
}

/** A guess that is the same turn in every run, counted from its beginning or from its end. */
export interface ConstantGuess {
  from: "start" | "end";
  /** 0 is the first turn, or the last one. */
  offset: number;
}

/** The turn of a constant guess; of a run that is shorter its last one, or its first. None in a run without turns. */
export function guessedTurns({ map }: LabelledCase, { from, offset }: ConstantGuess): number[] {
  const last = map.turns.length - 1;
  if (last < 0) return [];
  return [from === "start" ? Math.min(offset, last) : Math.max(last - offset, 0)];
}

/** What is looked through for the best constant: no set is labelled later than this at nearly the same place. */
const OFFSETS = 200;

/**
 * The constant guess that would have done best at each tolerance, and how well, in per cent: what knowing the labels, and
 * nothing of the runs, is worth. Of equal ones the first from the start. @throws RangeError without a case.
 */
export function bestConstant(cases: readonly LabelledCase[]): ByTolerance<{ value: number; guess: ConstantGuess }> {
  const longest = Math.max(0, ...cases.map(({ map }) => map.turns.length));
  const offsets = [...Array(Math.max(1, Math.min(OFFSETS, longest))).keys()];
  const guesses = (["start", "end"] as const).flatMap((from) => offsets.map((offset) => ({ from, offset })));
  const tried = guesses.map((guess) => ({
    guess,
    metrics: metricsOf(cases.map((labelled) => scoreAnswer(labelled, guessedTurns(labelled, guess)))),
  }));
  return byTolerance((key) => {
    let best: { value: number; guess: ConstantGuess } = { value: -1, guess: { from: "start", offset: 0 } };
    for (const { guess, metrics } of tried) if (metrics[key] > best.value) best = { value: metrics[key], guess };
    return best;
  });
}

/** Length buckets by the number of steps, as TrajAudit's evaluation has them (arXiv 2605.26563). */
const BUCKETS = [
  { name: "0-20", max: 20 },
  { name: "21-40", max: 40 },
  { name: "41-60", max: 60 },
  { name: "61-80", max: 80 },
  { name: ">80", max: Number.POSITIVE_INFINITY },
] as const;
export const BUCKET_NAMES: readonly string[] = BUCKETS.map(({ name }) => name);

/** The bucket of a case, by the steps of its own numbering. */
export function bucketOf({ map }: LabelledCase): string {
  return BUCKETS.find(({ max }) => map.count <= max)?.name ?? ">80";
}
