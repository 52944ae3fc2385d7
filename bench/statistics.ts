import { quantile } from "@/lib/agreement/quantile";

/** What many samples of one figure say: the middle, the quartiles and the range. */
export interface Summary {
  median: number;
  q1: number;
  q3: number;
  min: number;
  max: number;
  count: number;
}

/**
 * Median, quartiles and range of samples in any unit. Quartiles lie between neighbours in proportion (type 7 of Hyndman
 * and Fan, 1996).
 * @throws RangeError without samples.
 */
export function summarise(samples: readonly number[]): Summary {
  if (samples.length === 0) throw new RangeError("there are no samples to summarise");
  const sorted = [...samples].sort((a, b) => a - b);
  return {
    median: quantile(sorted, 0.5),
    q1: quantile(sorted, 0.25),
    q3: quantile(sorted, 0.75),
    min: quantile(sorted, 0),
    max: quantile(sorted, 1),
    count: sorted.length,
  };
}

/**
 * How many times `of` is `per`: the ratio of their medians, with the spread of the ratios of the same rounds. Samples
 * of one round stand at the same place of both lists.
 * @throws RangeError without samples, or when the lists differ in length.
 */
export function ratioOf(of: readonly number[], per: readonly number[]): { value: number; rounds: Summary } {
  if (of.length !== per.length) throw new RangeError("a ratio needs as many samples of one side as of the other");
  const rounds = summarise(of.map((sample, round) => sample / (per[round] ?? Number.NaN)));
  return { value: summarise(of).median / summarise(per).median, rounds };
}
