import { describe, expect, it } from "vitest";
import { seededRandom } from "./random";

const drawn = (seed: number, count: number): number[] => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => random());
};

describe("numbers from a seed", () => {
  it("are the same for the same seed, and others for another", () => {
    expect(drawn(7, 100)).toEqual(drawn(7, 100));
    expect(drawn(7, 3)).not.toEqual(drawn(8, 3));
  });

  it("fill [0, 1) evenly", () => {
    const numbers = drawn(1, 100_000);
    expect(Math.min(...numbers.slice(0, 1_000))).toBeGreaterThanOrEqual(0);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    const counts = Array.from({ length: 10 }, () => 0);
    for (const number of numbers) counts[Math.floor(number * 10)] = (counts[Math.floor(number * 10)] ?? 0) + 1;
    // Each is binomial with mean 10,000 and deviation 95.
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(475);
  });

  it("do not follow one another", () => {
    const numbers = drawn(3, 100_000);
    const mean = numbers.reduce((sum, number, n) => sum + number * (numbers[n + 1] ?? 0.5), 0) / numbers.length;
    expect(mean).toBeCloseTo(1 / 4, 2);
  });
});
