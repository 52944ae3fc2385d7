import { CHANGE_RULES, type ChangeRule, FEATURES } from "./features";
import { type Choice, fitLogit } from "./logit";
import { type Ranker, type Ranking, rankTurns } from "./ranking";

/** A labelled run, ready to learn from. `group` holds together what must not be split: runs on one repository. */
export interface TrainingCase {
  group: string;
  rows: Record<ChangeRule, number[][]>;
  /** Position of the labelled turn on the path. */
  label: number;
}

/** What is chosen by cross-validation and not fitted. */
export interface Settings {
  rule: ChangeRule;
  /** Weight of the squared weights, for features scaled to a standard deviation of 1. */
  penalty: number;
  /** What part of the label's weight each turn next to it gets while learning; half of it two turns away. */
  blur: number;
  lent: number;
}

/** What is tried of each setting. */
export interface Grid {
  rules: readonly ChangeRule[];
  penalties: readonly number[];
  blurs: readonly number[];
  lents: readonly number[];
}

/** All that is tried, the first of equals first. A wide and coarse grid: 150 runs cannot tell neighbours apart. */
export const GRID: Grid = {
  rules: CHANGE_RULES,
  penalties: [10, 20, 40, 80],
  blurs: [0, 0.2, 0.4],
  lents: [0, 0.3, 0.45],
};
export const OUTER_FOLDS = 10;
const INNER_FOLDS = 5;
/** Enough digits that no ranking changes, few enough that the last bits of a processor's logarithm do not show. */
const DIGITS = 6;

/** Fits a ranker; its weights are for features as they are, rounded to six digits. */
export function fitRanker(cases: TrainingCase[], settings: Settings): Ranker {
  const scales = deviations(cases.flatMap(({ rows }) => rows[settings.rule]));
  const choices = cases.map(({ rows, label }): Choice => {
    const scaled = rows[settings.rule].map((row) => row.map((x, k) => (scales[k] === 0 ? 0 : x / (scales[k] ?? 1))));
    return { rows: scaled, target: blurred(scaled.length, label, settings.blur) };
  });
  const fitted = fitLogit(choices, FEATURES.length, settings.penalty);
  const weights = fitted.map((weight, k) => {
    const scale = scales[k] ?? 0;
    return scale === 0 ? 0 : Number((weight / scale).toPrecision(DIGITS));
  });
  return { rule: settings.rule, lent: settings.lent, weights };
}

/** Standard deviations of the columns. */
function deviations(rows: number[][]): number[] {
  return FEATURES.map((_, k) => {
    const mean = rows.reduce((sum, row) => sum + (row[k] ?? 0), 0) / rows.length;
    return Math.sqrt(rows.reduce((sum, row) => sum + ((row[k] ?? 0) - mean) ** 2, 0) / rows.length);
  });
}

function blurred(turns: number, label: number, blur: number): number[] {
  const raw = Array.from({ length: turns }, (_, i) => {
    const away = Math.abs(i - label);
    return away === 0 ? 1 : away === 1 ? blur : away === 2 ? blur / 2 : 0;
  });
  const total = raw.reduce((a, b) => a + b, 0);
  return raw.map((value) => value / total);
}

/**
 * Puts each case in one of `count` folds so that a group stays together and folds are about equally large: large groups
 * first, each into the fold that holds least. `seed` shuffles groups of equal size; the same seed gives the same folds.
 */
export function foldsOf(cases: { group: string }[], count: number, seed: number): number[] {
  const sizes = new Map<string, number>();
  for (const { group } of cases) sizes.set(group, (sizes.get(group) ?? 0) + 1);
  const place = (group: string): string => hashOf(`${seed}:${group}`);
  const groups = [...sizes].sort(
    (a, b) => b[1] - a[1] || (place(a[0]) < place(b[0]) ? -1 : place(a[0]) > place(b[0]) ? 1 : 0),
  );
  const loads = new Array<number>(count).fill(0);
  const foldOf = new Map<string, number>();
  for (const [group, size] of groups) {
    const fold = loads.indexOf(Math.min(...loads));
    loads[fold] = (loads[fold] ?? 0) + size;
    foldOf.set(group, fold);
  }
  return cases.map(({ group }) => foldOf.get(group) ?? 0);
}

const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;

/** FNV-1a of 64 bits over UTF-16 units, in 16 hexadecimal digits. It names a case; it hides nothing. */
export function hashOf(text: string): string {
  let hash = FNV_OFFSET;
  for (let i = 0; i < text.length; i += 1) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(text.charCodeAt(i))) * FNV_PRIME);
  }
  return hash.toString(16).padStart(16, "0");
}

/** The settings under which runs that were left out are named best: most labels hit, exact and within two turns. */
export function chooseSettings(cases: TrainingCase[], folds: number, seed: number, grid: Grid): Settings {
  const fold = foldsOf(cases, folds, seed);
  let best: { settings: Settings; hits: number } | null = null;
  for (const tried of triedSettings(grid)) {
    const hits = grid.lents.map(() => 0);
    for (let left = 0; left < folds; left += 1) {
      const rest = cases.filter((_, i) => fold[i] !== left);
      // What neighbours lend plays no part in fitting: one fit serves all of them.
      const ranker = fitRanker(rest, { ...tried, lent: 0 });
      for (const { rows, label } of cases.filter((_, i) => fold[i] === left)) {
        for (const [n, lent] of grid.lents.entries()) {
          const away = Math.abs((rankTurns(rows[tried.rule], { ...ranker, lent }).order[0] ?? 0) - label);
          hits[n] = (hits[n] ?? 0) + (away === 0 ? 2 : away <= 2 ? 1 : 0);
        }
      }
    }
    for (const [n, lent] of grid.lents.entries()) {
      const found = hits[n] ?? 0;
      if (best === null || found > best.hits) best = { settings: { ...tried, lent }, hits: found };
    }
  }
  if (best === null) throw new RangeError("no settings to choose from");
  return best.settings;
}

function triedSettings(grid: Grid): Omit<Settings, "lent">[] {
  return grid.rules.flatMap((rule) =>
    grid.penalties.flatMap((penalty) => grid.blurs.map((blur) => ({ rule, penalty, blur }))),
  );
}

export interface CrossValidation {
  /** The fold of each case. */
  fold: number[];
  /** For each fold the ranker that has seen no case of it, nor a case of the same group; settings chosen without them. */
  folds: (Ranker & Pick<Settings, "penalty" | "blur">)[];
  /** For each case, its ranking by the ranker that has not seen it. */
  rankings: Ranking[];
}

/** Nested cross-validation: in each fold the settings are chosen by an inner one over the rest alone. */
export function crossValidate(cases: TrainingCase[], seed: number, grid: Grid): CrossValidation {
  const fold = foldsOf(cases, OUTER_FOLDS, seed);
  const folds: CrossValidation["folds"] = [];
  for (let left = 0; left < OUTER_FOLDS; left += 1) {
    const rest = cases.filter((_, i) => fold[i] !== left);
    const settings = chooseSettings(rest, INNER_FOLDS, seed, grid);
    folds.push({ ...fitRanker(rest, settings), penalty: settings.penalty, blur: settings.blur });
  }
  const rankings = cases.map(({ rows }, i) => {
    const ranker = folds[fold[i] ?? -1];
    if (ranker === undefined) throw new RangeError("a case without a fold");
    return rankTurns(rows[ranker.rule], ranker);
  });
  return { fold, folds, rankings };
}
