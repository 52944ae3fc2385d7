import { describe, expect, it } from "vitest";
import { ratioOf, summarise } from "./statistics";

describe("summarise", () => {
  it("gives the middle, the quartiles and the range of samples in any order", () => {
    expect(summarise([5, 1, 4, 2, 3])).toEqual({ median: 3, q1: 2, q3: 4, min: 1, max: 5, count: 5 });
  });

  it("lies between neighbours where no sample stands at the place", () => {
    expect(summarise([10, 20, 30, 100])).toEqual({ median: 25, q1: 17.5, q3: 47.5, min: 10, max: 100, count: 4 });
  });

  it("takes one sample for everything, and orders as numbers do, not as words", () => {
    expect(summarise([7])).toEqual({ median: 7, q1: 7, q3: 7, min: 7, max: 7, count: 1 });
    expect(summarise([9, 10, 100]).median).toBe(10);
  });

  it("leaves the samples as they were and refuses none", () => {
    const samples = [3, 1, 2];
    summarise(samples);
    expect(samples).toEqual([3, 1, 2]);
    expect(() => summarise([])).toThrow(RangeError);
  });
});

describe("ratioOf", () => {
  it("is the ratio of the medians, not the median of the ratios; the spread is that of the rounds", () => {
    const { value, rounds } = ratioOf([10, 30, 20], [10, 10, 5]);
    expect(value).toBe(2);
    expect(rounds).toEqual({ median: 3, q1: 2, q3: 3.5, min: 1, max: 4, count: 3 });
  });

  it("refuses lists of different lengths", () => {
    expect(() => ratioOf([1, 2], [1])).toThrow(RangeError);
  });
});
