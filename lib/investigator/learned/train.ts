import { byFeature } from "./features";
import type { Ranker } from "./ranking";
import { chooseSettings, crossValidate, fitRanker, GRID, hashOf, OUTER_FOLDS, type TrainingCase } from "./training";
import type { TrainedFile } from "./weights-schema";

/** A labelled run as a data set names it, ready to learn from. */
export interface LabelledRun extends Omit<TrainingCase, "group"> {
  set: string;
  split: string;
  id: string;
  task: string;
}

const VERSION = "learned@1";
/** The order in which groups of equal size go into folds. Its value plays no part; that it is fixed does. */
const SEED = 1;
/** Bands of certainty, about equally many runs in each. */
const BANDS = 5;

/**
 * Trains the ranker and counts, by nested cross-validation, how often it names the label of runs that it has not seen.
 * The same runs give the same result, in whatever order they come.
 * @param labelKind what the labels mean, for those who read the verdict
 * @param grid the settings that are tried
 * @throws RangeError with fewer runs than folds.
 */
export function trainRanker(runs: readonly LabelledRun[], labelKind: string, grid = GRID): TrainedFile {
  if (runs.length < OUTER_FOLDS) throw new RangeError(`${runs.length} runs are too few to learn from`);
  const sorted = [...runs].sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const cases = sorted.map((run): TrainingCase => ({ group: groupOf(run.task), rows: run.rows, label: run.label }));
  const { fold, folds, rankings } = crossValidate(cases, SEED, grid);
  const settings = chooseSettings(cases, OUTER_FOLDS, SEED, grid);
  const answers = rankings.map(({ order, certainty }, i) => ({
    certainty,
    away: Math.abs((order[0] ?? 0) - (cases[i]?.label ?? 0)),
  }));
  return {
    version: VERSION,
    trainedOn: countSplits(sorted),
    labelKind,
    ranker: inFile({ ...fitRanker(cases, settings), penalty: settings.penalty, blur: settings.blur }),
    calibration: bandsOf(answers),
    folds: folds.map(inFile),
    cases: Object.fromEntries(
      sorted
        .flatMap(({ id, task }, i) => [id, task].map((name): [string, number] => [hashOf(name), fold[i] ?? 0]))
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ),
  };
}

/** Weights by the names of their features. */
function inFile({ weights, ...ranker }: Ranker & { penalty: number; blur: number }): TrainedFile["ranker"] {
  return { ...ranker, weights: byFeature((k) => weights[k] ?? 0) };
}

/** Runs on one repository stay together: `owner__name-12` and `owner__name-40` are tasks of one. */
function groupOf(task: string): string {
  return task.replace(/-\d+$/, "");
}

function countSplits(runs: LabelledRun[]): TrainedFile["trainedOn"] {
  const counts = new Map<string, { set: string; split: string; cases: number }>();
  for (const { set, split } of runs) {
    const key = JSON.stringify([set, split]);
    const known = counts.get(key) ?? { set, split, cases: 0 };
    counts.set(key, { ...known, cases: known.cases + 1 });
  }
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, count]) => count);
}

/** How often the label was named in each band, from the least sure runs to the surest. */
function bandsOf(answers: { certainty: number; away: number }[]): TrainedFile["calibration"] {
  const sorted = [...answers].sort((a, b) => a.certainty - b.certainty);
  return Array.from({ length: BANDS }, (_, band) => {
    const start = Math.round((band * sorted.length) / BANDS);
    const part = sorted.slice(start, Math.round(((band + 1) * sorted.length) / BANDS));
    return {
      from: band === 0 ? 0 : Number((part[0]?.certainty ?? 0).toFixed(3)),
      runs: part.length,
      exact: part.filter(({ away }) => away === 0).length,
      withinTwo: part.filter(({ away }) => away <= 2).length,
    };
  });
}
