import { describe, expect, it } from "vitest";
import { runBars, turnPosition } from "./run-bars";

describe("runBars", () => {
  it("draws a bar a character, as high as what happened", () => {
    expect(runBars(".xwW?").map((bar) => bar.level)).toEqual([0, 1, 1, 2, 0]);
  });

  it("fills the width from 16 bars on and stays inside it", () => {
    for (const length of [16, 17, 40, 64]) {
      const bars = runBars(".".repeat(length));
      const last = bars.at(-1);
      expect((last?.x ?? 0) + (last?.width ?? 0)).toBeGreaterThan(98);
      expect((last?.x ?? 0) + (last?.width ?? 0)).toBeLessThanOrEqual(100);
    }
  });

  it("keeps the bars of a short run narrow", () => {
    const [first, second] = runBars("..");
    expect(first?.width).toBeLessThan(100 / 16);
    expect(second?.x).toBeCloseTo(100 / 16);
  });
});

describe("turnPosition", () => {
  it("stands over the bar that holds the turn", () => {
    for (const turns of [1, 3, 16, 64, 92, 5_120]) {
      const buckets = Math.min(64, turns);
      const bars = runBars(".".repeat(buckets));
      for (const turn of [0, Math.floor(turns / 3), turns - 1]) {
        const bar = bars[Math.floor((turn * buckets) / turns)];
        const position = turnPosition(turn, turns, buckets);
        expect(position).toBeGreaterThan(bar?.x ?? Number.NaN);
        expect(position).toBeLessThanOrEqual((bar?.x ?? Number.NaN) + 100 / 16);
      }
    }
  });

  it("stands at the left of nothing", () => {
    expect(turnPosition(0, 0, 0)).toBe(0);
  });
});
