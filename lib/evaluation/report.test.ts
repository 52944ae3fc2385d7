import { describe, expect, it } from "vitest";
import type { ScoredCase } from "./evaluation";
import type { LabelledCase } from "./labelled-case";
import { scoreAnswer } from "./metrics";
import { reportSets } from "./report";
import { type EvaluationFacts, reportJson, scoresJson } from "./report-json";
import { reportText } from "./report-text";
import { testCase } from "./test-support/cases";

function scored(labelled: LabelledCase, turns: number[], reliability: string | null = null): ScoredCase {
  const predictions = [{ turns, reliability, scores: [{ turn: 0, value: 0.25 }] }];
  return { labelled, predictions, score: scoreAnswer(labelled, turns) };
}

const at = (id: string, label: number | null, more: Partial<LabelledCase> = {}): LabelledCase =>
  testCase({ id, label, ...more });
const FACTS: EvaluationFacts = {
  ...{ engine: "rule", engineVersion: "rule@2", remark: null, reference: false, runs: 1, against: null },
  ...{ unlabelled: { E2: 3 }, unreadable: [{ part: "line 9", reason: "no JSON" }], unmatched: ["z"] },
};

const four = [
  scored(at("a", 2, { split: "x" }), [2], "medium"),
  scored(at("b", 2, { split: "x" }), [4], "lower"),
  scored(at("c", 12, { split: "y" }), [], "lower"),
  scored(at("d", 2, { split: "y", map: { turns: [[0], [1], [3]], between: new Set([2]), count: 25 } }), [1], "medium"),
];

describe("a report", () => {
  const [set] = reportSets(four, null);
  if (set === undefined) throw new Error("no set");

  it("has the figures of all cases and of every group of them", () => {
    expect(set.all.metrics).toMatchObject({ exact: 25, within1: 50, within2: 75, within5: 75, n: 4, coverage: 75 });
    expect(set.bySplit.x?.metrics).toMatchObject({ exact: 50, within1: 50, within2: 100, n: 2, coverage: 100 });
    expect(set.bySplit.y?.metrics).toMatchObject({ exact: 0, within1: 50, n: 2, coverage: 50 });
    expect(Object.keys(set.byLength)).toEqual(["0-20", "21-40"]);
    expect(set.byLength["21-40"]?.metrics.n).toBe(1);
    expect(set.byReliability.medium?.metrics).toMatchObject({ exact: 50, n: 2 });
    expect(set.byReliability.lower?.metrics).toMatchObject({ exact: 0, n: 2, coverage: 50 });
  });

  it("has chance and the best constant of the same cases", () => {
    // A tenth, a tenth, nothing (no turn is the step 12), and nothing (the label stands between turns).
    expect(set.all.chance.exact).toBeCloseTo(5, 12);
    expect(set.all.bestConstant.exact).toEqual({ value: 50, guess: { from: "start", offset: 2 } });
  });

  it("counts the labels that fall on no turn, and leaves none out", () => {
    expect(set.labels).toEqual({ onTurn: 2, between: 1, outside: 1, unreadable: 0, several: 0 });
    const more = reportSets([scored(at("e", null), [0]), scored(at("f", 1, { labelCount: 2 }), [1])], null);
    expect(more[0]?.labels).toEqual({ onTurn: 1, between: 0, outside: 0, unreadable: 1, several: 1 });
    expect(more[0]?.all.metrics).toMatchObject({ n: 2, exact: 50 });
  });

  it("does not pool sets, nor labels of different definitions", () => {
    const other = { kind: "point of no return", text: null, source: null };
    const sets = reportSets(
      [...four, scored(at("g", 1, { set: "second" }), [1]), scored(at("h", 1, { definition: other }), [0])],
      null,
    );
    expect(sets.map(({ set, definition, all }) => [set, definition.kind, all.metrics.n])).toEqual([
      ["set", "earliest decisive error", 4],
      ["second", "earliest decisive error", 1],
      ["set", "point of no return", 1],
    ]);
    expect(reportJson(FACTS, sets)).toMatchObject({ metrics: null, bySplit: null, sets: { length: 3 } });
  });

  it("has the paired difference to another engine, case by case", () => {
    const cases = Array.from({ length: 40 }, (_, n) => at(`${n}`, 2));
    const better = cases.map((one, n) => scored(one, [n < 20 ? 2 : 9]));
    const worse = cases.map((one, n) => scored(one, [n < 10 ? 2 : 9]));
    const { exact, within1 } = reportSets(better, worse)[0]?.all.difference ?? {};
    expect(exact?.value).toBeCloseTo(25, 12);
    expect(exact?.low).toBeGreaterThan(10);
    expect(exact?.high).toBeLessThan(42);
    expect(within1).toEqual(exact);
    expect(reportSets(worse, better)[0]?.all.difference?.exact.value).toBeCloseTo(-25, 12);
    expect(() => reportSets(better, [...worse].reverse())).toThrow(RangeError);
  });

  it("has no interval of a single task", () => {
    const [one] = reportSets([scored(at("a", 2), [2])], [scored(at("a", 2), [2])]);
    expect(one?.all).toMatchObject({ intervals: null, difference: null, tasks: 1, metrics: { exact: 100 } });
  });
});

describe("a report as JSON", () => {
  it("has metrics in per cent with two decimals, of all and by split, and everything else by set", () => {
    const third = [...four.slice(0, 2), scored(at("i", 2, { split: "x" }), [9])];
    expect(reportJson(FACTS, reportSets(third, null))).toMatchObject({
      engine: "rule",
      unlabelled: { E2: 3 },
      unreadable: [{ part: "line 9" }],
      metrics: { exact: 33.33, within1: 33.33, within2: 66.67, within3: 66.67, within5: 66.67, n: 3, coverage: 100 },
      bySplit: { x: { exact: 33.33, n: 3 } },
      sets: [
        {
          set: "set",
          definition: { kind: "earliest decisive error", text: "A text." },
          conventions: ["i"],
          all: { tasks: 3, intervals: { exact: [0, 100] }, chance: { exact: 10 } },
          labels: { onTurn: 3 },
        },
      ],
    });
  });

  it("has every turn's score, with the steps that the turn is", () => {
    expect(scoresJson(FACTS, four.slice(3))).toMatchObject({
      engine: "rule",
      cases: [
        {
          ...{ id: "d", convention: "i", label: 2, labelPlace: "between", hits: { exact: 0, within1: 1 } },
          runs: [
            {
              turns: [{ turn: 1, steps: [1], distance: 1 }],
              reliability: "medium",
              scores: [{ turn: 0, steps: [0], value: 0.25 }],
            },
          ],
        },
      ],
    });
  });
});

describe("a report in a terminal", () => {
  const text = reportText(FACTS, reportSets(four, null));

  it("says what the label means beside the figures, and what is not in them", () => {
    expect(text).toMatch(/^rule \(rule@2\), without the reference, one run\n/);
    expect(text).toContain("set, labelled: earliest decisive error\n  A text. (A source)\n");
    expect(text).toContain("compared by `i`; 4 cases of 4 tasks");
    expect(text).toContain(
      "labels that fall on no turn: 2 of 4 (1 between turns, 1 on a step that the run does not have)",
    );
    expect(text).toContain("Not scored, because they have no label: 3 (E2)\n");
    expect(text).toContain("Not read: line 9: no JSON\nLabels without a run: 1, such as z\n");
  });

  it("has a row for every group, and chance, the best constant and the difference", () => {
    const rows = text.split("\n").map((line) => line.trim().replace(/\s+/g, " "));
    expect(rows).toContainEqual(expect.stringMatching(/^all 4 75\.0 25\.0 \[\d+\.\d, \d+\.\d\] 50\.0 \[/));
    expect(rows).toContainEqual(expect.stringMatching(/^split y 2 50\.0 0\.0 \[0\.0, 0\.0\]/));
    expect(rows).toContainEqual(expect.stringMatching(/^chance 5\.0 /));
    expect(rows).toContainEqual(expect.stringMatching(/^best constant turn 50\.0 \(#3\)/));
    expect(text).not.toContain("less ");
    const against = reportText({ ...FACTS, against: "other" }, reportSets(four, four));
    expect(against.replace(/ +/g, " ")).toMatch(/^ less other, all \+0\.0 \[0\.0, 0\.0\]/m);
  });

  it("says that nobody has told what a label means", () => {
    const definition = { kind: "labelled step", text: null, source: null };
    const untold = reportText(FACTS, reportSets([scored(at("a", 2, { definition }), [2])], null));
    expect(untold).toContain("labelled: labelled step\n  Nobody has told what its label means.\n");
    expect(untold).toContain("every label falls on a turn");
  });
});
