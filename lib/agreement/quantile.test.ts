import { describe, expect, it } from "vitest";
import { quantile } from "./quantile";

describe("quantiles", () => {
  it.each([
    [[1, 2, 3, 4], 0, 1],
    [[1, 2, 3, 4], 1, 4],
    [[1, 2, 3, 4], 0.5, 2.5],
    [[1, 2, 3, 4], 0.25, 1.75],
    [[10, 20, 30, 40, 50], 0.4, 26],
    [[7], 0.9, 7],
  ])("of %j at %f are those of type 7", (values, share, expected) => {
    expect(quantile(values, share)).toBeCloseTo(expected, 12);
  });
});
