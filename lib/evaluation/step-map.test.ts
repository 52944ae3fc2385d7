import { describe, expect, it } from "vitest";
import { ingest } from "@/lib/ingest/ingest";
import type { Trajectory } from "@/lib/trajectory/schema";
import { distanceOf, placeOfStep, stepMapOf, turnsOfStep, wholeNumber } from "./step-map";

const row = { dataset: "d", id: "a", task: "t", gold_step: 0 };
const speech = (i: number, actor: string, text: string): object => ({ i, actor, role: "assistant", text });

function read(steps: object[]): Trajectory {
  const bytes = new TextEncoder().encode(JSON.stringify({ ...row, steps }));
  return ingest({ name: "x", bytes }).trajectory;
}

const code = "```python\nprint(1)\n```\n";
const panel = read([
  speech(0, "human", "Who is right?"),
  speech(1, "Coder", code),
  speech(2, "Computer_terminal", "exitcode: 0 (execution succeeded)\nCode output: 1\n"),
  speech(3, "Checker", "Good."),
  speech(5, "Checker", "Done."),
]);

describe("the map between turns and a data set's steps", () => {
  const map = stepMapOf(panel, "i");

  it("has every step of a turn, and those between turns apart", () => {
    expect(map).toEqual({ turns: [[1, 2], [3], [5]], between: new Set([0]), count: 5 });
    expect([0, 1, 2, 3, 4, 5].map((step) => turnsOfStep(map, step))).toEqual([[], [0], [0], [1], [], [2]]);
    expect([0, 2, 4, 6].map((step) => placeOfStep(map, step))).toEqual(["between", "turn", "outside", "outside"]);
  });

  it("goes back: each turn is at no distance from its own steps", () => {
    for (const [turn, steps] of map.turns.entries()) {
      for (const step of steps) expect(distanceOf(map, turn, step)).toBe(0);
    }
  });

  it("measures from the nearest of a turn's steps", () => {
    expect([0, 1, 2, 3, 4, 9].map((step) => distanceOf(map, 0, step))).toEqual([1, 0, 0, 1, 2, 7]);
    expect(distanceOf(map, 7, 1)).toBeNull();
    expect(distanceOf({ ...map, turns: [[]] }, 0, 1)).toBeNull();
  });

  it("knows no step of another numbering", () => {
    expect(stepMapOf(panel, "history")).toEqual({ turns: [[], [], []], between: new Set(), count: 0 });
  });

  it("takes a step for a number as a whole only", () => {
    expect(["1", "13", "-2", "1.0", "3.1", "", " 1", "1 ", "0x1", "1e2", "one"].map(wholeNumber)).toEqual([
      ...[1, 13, -2, null, null, null, null, null, null, null, null],
    ]);
  });
});
