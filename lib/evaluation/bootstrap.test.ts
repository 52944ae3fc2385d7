import { describe, expect, it } from "vitest";
import { bootstrapMeans, type Drawn } from "./bootstrap";

/** One value a task: so many ones, the rest noughts. */
function binary(n: number, ones: number): Drawn[] {
  return Array.from({ length: n }, (_, i) => ({ cluster: `task ${i}`, values: [i < ones ? 1 : 0] }));
}

/** The number of successes at which a binomial distribution reaches a share. */
function binomialQuantile(n: number, p: number, share: number): number {
  let mass = (1 - p) ** n;
  let sum = mass;
  let k = 0;
  while (sum < share) {
    mass *= ((n - k) / (k + 1)) * (p / (1 - p));
    sum += mass;
    k++;
  }
  return k;
}

describe("bootstrap intervals", () => {
  it.each([
    [20, 5],
    [50, 25],
    [150, 41],
    [200, 10],
  ])("of %i tasks with one case each and %i hits are those of the binomial distribution", (n, ones) => {
    // The mean of a sample with replacement from these is binomial; a percentile may lie one hit beside a step of it.
    const [interval] = bootstrapMeans(binary(n, ones)) ?? [];
    expect(Math.abs((interval?.low ?? 9) * n - binomialQuantile(n, ones / n, 0.025))).toBeLessThanOrEqual(1);
    expect(Math.abs((interval?.high ?? 9) * n - binomialQuantile(n, ones / n, 0.975))).toBeLessThanOrEqual(1);
  });

  it("of two tasks reach from one to the other", () => {
    expect(bootstrapMeans(binary(2, 1))).toEqual([{ low: 0, high: 1 }]);
  });

  it("draw tasks, not cases: runs of one task are no evidence for one another", () => {
    const alone = binary(40, 20);
    const alike = alone.flatMap((one) => [one, one, one, one, one]);
    expect(bootstrapMeans(alike)).toEqual(bootstrapMeans(alone));
    const apart = alike.map((one, n) => ({ ...one, cluster: `case ${n}` }));
    const width = ([interval]: { low: number; high: number }[]): number => (interval?.high ?? 0) - (interval?.low ?? 0);
    expect(width(bootstrapMeans(apart) ?? [])).toBeLessThan(width(bootstrapMeans(alone) ?? []) / 2);
  });

  it("of tasks of different sizes are of the mean over cases", () => {
    const cases = [
      ...Array.from({ length: 9 }, () => ({ cluster: "large", values: [1] })),
      { cluster: "small", values: [0] },
    ];
    // One of each gives 9 of 10; twice the same gives 0 or 1.
    expect(bootstrapMeans(cases)).toEqual([{ low: 0, high: 1 }]);
    expect(
      bootstrapMeans([...cases, ...cases.map((one) => ({ ...one, cluster: `${one.cluster} too` }))])?.[0]?.low,
    ).toBe(0);
  });

  it("of paired differences are narrow where two engines agree", () => {
    const cases = Array.from({ length: 60 }, (_, i) => {
      const [a, b] = [i % 3 === 0 ? 1 : 0, i % 3 === 0 || i === 1 ? 1 : 0];
      return { cluster: `${i}`, values: [a, b, b - a] };
    });
    const [a, , difference] = bootstrapMeans(cases) ?? [];
    expect(difference?.low).toBe(0);
    expect(difference?.high).toBeLessThan(0.06);
    expect((a?.high ?? 0) - (a?.low ?? 0)).toBeGreaterThan(0.2);
  });

  it("are the same each time, in whatever order the cases come, and others with another seed", () => {
    const cases = binary(30, 11);
    expect(bootstrapMeans([...cases].reverse())).toEqual(bootstrapMeans(cases));
    expect(bootstrapMeans(cases, 50, 1)).not.toEqual(bootstrapMeans(cases, 50, 2));
  });

  it("are none where there is one task, or no case", () => {
    expect(bootstrapMeans(binary(1, 1))).toBeNull();
    expect(bootstrapMeans([])).toBeNull();
  });

  it("refuse cases that hold different numbers of values", () => {
    expect(() => bootstrapMeans([...binary(2, 1), { cluster: "x", values: [] }])).toThrow(RangeError);
  });
});
