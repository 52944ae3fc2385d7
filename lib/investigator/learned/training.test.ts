import { describe, expect, it } from "vitest";
import { FEATURES } from "./features";
import { rankTurns } from "./ranking";
import { type LabelledRun, trainRanker } from "./train";
import { foldsOf, type Grid, hashOf } from "./training";
import { trainedSchema } from "./weights-schema";

/** Enough settings for a choice; the grid of the shipped weights takes minutes. */
const GRID: Grid = { rules: ["existing"], penalties: [1, 4], blurs: [0], lents: [0, 0.3] };
const TURNS = 6;
const MARK = FEATURES.indexOf("changes_existing_file");

/** Runs in which the labelled turn carries the mark, but for every fifth, in which another does. */
function madeRuns(count: number): LabelledRun[] {
  return Array.from({ length: count }, (_, n) => {
    const label = (n * 5) % TURNS;
    const marked = n % 5 === 4 ? (label + 3) % TURNS : label;
    const rows = Array.from({ length: TURNS }, (_, i) =>
      FEATURES.map((_, k) => (k === MARK ? (i === marked ? 1 : 0) : k === 1 ? i / (TURNS - 1) : 0)),
    );
    const name = `orchard__ladder${n % 12}-${n}`;
    const by = { existing: rows, not_tried: rows, not_scratch: rows };
    return { set: "made", split: "a", id: `made/${n}`, task: name, label, rows: by };
  });
}

describe("training", () => {
  const runs = madeRuns(36);
  const file = trainRanker(runs, "point of no return", GRID);

  it("gives the same bytes twice, in whatever order the runs come", () => {
    expect(JSON.stringify(trainRanker([...runs].reverse(), "point of no return", GRID))).toBe(JSON.stringify(file));
  });

  it("learns what the labels go by, and names it out of fold as often as it holds", () => {
    const trained = trainedSchema.parse(file);
    const weights = trained.ranker.weights;
    expect(Math.max(...weights)).toBe(weights[MARK]);
    const exact = trained.calibration.reduce((sum, band) => sum + band.exact, 0);
    // 29 of 36 runs have the mark on their label.
    expect(exact).toBe(29);
    expect(trained.calibration.reduce((sum, band) => sum + band.runs, 0)).toBe(36);
    expect(trained.trainedOn).toEqual([{ set: "made", split: "a", cases: 36 }]);
  });

  it("keeps a case and its task in one fold, by hashes that do not name them", () => {
    expect(Object.keys(file.cases)).toHaveLength(72);
    for (const { id, task } of runs) expect(file.cases[hashOf(id)]).toBe(file.cases[hashOf(task)]);
    expect(JSON.stringify(file.cases)).not.toContain("ladder");
  });

  it("has for each case a ranker that did not learn from it", () => {
    const trained = trainedSchema.parse(file);
    // A set in which one repository alone has its label on the last turn without a mark cannot teach that to its own fold.
    const odd = madeRuns(36).map((run, n) => {
      if (n % 12 !== 0) return run;
      const rows = run.rows.existing.map((row, i) => row.map((x, k) => (k === 0 && i === 0 ? 1 : k === MARK ? 0 : x)));
      return { ...run, label: 0, rows: { existing: rows, not_tried: rows, not_scratch: rows } };
    });
    const learned = trainedSchema.parse(trainRanker(odd, "point of no return", GRID));
    const fold = learned.cases[hashOf("made/0")] ?? -1;
    expect(learned.folds[fold]?.weights[0]).toBe(0);
    expect(learned.ranker.weights[0]).toBeGreaterThan(0);
    expect(trained.folds).toHaveLength(10);
  });

  it("refuses fewer runs than folds", () => {
    expect(() => trainRanker(madeRuns(9), "x")).toThrow(RangeError);
  });
});

it("folds keep groups together and are about equally large", () => {
  const cases = Array.from({ length: 50 }, (_, n) => ({ group: n < 12 ? "large" : `g${n % 19}` }));
  const fold = foldsOf(cases, 5, 1);
  const byGroup = new Map<string, Set<number>>();
  for (const [i, { group }] of cases.entries()) {
    byGroup.set(group, (byGroup.get(group) ?? new Set()).add(fold[i] ?? -1));
  }
  expect([...byGroup.values()].every((folds) => folds.size === 1)).toBe(true);
  const sizes = [0, 1, 2, 3, 4].map((n) => fold.filter((one) => one === n).length);
  expect(Math.max(...sizes)).toBeLessThanOrEqual(12);
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(8);
});

it("hashes are FNV-1a of 64 bits", () => {
  expect(hashOf("")).toBe("cbf29ce484222325");
  expect(hashOf("a")).toBe("af63dc4c8601ec8c");
  expect(hashOf("foobar")).toBe("85944171f73967e8");
});

it("of turns that are equally likely, the one among other likely ones is ranked first", () => {
  const weights = FEATURES.map((_, k) => (k === MARK ? 2 : 0));
  const rows = [1, 0, 0, 0, 1, 1, 0].map((mark) => FEATURES.map((_, k) => (k === MARK ? mark : 0)));
  expect(rankTurns(rows, { rule: "existing", lent: 0, weights }).order[0]).toBe(0);
  const { order, score, share, certainty } = rankTurns(rows, { rule: "existing", lent: 0.3, weights });
  expect(order[0]).toBe(4);
  expect(score.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
  expect(certainty).toBeCloseTo(
    (share[2] ?? 0) + (share[3] ?? 0) + (share[4] ?? 0) + (share[5] ?? 0) + (share[6] ?? 0),
    12,
  );
  expect(rankTurns([], { rule: "existing", lent: 0, weights }).order).toEqual([]);
});
