import { expect, it } from "vitest";
import { SampleRun } from "../test-support/sample-run";
import { harnessFault } from "./harness-fault";

function commands(...given: [string, string][]): SampleRun {
  const run = new SampleRun();
  for (const [command, output] of given) run.turn("I go on.").run(command, output);
  return run;
}

it("tells commands that a harness made no-ops, with the words that show it", () => {
  const run = commands([": ls", ""], [": pytest", ""], [": cat a.py", ""], ["ls", "a.py"]);
  expect(harnessFault(run.trajectory())).toMatchObject({
    kind: "calls_never_ran",
    reason: expect.stringContaining("3 of 4"),
    turns: [0, 1, 2],
    quotations: [{ text: ": ls" }, { text: ": pytest" }, { text: ": cat a.py" }],
  });
});

it("tells tools that the harness does not know", () => {
  const unknown = 'Error: Tool "edit_file" not found. Use one of the tools.';
  const run = commands(["x", unknown], ["y", unknown], ["z", unknown]);
  const fault = harnessFault(run.trajectory());
  expect(fault).toMatchObject({
    kind: "calls_never_ran",
    quotations: [{ text: 'Tool "edit_file" not found' }, {}, {}],
  });
});

it("tells an environment that was broken from the start", () => {
  const full = `${"x".repeat(9_000)}\ntouch: cannot touch 'a': No space left on device\n`;
  const run = commands(["touch a", full], ["touch b", full], ["touch c", full], ["ls", "a"], ["touch d", full]);
  expect(harnessFault(run.trajectory())).toMatchObject({
    kind: "environment_broken",
    reason: expect.stringContaining("4 of 5"),
    quotations: [{ text: "No space left on device" }, {}, {}],
  });
});

it.each<[string, SampleRun]>([
  [
    "commands that fail for the agent's own reasons",
    commands(["pytest", "1 failed"], ["x", "x: command not found"], ["y", ""]),
  ],
  [
    "an environment that breaks later",
    commands(["ls", "a"], ...Array.from({ length: 9 }, (): [string, string] => ["ls", "No space left on device"])),
  ],
  ["two calls only", commands([": a", ""], [": b", ""])],
  [
    "a few no-ops among others",
    commands([": a", ""], [": b", ""], [": c", ""], ...Array.from({ length: 9 }, (): [string, string] => ["ls", "a"])),
  ],
  ["a run without calls", new SampleRun().turn("I only think.")],
])("does not take %s for a fault of the harness", (_, run) => {
  expect(harnessFault(run.trajectory())).toBeNull();
});
