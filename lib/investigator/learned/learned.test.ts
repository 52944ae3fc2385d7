import { describe, expect, it } from "vitest";
import type { FailureContext } from "@/lib/trajectory/schema";
import { textOf } from "@/lib/trajectory/texts";
import { readSignals } from "../signals";
import { failureOf, SampleRun } from "../test-support/sample-run";
import { type Verdict, verdictSchema } from "../verdict";
import { FEATURES, featureTable } from "./features";
import { learnedLocalizer, localizeLearned } from "./learned";
import { contributionsOf, rankTurns } from "./ranking";
import { rankerWithout, TRAINED } from "./weights";

/** The verdict, with every quotation held against the text that it points into. */
function localize(run: SampleRun, outcome: FailureContext["outcome"] = "failed"): Verdict {
  const trajectory = run.trajectory();
  const history = run.history();
  const verdict = localizeLearned({ trajectory, history, failure: failureOf(outcome) });
  expect(verdictSchema.parse(verdict)).toEqual(verdict);
  const { items } = readSignals(trajectory, history);
  for (const candidate of verdict.candidates) {
    for (const quotation of candidate.quotations) {
      const found = items.get(quotation.item);
      expect(found?.turn).toBe(candidate.turn);
      const text = found === undefined ? null : textOf(found.item, quotation.field);
      expect(text?.slice(quotation.start, quotation.end)).toBe(quotation.text);
    }
    for (const { quotation } of candidate.contributions ?? []) {
      if (quotation !== null) expect(candidate.quotations[quotation]).toBeDefined();
    }
  }
  expect(verdict.candidates.map(({ rank }) => rank)).toEqual(verdict.candidates.map((_, i) => i + 1));
  return verdict;
}

function fixingRun(): SampleRun {
  const run = new SampleRun();
  run.turn("Where is it?").run("grep -rn wrap src", "src/wrap.py:3", {}, "search");
  run.turn("Reproduce first.").write("/repo/reproduce.py", 'print("hello")\n');
  run.turn("Run it.").run("python reproduce.py", "ValueError: width", { exitCode: 1 });
  run.turn("Read.").read("/repo/src/wrap.py");
  run.turn("The fix belongs in wrap.py.").write("/repo/src/wrap.py", "width = max(width, 0)\n", {
    before: "width = width",
    startLine: 12,
  });
  run.turn("Test.").run("pytest tests", "== 2 failed, 3 passed in 0.10s ==", { exitCode: 1 });
  run.turn("Done.").submit();
  return run;
}

describe("the learned ranker", () => {
  it("points to the change of the work, and says why in three sentences with the words of the turn", () => {
    const verdict = localize(fixingRun());
    expect(verdict).toMatchObject({ engine: "learned", engineVersion: "learned@1", status: "determined" });
    const [first] = verdict.candidates;
    expect(first).toMatchObject({ turn: 4, file: "/repo/src/wrap.py", line: 12 });
    expect(first?.contributions).toHaveLength(3);
    const words = first?.contributions?.map(({ words }) => words) ?? [];
    expect(words).toContain("It changes src/wrap.py");
    expect(words).toContain("It changes src/wrap.py for the first time");
    expect(first?.quotations[0]?.text).toContain("width = max(width, 0)");
    expect(first?.quotations.map(({ text }) => text)).toContain("The fix belongs in wrap.py.");
  });

  it("points to where a run that changes nothing begins to go round", () => {
    const run = new SampleRun();
    run.turn().run("ls");
    run.turn().run("grep -rn width .", "", {}, "search");
    run.turn().read("/repo/src/wrap.py");
    for (let round = 0; round < 6; round += 1) {
      run.turn().run("grep -rn clamp .", "", {}, "search");
      run.turn().run("grep -rn limit .", "", {}, "search");
    }
    const verdict = localize(run);
    expect([3, 5]).toContain(verdict.candidates[0]?.turn);
    expect(verdict.candidates[0]?.reason).toContain("cycle");
  });

  it("scores its candidates against one another, and shows suspicion against the first", () => {
    const verdict = localize(fixingRun());
    const scores = verdict.candidates.map(({ score }) => score);
    expect([...scores].sort((a, b) => b - a)).toEqual(scores);
    expect(scores.reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(1.001);
    expect(verdict.suspicion.find(({ turn }) => turn === verdict.candidates[0]?.turn)?.value).toBe(1);
  });

  it("has a class with what was counted, and what the labels mean; lower where the outcome is not known", () => {
    const { reliability } = localize(fixingRun());
    expect(reliability.reason).toMatch(/^Of \d+ runs that it had not learned from .* in \d+, .* in \d+\./);
    expect(reliability.reason).toContain("point of no return");
    expect(localize(fixingRun(), "unknown").reliability.class).toBe("lower");
  });

  it("answers as the localizer does", async () => {
    const run = fixingRun();
    const input = { trajectory: run.trajectory(), history: run.history(), failure: failureOf("failed") };
    expect(await learnedLocalizer.localize(input)).toEqual(localizeLearned(input));
  });
});

describe("abstains", () => {
  const reasonOf = (run: SampleRun, outcome?: FailureContext["outcome"]): string | null => {
    const verdict = localize(run, outcome);
    expect(verdict).toMatchObject({ status: "undetermined", candidates: [], suspicion: [] });
    return verdict.undeterminedReason;
  };

  it("without turns, on a run that succeeded, and on one that does nothing", () => {
    expect(reasonOf(new SampleRun())).toContain("no turns");
    expect(reasonOf(fixingRun(), "resolved")).toContain("succeeded");
    const talk = new SampleRun();
    talk.turn("I think.").turn("I think again.");
    expect(reasonOf(talk)).toContain("calls no tool");
  });

  it("where all turns are equal", () => {
    const run = fixingRun();
    const input = { trajectory: run.trajectory(), history: run.history(), failure: failureOf("failed") };
    const flat = { ...TRAINED.ranker, weights: FEATURES.map(() => 0) };
    expect(localizeLearned(input, TRAINED, flat).undeterminedReason).toContain("tells the turns of this run apart");
  });
});

it("contributions add up to what a turn has over the run's average", () => {
  const run = fixingRun();
  const { rows } = featureTable(readSignals(run.trajectory(), run.history()), TRAINED.ranker.rule);
  const { advantage } = rankTurns(rows, TRAINED.ranker);
  rows.forEach((_, at) => {
    const sum = contributionsOf(rows, at, TRAINED.ranker).reduce((a, b) => a + b, 0);
    expect(sum).toBeCloseTo(advantage[at] ?? Number.NaN, 10);
  });
  expect(advantage.reduce((a, b) => a + b, 0)).toBeCloseTo(0, 10);
});

it("a case that was learned from is answered by the ranker of its fold, another by the shipped one", () => {
  const [[hash, fold] = ["", -1]] = Object.entries(TRAINED.cases);
  expect(rankerWithout(TRAINED, ["unknown", hash])).toEqual({ ranker: TRAINED.folds[fold], fold });
  expect(rankerWithout(TRAINED, ["unknown"])).toEqual({ ranker: TRAINED.ranker, fold: null });
});
