import { describe, expect, it } from "vitest";
import { localizeStructurally } from "@/lib/investigator/structural";
import { failureOf, SampleRun } from "@/lib/investigator/test-support/sample-run";
import { RUN_STRIP_LENGTH, stripSchema } from "@/lib/views/strip";
import { packRunStrip, packStrip, RUN_STRIP_CHARS, sizeDigit } from "./strip";

function sample(): SampleRun {
  const run = new SampleRun();
  run.turn("Look.").read("/repo/src/a.py");
  run.turn().run("grep -rn x", "", { exitCode: 1 }, "search");
  run.turn().write("/repo/reproduce.py", "print(1)");
  run.turn().write("/repo/src/a.py", "x = 1", { before: "y" });
  run.turn().write("/repo/src/a.py", "x = 1", { before: "z", status: "refused" });
  run.turn().run("pytest -q", "1 failed, 2 passed in 0.10s", { exitCode: 1 });
  run.turn().run("pytest -q", "3 passed in 0.10s");
  run.turn().run("pytest -q", "Killed");
  run.turn().run("make", "ok").turn("Only a thought.").turn().submit();
  return run;
}

describe("strip", () => {
  it("packs one character a turn in every lane", () => {
    const run = sample();
    const verdict = localizeStructurally({
      trajectory: run.trajectory(),
      history: run.history(),
      failure: failureOf("failed"),
    });
    const strip = packStrip(run.trajectory(), run.history(), verdict);
    expect(stripSchema.parse(strip)).toEqual(strip);
    expect(strip.activity).toBe("rswwwtttxkm");
    expect(strip.write).toBe("..cwr......");
    expect(strip.test).toBe(".....fpu...");
    expect(strip.error).toBe(".e..ee.....");
    expect(strip.suspicion[3]).toBe("9");
    for (const lane of [strip.size, strip.agent, strip.suspicion]) expect(lane).toHaveLength(11);
  });

  it("packs the strip of a list row, at most 64 buckets", () => {
    expect(RUN_STRIP_CHARS).toBe(RUN_STRIP_LENGTH);
    const run = sample();
    expect(packRunStrip(packStrip(run.trajectory(), run.history(), null))).toBe("..wW.xxxx..");
    const long = new SampleRun();
    for (let i = 0; i < 1000; i += 1) long.turn().run("ls", "a");
    long.turn().write("/repo/src/a.py", "x", { before: "y" });
    const packed = packRunStrip(packStrip(long.trajectory(), long.history(), null));
    expect(packed).toHaveLength(64);
    expect(packed).toMatch(/^x+W$/);
    expect(packRunStrip(packStrip(new SampleRun().trajectory(), new SampleRun().history(), null))).toBe("");
  });

  it.each([
    [0, "0"],
    [64, "0"],
    [65, "1"],
    [256, "1"],
    [257, "2"],
    [12_000_000, "9"],
  ])("gives %i characters the size %s", (chars, digit) => expect(sizeDigit(chars)).toBe(digit));
});
