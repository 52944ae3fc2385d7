import { quantile } from "@/lib/agreement/quantile";
import { seededRandom } from "@/lib/agreement/random";

/** The two ends of an interval. */
export interface Interval {
  low: number;
  high: number;
}

/** One case: the task that it is drawn with, and its values, which are as many in each. */
export interface Drawn {
  cluster: string;
  values: readonly number[];
}

export const RESAMPLES = 10_000;
const SEED = 20_260_527;
const CONFIDENCE = 0.95;

/**
 * 95 % percentile intervals for the means of values: tasks are drawn with replacement, each with all its cases, because
 * runs of one task are alike. The same cases give the same intervals, in whatever order they come.
 * @returns one interval a value; null where there is but one task, of which nothing can be drawn
 */
export function bootstrapMeans(cases: readonly Drawn[], resamples = RESAMPLES, seed = SEED): Interval[] | null {
  const width = cases[0]?.values.length ?? 0;
  const clusters = clustersOf(cases, width);
  if (clusters.length < 2) return null;
  const random = seededRandom(seed);
  const means = Array.from({ length: width }, () => new Float64Array(resamples));
  const sums = new Float64Array(width);
  for (let drawn = 0; drawn < resamples; drawn++) {
    sums.fill(0);
    let n = 0;
    for (let i = 0; i < clusters.length; i++) {
      const cluster = clusters[Math.floor(random() * clusters.length)];
      if (cluster === undefined) continue;
      n += cluster.n;
      for (let v = 0; v < width; v++) sums[v] = (sums[v] ?? 0) + (cluster.sums[v] ?? 0);
    }
    for (let v = 0; v < width; v++) {
      const column = means[v];
      if (column !== undefined) column[drawn] = (sums[v] ?? 0) / n;
    }
  }
  const tail = (1 - CONFIDENCE) / 2;
  return means.map((column) => {
    column.sort();
    return { low: quantile(column, tail), high: quantile(column, 1 - tail) };
  });
}

/** Tasks in an order of their own, so that the order of the cases plays no part. */
function clustersOf(cases: readonly Drawn[], width: number): { n: number; sums: number[] }[] {
  const clusters = new Map<string, { n: number; sums: number[] }>();
  for (const { cluster, values } of cases) {
    if (values.length !== width) throw new RangeError("cases with different numbers of values");
    const known = clusters.get(cluster) ?? { n: 0, sums: Array.from({ length: width }, () => 0) };
    known.n += 1;
    for (const [v, value] of values.entries()) known.sums[v] = (known.sums[v] ?? 0) + value;
    clusters.set(cluster, known);
  }
  return [...clusters].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, cluster]) => cluster);
}
