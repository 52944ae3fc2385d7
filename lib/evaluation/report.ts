import { bootstrapMeans, type Interval } from "./bootstrap";
import type { ScoredCase } from "./evaluation";
import type { Definition, LabelledCase } from "./labelled-case";
import {
  BUCKET_NAMES,
  type ByTolerance,
  bestConstant,
  bucketOf,
  byTolerance,
  type CaseScore,
  chanceScore,
  type Metrics,
  metricsOf,
  TOLERANCES,
} from "./metrics";

/** The figures of a group of cases, all in per cent but `n` and `tasks`. */
export interface Figures {
  metrics: Metrics;
  /** Different tasks among the cases; intervals are drawn over them. */
  tasks: number;
  /** 95 % intervals of the accuracies; null with a single task. */
  intervals: ByTolerance<Interval> | null;
  /** The exact expected value of a guess that takes each turn with the same probability. */
  chance: ByTolerance<number>;
  bestConstant: ReturnType<typeof bestConstant>;
  /** This engine's accuracy less that of the one that it is held against, case by case; null without such a one. */
  difference: ByTolerance<Interval & { value: number }> | null;
}

/** Where the labels of a set fall. Those on no turn are scored as well: no answer can hit them exactly. */
export interface LabelCounts {
  onTurn: number;
  /** On something that stands between turns, such as a person's message. */
  between: number;
  /** On a step that the run does not have. */
  outside: number;
  /** No whole numbers. */
  unreadable: number;
  /** Cases of which several steps are labelled: the earliest counts. */
  several: number;
}

/** What came out for one labelled set and one definition of its label. */
export interface SetReport {
  set: string;
  definition: Definition;
  /** The numberings that labels and turns are compared in. */
  conventions: string[];
  all: Figures;
  bySplit: Record<string, Figures>;
  byLength: Record<string, Figures>;
  /** By how much the engine trusts its answer; empty when it does not say. */
  byReliability: Record<string, Figures>;
  labels: LabelCounts;
}

/**
 * The figures of scored cases, each set by itself: sets, and definitions of a label, are never pooled.
 * @param against another engine's scores of the same cases in the same order
 * @throws RangeError when those are of other cases.
 */
export function reportSets(scored: readonly ScoredCase[], against: readonly ScoredCase[] | null): SetReport[] {
  const held = scored.map((one, n): Held => {
    const other = against?.[n];
    if (against !== null && other?.labelled.id !== one.labelled.id) throw new RangeError("the cases are not the same");
    return { ...one, other: other?.score ?? null };
  });
  const sets = groupBy(held, ({ labelled }) => `${labelled.set}\n${labelled.definition?.kind ?? ""}`);
  return [...sets.values()].map(reportSet);
}

interface Held extends ScoredCase {
  other: CaseScore | null;
}

function reportSet(cases: Held[]): SetReport {
  const [first] = cases;
  if (first === undefined) throw new RangeError("a set without a case");
  const { set, definition } = first.labelled;
  return {
    set,
    definition: definition ?? { kind: "label", text: null, source: null },
    conventions: [...new Set(cases.map(({ labelled }) => labelled.convention))],
    all: figuresOf(cases),
    bySplit: figuresBy(cases, ({ labelled }) => labelled.split),
    byLength: figuresBy(cases, ({ labelled }) => bucketOf(labelled), BUCKET_NAMES),
    byReliability: figuresBy(
      cases.filter(({ predictions }) => predictions[0]?.reliability != null),
      ({ predictions }) => predictions[0]?.reliability ?? "",
    ),
    labels: countLabels(cases.map(({ labelled }) => labelled)),
  };
}

function figuresBy(
  cases: readonly Held[],
  keyOf: (one: Held) => string,
  order: readonly string[] = [],
): Record<string, Figures> {
  const groups = groupBy(cases, keyOf);
  const keys = order.length > 0 ? order.filter((key) => groups.has(key)) : [...groups.keys()].sort();
  return Object.fromEntries(keys.map((key) => [key, figuresOf(groups.get(key) ?? [])]));
}

function figuresOf(cases: readonly Held[]): Figures {
  const labelled = cases.map((one) => one.labelled);
  const values = cases.map(({ score, other }) => [
    ...TOLERANCES.map((key) => 100 * score.hits[key]),
    ...TOLERANCES.map((key) => 100 * (score.hits[key] - (other?.hits[key] ?? 0))),
  ]);
  const drawn = bootstrapMeans(labelled.map(({ task }, n) => ({ cluster: task, values: values[n] ?? [] })));
  const intervalOf = (n: number): Interval => drawn?.[n] ?? { low: Number.NaN, high: Number.NaN };
  const metrics = metricsOf(cases.map(({ score }) => score));
  const chance = metricsOf(labelled.map(chanceScore));
  const others = cases.map(({ other }) => other).filter((other) => other !== null);
  const isHeld = others.length === cases.length && drawn !== null;
  const theirs = isHeld ? metricsOf(others) : null;
  return {
    metrics,
    tasks: new Set(labelled.map(({ task }) => task)).size,
    intervals: drawn === null ? null : byTolerance((key) => intervalOf(TOLERANCES.indexOf(key))),
    chance: byTolerance((key) => chance[key]),
    bestConstant: bestConstant(labelled),
    difference:
      theirs === null
        ? null
        : byTolerance((key) => ({
            value: metrics[key] - theirs[key],
            ...intervalOf(TOLERANCES.length + TOLERANCES.indexOf(key)),
          })),
  };
}

function countLabels(cases: readonly LabelledCase[]): LabelCounts {
  const count = (place: LabelledCase["labelPlace"]): number =>
    cases.filter(({ labelPlace }) => labelPlace === place).length;
  return {
    onTurn: count("turn"),
    between: count("between"),
    outside: count("outside"),
    unreadable: count("unreadable"),
    several: cases.filter(({ labelCount }) => labelCount > 1).length,
  };
}

function groupBy<T>(values: readonly T[], keyOf: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOf(value);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [value]);
    else known.push(value);
  }
  return groups;
}
