import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { axisLabels, chipPlace } from "./axis-labels";

const width = (turn: number) => String(turn + 1).length * 7.2;

describe("the numbers of the axis", () => {
  it("stand under their turns, inside the axis, clear of each other and of the open turn", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        fc.integer({ min: 240, max: 1_800 }),
        (turns, at, widthPx) => {
          const open = Math.floor(at * turns);
          const centre = (turn: number) => ((turn + 0.5) / turns) * widthPx;
          const chip = chipPlace(open, centre(open), widthPx);
          expect(chip.x - chip.half).toBeGreaterThanOrEqual(0);
          expect(chip.x + chip.half).toBeLessThanOrEqual(widthPx);
          const labels = axisLabels(turns, open, centre, widthPx, 44);
          labels.forEach((label, i) => {
            const half = width(label.turn) / 2;
            expect(label.x - half).toBeGreaterThanOrEqual(0);
            expect(label.x + half).toBeLessThanOrEqual(widthPx);
            expect(Math.abs(label.x - centre(label.turn))).toBeLessThanOrEqual(half + 1);
            expect(Math.abs(label.x - chip.x)).toBeGreaterThan(half + chip.half);
            const next = labels[i + 1];
            if (next) expect(next.x - label.x).toBeGreaterThan(half + width(next.turn) / 2);
          });
        },
      ),
    );
  });

  it("name the first and the last turn unless the open turn stands there", () => {
    const centre = (turn: number) => ((turn + 0.5) / 3_571) * 1_224;
    const turnsAt = (open: number) => axisLabels(3_571, open, centre, 1_224, 44).map((label) => label.turn);
    expect(turnsAt(1_800)[0]).toBe(0);
    expect(turnsAt(1_800).at(-1)).toBe(3_570);
    expect(turnsAt(6)).not.toContain(0);
    expect(turnsAt(3_565)).not.toContain(3_570);
    expect(axisLabels(1, 0, () => 600, 1_200, 44)).toEqual([]);
    const wide = (turn: number) => (turn + 0.5) * 400;
    expect(axisLabels(3, 0, wide, 1_200, 44)).toEqual([
      { turn: 1, x: 600 },
      { turn: 2, x: 1_000 },
    ]);
  });
});
