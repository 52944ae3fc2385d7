import { describe, expect, it } from "vitest";
import { nothingChecked } from "@/lib/artefact/model";
import type { Localizer, Verdict } from "@/lib/investigator/verdict";
import { type Engine, engineOf, type OpenCase, predictionOf, randomEngine } from "./engine";
import { evaluateEngine } from "./evaluation";
import { chanceScore } from "./metrics";
import { testCase } from "./test-support/cases";

const noInput = (): never => {
  throw new Error("this engine does not look at the run");
};
const cases: OpenCase[] = [
  { labelled: testCase({ id: "a", label: 2 }), open: noInput },
  { labelled: testCase({ id: "b", label: 4, unlabelled: "left out" }), open: noInput },
  { labelled: testCase({ id: "c", label: 6, turns: 8 }), open: noInput },
];

/** Answers a case with the turns of its list, by the run. */
function scripted(answers: number[][][], isDeterministic: boolean): Engine & { asked: number } {
  const engine = {
    ...{ id: "scripted", version: "1", remark: null, isDeterministic, asked: 0 },
    async predict(given: readonly OpenCase[]) {
      const round = answers[engine.asked++] ?? [];
      return given.map((_, n) => ({ turns: round[n] ?? [], reliability: null, scores: [] }));
    },
  };
  return engine;
}

describe("an evaluation", () => {
  it("asks for the labelled cases only, and takes the mean of the runs", async () => {
    const engine = scripted(
      [
        [[2], [6]],
        [[2], []],
        [[3], [6]],
      ],
      false,
    );
    const scored = await evaluateEngine(engine, cases, 3, () => undefined);
    expect(scored.map(({ labelled }) => labelled.id)).toEqual(["a", "c"]);
    expect(scored.map(({ score }) => score.hits.exact)).toEqual([2 / 3, 2 / 3]);
    expect(scored.map(({ score }) => score.hits.within1)).toEqual([1, 2 / 3]);
    expect(scored.map(({ score }) => score.covered)).toEqual([1, 2 / 3]);
    expect(scored[1]?.predictions.map(({ turns }) => turns)).toEqual([[6], [], [6]]);
  });

  it("runs once what always answers the same", async () => {
    const engine = scripted([[[2], [6]]], true);
    const scored = await evaluateEngine(engine, cases, 3, () => undefined);
    expect(engine.asked).toBe(1);
    expect(scored.map(({ score }) => score.hits.exact)).toEqual([1, 1]);
  });

  it("refuses an engine that leaves cases out", async () => {
    const engine: Engine = { ...scripted([], true), predict: async () => [] };
    await expect(evaluateEngine(engine, cases, 1, () => undefined)).rejects.toThrow(/no answer to a/);
  });

  it("of random guesses gives the expected value, exactly", async () => {
    const scored = await evaluateEngine(randomEngine, cases, 5, () => undefined);
    expect(scored.map(({ score }) => score)).toEqual(scored.map(({ labelled }) => chanceScore(labelled)));
    expect(scored.map(({ score }) => score.hits.exact)).toEqual([1 / 10, 1 / 8]);
    expect(scored.map(({ score }) => score.covered)).toEqual([1, 1]);
  });

  it("reports progress over all runs", async () => {
    const seen: string[] = [];
    const localizer: Localizer = { id: "l", version: "1", localize: async () => verdict([[1, 3]]) };
    const opened = cases.map(({ labelled }) => ({ labelled, open: () => INPUT }));
    await evaluateEngine(engineOf(localizer, false), opened, 2, (done, total) => seen.push(`${done}/${total}`));
    expect(seen).toEqual(["1/4", "2/4", "3/4", "4/4"]);
  });
});

const INPUT: ReturnType<OpenCase["open"]> = {
  trajectory: {
    ...{ version: 1, format: { id: "t", variant: "t" }, framework: { name: "t", version: null }, models: [] },
    ...{ title: null, agents: [], entries: [], deliveredPatch: null, exitStatus: null, notes: [] },
    task: { statement: null, instance: null, repository: null, baseCommit: null },
    totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
  },
  history: {
    root: null,
    files: new Map(),
    writes: [],
    conflicts: [],
    checks: nothingChecked(),
  },
  failure: {
    ...{ outcome: "failed", failingTestCode: null, errorReport: null, referencePatch: null },
    ...{ verification: [], source: "trace" },
  },
};

function verdict(candidates: [rank: number, turn: number][], more: Partial<Verdict> = {}): Verdict {
  return {
    ...{ engine: "e", engineVersion: "1", status: "determined", undeterminedReason: null },
    reliability: { class: "medium", reason: "" },
    candidates: candidates.map(([rank, turn]) => ({
      ...{ rank, turn, score: 0.5, reasonCode: "r", reason: "", quotations: [], file: null, line: null },
    })),
    suspicion: [{ turn: 3, value: 0.5 }],
    ...more,
  };
}

describe("a verdict as a prediction", () => {
  it("is its first candidate, with its reliability and its scores", () => {
    const found = predictionOf(
      verdict([
        [1, 7],
        [2, 3],
      ]),
    );
    expect(found).toEqual({ turns: [7], reliability: "medium", scores: [{ turn: 3, value: 0.5 }] });
  });

  it("is a tie where several are first, each turn once", () => {
    expect(
      predictionOf(
        verdict([
          [1, 7],
          [1, 3],
          [1, 7],
          [2, 1],
        ]),
      ).turns,
    ).toEqual([7, 3]);
  });

  it("is an abstention where it is undetermined, whatever it lists", () => {
    expect(predictionOf(verdict([[1, 7]], { status: "undetermined", undeterminedReason: "" })).turns).toEqual([]);
    expect(predictionOf(verdict([])).turns).toEqual([]);
  });
});
