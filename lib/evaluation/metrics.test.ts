import { describe, expect, it } from "vitest";
import type { LabelledCase } from "./labelled-case";
import {
  BUCKET_NAMES,
  bestConstant,
  bucketOf,
  chanceScore,
  guessedTurns,
  meanScore,
  metricsOf,
  scoreAnswer,
  TOLERANCES,
} from "./metrics";
import { testCase } from "./test-support/cases";

const hits = (labelled: LabelledCase, turns: number[]): number[] => {
  const { hits } = scoreAnswer(labelled, turns);
  return TOLERANCES.map((key) => hits[key]);
};

describe("the score of an answer", () => {
  it.each([
    [5, [1, 1, 1, 1, 1]],
    [4, [0, 1, 1, 1, 1]],
    [6, [0, 1, 1, 1, 1]],
    [3, [0, 0, 1, 1, 1]],
    [8, [0, 0, 0, 1, 1]],
    [1, [0, 0, 0, 0, 1]],
    [0, [0, 0, 0, 0, 1]],
    [11, [0, 0, 0, 0, 0]],
  ])("of turn %i for the label 5", (turn, expected) => {
    expect(hits(testCase({ turns: 20, label: 5 }), [turn])).toEqual(expected);
  });

  it("compares whole numbers: 1 is not 13", () => {
    expect(hits(testCase({ turns: 20, label: 13 }), [1])).toEqual([0, 0, 0, 0, 0]);
  });

  it("of an abstention is wrong, and not covered", () => {
    expect(scoreAnswer(testCase({ label: 5 }), [])).toMatchObject({ covered: 0, hits: { exact: 0, within5: 0 } });
  });

  it("of a tie is what choosing at random would be worth", () => {
    expect(hits(testCase({ label: 5 }), [5, 6, 9])).toEqual([1 / 3, 2 / 3, 2 / 3, 2 / 3, 1]);
    expect(scoreAnswer(testCase({ label: 5 }), [5, 6]).covered).toBe(1);
  });

  it("of a turn with several steps goes by the nearest of them", () => {
    const map = { turns: [[0], [1, 2, 3], [4]], between: new Set<number>(), count: 5 };
    expect(hits(testCase({ label: 2, map }), [1])).toEqual([1, 1, 1, 1, 1]);
    expect(hits(testCase({ label: 4, map }), [1])).toEqual([0, 1, 1, 1, 1]);
    expect(hits(testCase({ label: 1, map }), [2])).toEqual([0, 0, 0, 1, 1]);
  });

  it("is never exact for a label on no turn, and near where it is near", () => {
    const between = { turns: [[0], [2]], between: new Set([1]), count: 3 };
    expect(hits(testCase({ label: 1, map: between }), [0])).toEqual([0, 1, 1, 1, 1]);
    expect(hits(testCase({ turns: 10, label: 12 }), [9])).toEqual([0, 0, 0, 1, 1]);
    expect(hits(testCase({ label: null }), [0])).toEqual([0, 0, 0, 0, 0]);
  });
});

describe("metrics", () => {
  const cases = [testCase({ label: 0 }), testCase({ label: 0 }), testCase({ label: 0 }), testCase({ label: 0 })];

  it("are per cent of all cases; what got no answer counts against them", () => {
    const answers = [[0], [1], [4], []];
    const scores = cases.map((one, n) => scoreAnswer(one, answers[n] ?? []));
    expect(metricsOf(scores)).toEqual({
      ...{ exact: 25, within1: 50, within2: 50, within3: 50, within5: 75 },
      ...{ n: 4, coverage: 75 },
    });
  });

  it("of several runs are the mean of each case", () => {
    const [one] = cases;
    if (one === undefined) throw new Error("no case");
    const mean = meanScore([scoreAnswer(one, [0]), scoreAnswer(one, [2]), scoreAnswer(one, [])]);
    expect(mean.hits.exact).toBeCloseTo(1 / 3, 12);
    expect(mean.hits.within2).toBeCloseTo(2 / 3, 12);
    expect(mean.covered).toBeCloseTo(2 / 3, 12);
  });

  it("of nothing are no numbers", () => {
    expect(() => metricsOf([])).toThrow(RangeError);
  });
});

describe("chance", () => {
  it.each([
    [10, 5, [1, 3, 5, 7, 10]],
    [10, 0, [1, 2, 3, 4, 6]],
    [10, 9, [1, 2, 3, 4, 6]],
    [3, 1, [1, 3, 3, 3, 3]],
    [10, 12, [0, 0, 0, 1, 3]],
  ])("is the exact share of %i turns that count for the label %i", (turns, label, counts) => {
    const { hits } = chanceScore(testCase({ turns, label }));
    for (const [n, key] of TOLERANCES.entries()) expect(hits[key]).toBeCloseTo((counts[n] ?? 0) / turns, 12);
  });

  it("counts turns, not steps", () => {
    const map = { turns: [[0, 1, 2], [3]], between: new Set([4]), count: 5 };
    expect(chanceScore(testCase({ label: 2, map })).hits.exact).toBe(1 / 2);
  });

  it("is nothing in a run without turns", () => {
    expect(chanceScore(testCase({ turns: 0, label: 0 }))).toMatchObject({ covered: 0, hits: { within5: 0 } });
  });
});

describe("the best constant guess", () => {
  it("is the one that the labels would have made best, at each tolerance by itself", () => {
    const cases = [2, 2, 5, 7, 9].map((label) => testCase({ turns: 20, label }));
    const best = bestConstant(cases);
    expect(best.exact).toEqual({ value: 40, guess: { from: "start", offset: 2 } });
    expect(best.within2).toEqual({ value: 60, guess: { from: "start", offset: 3 } });
    expect(best.within5).toEqual({ value: 100, guess: { from: "start", offset: 4 } });
  });

  it("may count from the end", () => {
    const cases = [5, 9, 14].map((turns) => testCase({ turns, label: turns - 2 }));
    expect(bestConstant(cases).exact).toEqual({ value: 100, guess: { from: "end", offset: 1 } });
  });

  it("stays inside a run that is shorter", () => {
    const short = testCase({ turns: 3, label: 0 });
    expect(guessedTurns(short, { from: "start", offset: 9 })).toEqual([2]);
    expect(guessedTurns(short, { from: "end", offset: 9 })).toEqual([0]);
    expect(guessedTurns(testCase({ turns: 0, label: 0 }), { from: "end", offset: 0 })).toEqual([]);
  });
});

describe("length buckets", () => {
  it.each([
    [0, "0-20"],
    [20, "0-20"],
    [21, "21-40"],
    [40, "21-40"],
    [41, "41-60"],
    [60, "41-60"],
    [61, "61-80"],
    [80, "61-80"],
    [81, ">80"],
    [4_000, ">80"],
  ])("%i steps are %s", (turns, name) => {
    expect(bucketOf(testCase({ turns, label: 0 }))).toBe(name);
    expect(BUCKET_NAMES).toContain(name);
  });

  it("go by the set's own steps, not by turns", () => {
    const map = { turns: [[0]], between: new Set<number>(), count: 21 };
    expect(bucketOf(testCase({ label: 0, map }))).toBe("21-40");
  });
});
