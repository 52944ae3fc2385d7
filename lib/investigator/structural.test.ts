import { describe, expect, it } from "vitest";
import { turnsOf } from "@/lib/trajectory/schema";
import { textOf } from "@/lib/trajectory/texts";
import { localizeStructurally, structuralLocalizer } from "./structural";
import { failureOf, SampleRun } from "./test-support/sample-run";
import { type Verdict, verdictSchema } from "./verdict";

function localize(run: SampleRun, outcome: "failed" | "resolved" | "unknown" = "failed"): Verdict {
  const trajectory = run.trajectory();
  const verdict = localizeStructurally({ trajectory, history: run.history(), failure: failureOf(outcome) });
  expect(verdictSchema.parse(verdict)).toEqual(verdict);
  const items = new Map(
    turnsOf(trajectory).flatMap((turn) => turn.items.map((item) => [item.id, { item, turn: turn.index }])),
  );
  for (const candidate of verdict.candidates) {
    expect(candidate.reason).toMatch(/^[A-Z].*\.$/);
    expect(candidate.quotations.length).toBeGreaterThan(0);
    for (const quotation of candidate.quotations) {
      const found = items.get(quotation.item);
      expect(found?.turn).toBe(quotation.turn);
      const text = found === undefined ? null : textOf(found.item, quotation.field);
      expect(text?.slice(quotation.start, quotation.end)).toBe(quotation.text);
    }
  }
  expect(verdict.candidates.map((candidate) => candidate.rank)).toEqual(verdict.candidates.map((_, i) => i + 1));
  return verdict;
}

function failedRun(): SampleRun {
  const run = new SampleRun();
  run.turn("Where is it?").run("grep -rn wrap src", "src/wrap.py:3", {}, "search");
  run.turn("Reproduce first.").write("/repo/reproduce.py", 'print("hello")\n');
  run.turn("Run it.").run("python reproduce.py", "Traceback\nValueError: width", { exitCode: 1 });
  run.turn("Read.").read("/repo/src/wrap.py");
  run
    .turn("The fix belongs in wrap.py: clamp it.\nThen test.")
    .write("/repo/src/wrap.py", 'width = max(width, 0)  # "clamp"\n', {
      before: "width = width",
      startLine: 12,
    });
  run.turn("Test.").run("pytest tests", "== 2 failed, 3 passed in 0.10s ==", { exitCode: 1 });
  run.turn("Done.").submit();
  return run;
}

describe("structural rule", () => {
  it("says that a command before the first change may have changed a file, and is less sure then", () => {
    const write = (status: "opaque" | "applied"): Verdict => {
      const run = new SampleRun();
      run.turn("Patch.").write("/repo/src/wrap.py", "a = 1\n", { status, before: "a = 0" });
      run.turn("Again.").write("/repo/src/limits.py", "b = 1\n", { before: "b = 0" });
      return localize(run);
    };
    const uncertain = write("opaque");
    expect(uncertain.candidates[0]).toMatchObject({ turn: 1, reasonCode: "first_source_write" });
    expect(uncertain.candidates[0]?.reason).toContain("at #1, may have changed src/wrap.py");
    expect(uncertain.reliability).toEqual({ class: "lower", reason: expect.stringContaining("may not be the first") });
    expect(write("applied").candidates[0]?.reason).not.toContain("may have changed");
    expect(write("applied").reliability.class).toBe("medium");
  });

  it("goes by what came first in time when agents work side by side, and says so", () => {
    const run = new SampleRun();
    run.turn("One.").write("/repo/src/a.py", "a = 1\n", { before: "a = 0" });
    run.turn("Two.").write("/repo/src/b.py", "b = 1\n", { before: "b = 0" });
    const trajectory = run.trajectory();
    const history = run.history();
    const inOrder = localizeStructurally({ trajectory, history, failure: failureOf("failed") });
    expect(inOrder.candidates[0]).toMatchObject({ turn: 0 });
    expect(inOrder.candidates[0]?.reason).not.toContain("side by side");
    const swapped = { ...history, writes: history.writes.map((w) => ({ ...w, arrival: 1000 - w.arrival })).reverse() };
    const sideBySide = localizeStructurally({ trajectory, history: swapped, failure: failureOf("failed") });
    expect(sideBySide.candidates[0]).toMatchObject({ turn: 1, reasonCode: "first_source_write" });
    expect(sideBySide.candidates[0]?.reason).toContain("first in time");
  });

  it("names the first write to a file that is not scratch, with words of the call and of the thought", () => {
    const verdict = localize(failedRun());
    expect(verdict).toMatchObject({ engine: "structural", engineVersion: "structural@2", status: "determined" });
    expect(verdict.candidates[0]).toMatchObject({
      turn: 4,
      reasonCode: "first_source_write",
      file: "/repo/src/wrap.py",
      line: 12,
    });
    expect(verdict.candidates[0]?.quotations.map((q) => q.text)).toEqual([
      'width = max(width, 0)  # \\"clamp\\"',
      "The fix belongs in wrap.py: clamp it.",
    ]);
    expect(verdict.reliability.class).toBe("medium");
  });

  it("lists the submit that passes over failing tests, quoting the summary", () => {
    const second = localize(failedRun()).candidates[1];
    expect(second).toMatchObject({ turn: 6, reasonCode: "ignored_error" });
    expect(second?.quotations[0]).toMatchObject({ turn: 5, text: "== 2 failed, 3 passed in 0.10s ==" });
  });

  it("does not hold an error against a submit when the program went well since, except for tests", () => {
    const codes = (command: string, output: string, after: string): string[] => {
      const run = new SampleRun();
      run.turn().write("/repo/src/a.py", "a = 1\n", { before: "a = 0" });
      run.turn().run(command, output, { exitCode: 1 });
      run.turn().run(after, "", { exitCode: 0 });
      run.turn().submit();
      return localize(run).candidates.map(({ reasonCode }) => reasonCode);
    };
    expect(codes("python a.py", "ValueError: x", "cd /repo && python b.py")).not.toContain("ignored_error");
    expect(codes("python a.py", "ValueError: x", "git status")).toContain("ignored_error");
    expect(codes("python -m pytest", "1 failed, 2 passed in 0.01s", "python b.py")).toContain("ignored_error");
  });

  it("does not count a refused edit as the first write", () => {
    const run = new SampleRun();
    run.turn("Try.").write("/repo/src/a.py", "x = 1", { before: "y", status: "refused", reason: "text not found" });
    run.turn("Again.").write("/repo/src/a.py", "x = 2", { before: "z" });
    run.turn().run("python -c 1");
    expect(localize(run).candidates[0]?.turn).toBe(1);
  });

  it("sees code changed again after the tests had passed", () => {
    const run = new SampleRun();
    run.turn().write("/repo/src/a.py", "first_version = 1", { before: "old" });
    run.turn().run("pytest", "3 passed in 0.01s");
    run.turn().write("/repo/src/a.py", "second_version = 2", { before: "first_version = 1" });
    run.turn().run("pytest", "1 failed, 2 passed in 0.01s");
    const verdict = localize(run);
    expect(verdict.candidates.map((c) => [c.turn, c.reasonCode])).toEqual([
      [0, "first_source_write"],
      [2, "overwrites_passing_code"],
    ]);
    expect(verdict.candidates[1]?.reason).toContain("#1");
  });

  it("finds the loop that a run without a write ends in", () => {
    const run = new SampleRun();
    run.turn().run("ls", "a");
    for (let i = 0; i < 4; i += 1) run.turn().run("grep -rn foo", "", { exitCode: 1 });
    const verdict = localize(run);
    expect(verdict.status).toBe("determined");
    expect(verdict.candidates[0]).toMatchObject({ turn: 1, reasonCode: "loop_start" });
    expect(verdict.reliability.class).toBe("lower");
  });

  it.each([
    ["zero turns", () => new SampleRun(), "no turns"],
    ["no write", () => new SampleRun().turn("Hm.").run("ls", "a"), "changed no file"],
    [
      "only scratch",
      () => new SampleRun().turn().write("/repo/reproduce.py", "print(1)").turn().submit(),
      "own scratch files",
    ],
    [
      "only refused",
      () => new SampleRun().turn().write("/repo/a.py", "x", { before: "y", status: "refused" }),
      "was refused",
    ],
  ])("is undetermined with %s", (_, make, words) => {
    const verdict = localize(make());
    expect(verdict.status).toBe("undetermined");
    expect(verdict.undeterminedReason).toContain(words);
  });

  it("looks for no error in a run that succeeded, and says when the outcome is not known", () => {
    const resolved = localize(failedRun(), "resolved");
    expect(resolved.status).toBe("undetermined");
    expect(resolved.candidates).toEqual([]);
    expect(resolved.undeterminedReason).toContain("succeeded");
    expect(localize(failedRun(), "unknown").reliability.class).toBe("lower");
  });

  it("leaves out turns that a rewind left behind", () => {
    const run = new SampleRun();
    run.turn("Wrong way.", "rewound").write("/repo/src/a.py", "x = 1", { before: "y" });
    run.turn("Right way.").write("/repo/src/b.py", "x = 1", { before: "y" });
    expect(localize(run).candidates[0]?.turn).toBe(1);
  });

  it("gives no more than five candidates and keeps suspicion between 0 and 1", () => {
    const run = new SampleRun();
    for (let i = 0; i < 12; i += 1) {
      const path = `/repo/src/f${i % 6}.py`;
      run
        .turn()
        .write(path, `value_number_${i} = ${i}`, { before: i < 6 ? "old" : `value_number_${i - 6} = ${i - 6}` });
    }
    const verdict = localize(run);
    expect(verdict.candidates).toHaveLength(5);
    expect(verdict.suspicion.every(({ value }) => value >= 0 && value <= 1)).toBe(true);
  });

  it("answers through the plug as well", async () => {
    const run = failedRun();
    const input = { trajectory: run.trajectory(), history: run.history(), failure: failureOf("failed") };
    expect(await structuralLocalizer.localize(input)).toEqual(localizeStructurally(input));
  });
});
