import { describe, expect, it } from "vitest";
import { type Choice, fitLogit, logitLoss, shares } from "./logit";

const CHOICES: Choice[] = [
  {
    rows: [
      [1, 0.5, 0],
      [0, 1.5, 1],
      [0.2, -1, 2],
    ],
    target: [0.2, 0.7, 0.1],
  },
  {
    rows: [
      [0, 0, 1],
      [1, 2, -0.5],
    ],
    target: [0, 1],
  },
];
const AT = [0.3, -0.4, 0.7];
const PENALTY = 0.5;

function moved(k: number, by: number): number[] {
  return AT.map((value, l) => (l === k ? value + by : value));
}

describe("the loss of the conditional logit", () => {
  it("has the gradient and the Hessian that finite differences give", () => {
    const { gradient, hessian } = logitLoss(CHOICES, AT, PENALTY);
    const step = 1e-5;
    for (const k of AT.keys()) {
      const up = logitLoss(CHOICES, moved(k, step), PENALTY);
      const down = logitLoss(CHOICES, moved(k, -step), PENALTY);
      expect(gradient[k]).toBeCloseTo((up.value - down.value) / (2 * step), 7);
      for (const l of AT.keys()) {
        expect(hessian[k]?.[l]).toBeCloseTo(((up.gradient[l] ?? 0) - (down.gradient[l] ?? 0)) / (2 * step), 7);
      }
    }
  });

  it("is that of chance without weights: the logarithm of the number of turns", () => {
    expect(logitLoss(CHOICES, [0, 0, 0], PENALTY).value).toBeCloseTo(Math.log(3) + Math.log(2), 12);
  });
});

describe("fitting", () => {
  it("ends where the gradient is nothing", () => {
    const { gradient } = logitLoss(CHOICES, fitLogit(CHOICES, 3, PENALTY), PENALTY);
    for (const part of gradient) expect(Math.abs(part)).toBeLessThan(1e-6);
  });

  it("finds the weight that two runs out of three speak for, without a penalty to speak of", () => {
    // The labelled turn has the feature in two runs of three: p = 2/3, so the weight is log 2.
    const rows = [[1], [0]];
    const choices = [
      { rows, target: [1, 0] },
      { rows, target: [1, 0] },
      { rows, target: [0, 1] },
    ];
    expect(fitLogit(choices, 1, 1e-9)[0]).toBeCloseTo(Math.log(2), 6);
  });

  it("leaves a column alone that is the same in every turn", () => {
    const choices = [
      {
        rows: [
          [1, 1],
          [1, 0],
        ],
        target: [1, 0],
      },
    ];
    expect(fitLogit(choices, 2, 1)[0]).toBeCloseTo(0, 12);
  });
});

describe("shares", () => {
  it("sum to 1, also of utilities that are far apart", () => {
    const found = shares([1000, 999, -1000]);
    expect(found.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 12);
    expect(found[0]).toBeCloseTo(Math.E / (1 + Math.E), 12);
    expect(shares([])).toEqual([]);
  });
});
