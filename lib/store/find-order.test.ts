import { describe, expect, it } from "vitest";
import { turnAtStep } from "./find-order";

const wayOf = (start: number, total: number): number[] =>
  Array.from({ length: total }, (_, step) => turnAtStep(step, start, total));

describe("turnAtStep", () => {
  it("goes forwards and backwards by turns, then on where turns are left", () => {
    expect(wayOf(2, 8)).toEqual([2, 3, 1, 4, 0, 5, 6, 7]);
    expect(wayOf(5, 8)).toEqual([5, 6, 4, 7, 3, 2, 1, 0]);
    expect(wayOf(0, 4)).toEqual([0, 1, 2, 3]);
    expect(wayOf(3, 4)).toEqual([3, 2, 1, 0]);
    expect(wayOf(1, 3)).toEqual([1, 2, 0]);
    expect(wayOf(0, 1)).toEqual([0]);
  });

  it("visits every turn once, and none that is further away before a nearer one of the same side", () => {
    for (let total = 1; total <= 12; total += 1) {
      for (let start = 0; start < total; start += 1) {
        const way = wayOf(start, total);
        expect([...way].sort((a, b) => a - b)).toEqual(Array.from({ length: total }, (_, i) => i));
        for (const side of [way.filter((turn) => turn > start), way.filter((turn) => turn < start)]) {
          const far = side.map((turn) => Math.abs(turn - start));
          expect(far).toEqual([...far].sort((a, b) => a - b));
        }
      }
    }
  });
});
