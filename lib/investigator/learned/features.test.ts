import { describe, expect, it } from "vitest";
import { z } from "zod";
import { readSignals } from "../signals";
import { SampleRun } from "../test-support/sample-run";
import { CHANGE_RULES, type ChangeRule, FEATURES, type Feature, featureTable } from "./features";

function columnsOf(run: SampleRun, rule: ChangeRule = "existing"): Record<Feature, number[]> {
  const { rows } = featureTable(readSignals(run.trajectory(), run.history()), rule);
  const column = (k: number): number[] => rows.map((row) => row[k] ?? Number.NaN);
  const columns = Object.fromEntries(FEATURES.map((feature, k) => [feature, column(k)]));
  return z.record(z.enum(FEATURES), z.array(z.number())).parse(columns);
}

describe("features of writes", () => {
  const run = new SampleRun();
  run.turn().write("/repo/try_it.py", "import wrap\n");
  run.turn().run("python try_it.py", "Traceback", { exitCode: 1 });
  run.turn().write("/repo/src/wrap.py", "a = 1\n", { before: "a = 0" });
  run.turn().write("/repo/src/wrap.py", "a = 2\n", { before: "a = 1" });
  run.turn().write("/repo/src/limits.py", "b = 1\n", { before: "b = 0" });

  it("tell files that were there from those that the run made", () => {
    const columns = columnsOf(run);
    expect(columns.changes_existing_file).toEqual([0, 0, 1, 1, 1]);
    expect(columns.first_change_of_existing_file).toEqual([0, 0, 1, 0, 1]);
    expect(columns.first_existing_file_changed).toEqual([0, 0, 1, 0, 0]);
    expect(columns.first_write_to_file).toEqual([1, 0, 1, 0, 1]);
    expect(columns.run_without_write).toEqual([0, 0, 0, 0, 0]);
  });

  it("differ by what counts as a change of the work", () => {
    const made = new SampleRun();
    made.turn().write("/repo/src/driver.py", "import wrap\n");
    made.turn().run("cd /repo && python src/driver.py");
    made.turn().write("/repo/src/new.py", "a = 1\n");
    made.turn().write("/repo/src/old.py", "a = 1\n", { before: "a = 0" });
    const changes = CHANGE_RULES.map((rule) => columnsOf(made, rule).changes_existing_file);
    expect(changes).toEqual([
      [0, 0, 0, 1],
      [0, 0, 1, 1],
      [1, 0, 1, 1],
    ]);
  });

  it("leave out what was refused", () => {
    const refused = new SampleRun();
    refused.turn().write("/repo/src/wrap.py", "a = 1\n", { before: "a = 0", status: "refused" });
    refused.turn().run("ls");
    const columns = columnsOf(refused);
    expect(columns.changes_existing_file).toEqual([0, 0]);
    expect(columns.run_without_write).toEqual([0, Math.log(2)]);
  });
});

describe("features of repetition", () => {
  const run = new SampleRun();
  for (const command of ["cat b.py", "ls", "cat a.py", "ls", "cat a.py", "ls", "cat a.py"]) run.turn().run(command);

  it("find the cycle that the run ends in, and where it begins", () => {
    const columns = columnsOf(run);
    expect(columns.closing_cycle_begins).toEqual([0, 1, 0, 0, 0, 0, 0]);
    expect(columns.closing_cycle_third_turn).toEqual([0, 0, 0, 1, 0, 0, 0]);
    const near = [1, 0, 1, 2, 3, 4, 5].map((away) => -Math.log1p(away));
    expect(columns.near_closing_cycle).toEqual(near);
    expect(columns.before_closing_loop).toEqual([1, 0, 0, 0, 0, 0, 0]);
    expect(columns.near_closing_loop).toEqual(near);
  });

  it("count what was done before", () => {
    const columns = columnsOf(run);
    expect(columns.action_seen_before).toEqual([0, 0, 0, 1, 1, 2, 2]);
    expect(columns.action_for_second_time).toEqual([0, 0, 0, 1, 1, 0, 0]);
    expect(columns.same_target_for_third_time).toEqual([0, 0, 0, 0, 0, 1, 1]);
    const same = new SampleRun();
    for (const command of ["ls", "ls", "pwd"]) same.turn().run(command);
    expect(columnsOf(same).next_action_identical).toEqual([1, 0, 0]);
  });

  it("are nothing for turns without an action, and for a run that does not repeat itself", () => {
    const quiet = new SampleRun();
    for (const thought of ["Hm.", "Hm.", "Hm."]) quiet.turn(thought);
    const columns = columnsOf(quiet);
    for (const feature of FEATURES.filter((name) => /action|cycle|loop|target/.test(name))) {
      expect(columns[feature], feature).toEqual([0, 0, 0]);
    }
  });
});

it("positions run from 0 to 1 over the path that the run ended on", () => {
  const run = new SampleRun();
  run.turn().run("ls");
  run.turn("A dead end.", "rewound-1").run("rm -r src");
  run.turn().run("pwd");
  run.turn().run("ls src");
  const columns = columnsOf(run);
  expect(columns.position).toEqual([0, 0.5, 1]);
  expect(columns.position_squared).toEqual([0, 0.25, 1]);
  expect(columns.first_turn).toEqual([1, 0, 0]);
});

it("a trace without results has the same features as one with them", () => {
  const build = (withResults: boolean): SampleRun => {
    const run = new SampleRun();
    const step = (command: string, output: string): void => {
      const call = run.turn().call({ tool: "bash", callKind: "execute", text: command });
      if (withResults) run.result(call, output, { isError: true, exitCode: 1 });
    };
    step("pytest", "== 2 failed in 0.10s ==");
    step("python run.py", "Traceback (most recent call last):\nValueError: width");
    step("pytest", "== 2 failed in 0.10s ==");
    return run;
  };
  expect(columnsOf(build(true))).toEqual(columnsOf(build(false)));
});
