import { describe, expect, it } from "vitest";
import { programsOf, runsWell } from "./programs";
import { SampleRun } from "./test-support/sample-run";

describe("programs of a turn", () => {
  it.each([
    ["python a.py", "python"],
    ["cd /repo && python a.py", "python"],
    ["cd /repo && cd sub && A=1 B=x ./run.sh | tail", "./run.sh"],
    ["make; ls", "make"],
  ])("%s starts %s", (command, program) => {
    expect([...programsOf(new SampleRun().turn().run(command).at(0))]).toEqual([program]);
  });

  it("has none for calls that run nothing", () => {
    expect(programsOf(new SampleRun().turn().run("grep x", "", {}, "search").at(0)).size).toBe(0);
    expect(programsOf(new SampleRun().turn().run("  ").at(0)).size).toBe(0);
  });

  it("went well when its exit code says so, and not when nothing does", () => {
    const at = (exitCode: number | null): boolean =>
      runsWell(new SampleRun().turn().run("python b.py", "", { exitCode }).at(0), new Set(["python"]));
    expect([0, 1, null].map(at)).toEqual([true, false, false]);
    expect(runsWell(new SampleRun().turn().run("ls", "", { exitCode: 0 }).at(0), new Set(["python"]))).toBe(false);
  });
});
