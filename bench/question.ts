import { ratioOf, type Summary, summarise } from "./statistics";

/** One thing that was measured. `atMost` is the bound that it is held against, null when it is only reported. */
export interface Figure {
  name: string;
  unit: "ms" | "ms/MB" | "MB/s" | "MB" | "bytes" | "times" | "count" | "seconds";
  value: number;
  /** Of the samples; for a ratio of medians, of the ratios of the same rounds. Null for what was measured once. */
  spread: Summary | null;
  atMost: number | null;
}

/** What a question found, the figures with a bound among the others. */
export interface Measured {
  figures: Figure[];
  /** What a reader has to know of the inputs: sizes, counts, what was left out and why. */
  remarks?: string[];
}

/** One question that a benchmark answers. It lives in one file of `questions/` and is listed once in `questions.ts`. */
export interface Question {
  id: string;
  title: string;
  /** The bound in words, null when the question only reports. */
  bound: string | null;
  run: () => Promise<Measured>;
}

/** A figure whose value is the median of samples. */
export function medianFigure(
  name: string,
  unit: Figure["unit"],
  samples: readonly number[],
  atMost: number | null = null,
): Figure {
  const spread = summarise(samples);
  return { name, unit, value: spread.median, spread, atMost };
}

/** A figure whose value is the ratio of two medians. */
export function ratioFigure(
  name: string,
  of: readonly number[],
  per: readonly number[],
  atMost: number | null = null,
): Figure {
  const { value, rounds } = ratioOf(of, per);
  return { name, unit: "times", value, spread: rounds, atMost };
}

/** A figure that was measured once or is counted. */
export function singleFigure(name: string, unit: Figure["unit"], value: number, atMost: number | null = null): Figure {
  return { name, unit, value, spread: null, atMost };
}

/** True when every figure with a bound keeps it, false when one does not, null when nothing is bounded. */
export function isKept(figures: readonly Figure[]): boolean | null {
  const bounded = figures.filter((figure) => figure.atMost !== null);
  return bounded.length === 0 ? null : bounded.every((figure) => figure.value <= (figure.atMost ?? Number.NaN));
}
