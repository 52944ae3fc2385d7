import type { Prediction } from "./engine";
import type { ScoredCase } from "./evaluation";
import { byTolerance, type Metrics } from "./metrics";
import type { Figures, SetReport } from "./report";
import { distanceOf } from "./step-map";

/** What was evaluated, and what of the file has no part in the figures. */
export interface EvaluationFacts {
  engine: string;
  engineVersion: string;
  remark: string | null;
  /** Whether the engine saw what the right answer is, such as the reference patch. */
  reference: boolean;
  runs: number;
  /** The engine that the differences are to; null when there is none. */
  against: string | null;
  /** Cases without a label, by why. */
  unlabelled: Record<string, number>;
  /** What of the file could not be read, and why. */
  unreadable: { part: string; reason: string }[];
  /** Runs that a file of labels knows and that are not there; empty without such a file. */
  unmatched: string[];
}

/**
 * A report as people's scripts read it: `metrics` and `bySplit` are those of the file's one set, and null when it holds
 * several, which are not pooled. Per cent are rounded to two decimals.
 */
export function reportJson(facts: EvaluationFacts, sets: readonly SetReport[]): object {
  const [only] = sets.length === 1 ? sets : [];
  return {
    ...facts,
    metrics: only === undefined ? null : roundedMetrics(only.all.metrics),
    bySplit: only === undefined ? null : eachGroup(only.bySplit, ({ metrics }) => roundedMetrics(metrics)),
    sets: sets.map(({ all, bySplit, byLength, byReliability, ...told }) => ({
      ...told,
      all: roundedFigures(all),
      bySplit: eachGroup(bySplit, roundedFigures),
      byLength: eachGroup(byLength, roundedFigures),
      byReliability: eachGroup(byReliability, roundedFigures),
    })),
  };
}

/** What the engine said about every case with a label, turn by turn, with the steps that each turn is. */
export function scoresJson(facts: EvaluationFacts, scored: readonly ScoredCase[]): object {
  const { engine, engineVersion, reference } = facts;
  return {
    engine,
    engineVersion,
    reference,
    cases: scored.map(({ labelled, predictions, score }) => {
      const { id, set, split, task, convention, label, labelPlace, map } = labelled;
      const told = ({ turns, reliability, scores }: Prediction): object => ({
        turns: turns.map((turn) => ({
          turn,
          steps: map.turns[turn] ?? [],
          distance: label === null ? null : distanceOf(map, turn, label),
        })),
        reliability,
        scores: scores.map(({ turn, value }) => ({ turn, steps: map.turns[turn] ?? [], value })),
      });
      return { id, set, split, task, convention, label, labelPlace, hits: score.hits, runs: predictions.map(told) };
    }),
  };
}

function eachGroup<T>(groups: Record<string, Figures>, take: (figures: Figures) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(groups).map(([key, figures]) => [key, take(figures)]));
}

function roundedMetrics(metrics: Metrics): Metrics {
  const { n, coverage } = metrics;
  return { ...byTolerance((key) => round(metrics[key])), n, coverage: round(coverage) };
}

function roundedFigures({ metrics, tasks, intervals, chance, bestConstant, difference }: Figures): object {
  return {
    metrics: roundedMetrics(metrics),
    tasks,
    intervals: intervals && byTolerance((key) => [round(intervals[key].low), round(intervals[key].high)]),
    chance: byTolerance((key) => round(chance[key])),
    bestConstant: byTolerance((key) => ({ ...bestConstant[key], value: round(bestConstant[key].value) })),
    difference:
      difference &&
      byTolerance((key) => ({
        value: round(difference[key].value),
        interval: [round(difference[key].low), round(difference[key].high)],
      })),
  };
}

/** Two decimals; no minus before a zero. */
function round(perCent: number): number {
  return Math.round(perCent * 100) / 100 + 0;
}
