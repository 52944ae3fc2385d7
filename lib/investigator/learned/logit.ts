/** The turns of one run with where the label lies on them: `target` sums to 1. */
export interface Choice {
  rows: number[][];
  target: number[];
}

/** Each turn's utility: the weighted sum of its features. */
export function utilities(rows: number[][], weights: number[]): number[] {
  return rows.map((row) => {
    let sum = 0;
    for (let k = 0; k < weights.length; k += 1) sum += (weights[k] ?? 0) * (row[k] ?? 0);
    return sum;
  });
}

/** Softmax over the turns of one run; sums to 1. Empty for none. */
export function shares(values: number[]): number[] {
  const highest = values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY);
  const weights = values.map((value) => Math.exp(value - highest));
  const total = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => weight / total);
}

export interface Loss {
  value: number;
  gradient: number[];
  hessian: number[][];
}

/**
 * The penalised negative log likelihood of the conditional logit (McFadden 1974), with its gradient and Hessian.
 * `penalty` is the weight of half the sum of squares; each choice counts once, however many turns it has.
 */
export function logitLoss(choices: Choice[], weights: number[], penalty: number): Loss {
  const d = weights.length;
  const gradient = weights.map((weight) => penalty * weight);
  const hessian = weights.map((_, k) => weights.map((_, l) => (k === l ? penalty : 0)));
  let value = weights.reduce((sum, weight) => sum + 0.5 * penalty * weight * weight, 0);
  for (const { rows, target } of choices) {
    const values = utilities(rows, weights);
    const p = shares(values);
    const mean = new Array<number>(d).fill(0);
    const square = hessian.map(() => new Array<number>(d).fill(0));
    rows.forEach((row, i) => {
      const share = p[i] ?? 0;
      const wanted = target[i] ?? 0;
      // log(0) never meets a target above 0: a share is 0 only when the utility is hundreds below the highest.
      if (wanted > 0) value -= wanted * Math.log(Math.max(share, Number.MIN_VALUE));
      for (let k = 0; k < d; k += 1) {
        const x = row[k] ?? 0;
        if (x === 0) continue;
        gradient[k] = (gradient[k] ?? 0) + (share - wanted) * x;
        mean[k] = (mean[k] ?? 0) + share * x;
        const line = square[k];
        if (line === undefined) continue;
        for (let l = 0; l <= k; l += 1) line[l] = (line[l] ?? 0) + share * x * (row[l] ?? 0);
      }
    });
    for (let k = 0; k < d; k += 1) {
      for (let l = 0; l <= k; l += 1) {
        const part = (square[k]?.[l] ?? 0) - (mean[k] ?? 0) * (mean[l] ?? 0);
        add(hessian, k, l, part);
        if (l !== k) add(hessian, l, k, part);
      }
    }
  }
  return { value, gradient, hessian };
}

function add(matrix: number[][], k: number, l: number, part: number): void {
  const line = matrix[k];
  if (line !== undefined) line[l] = (line[l] ?? 0) + part;
}

const STEPS_MAX = 50;
const GRADIENT_SMALL = 1e-8;

/** The weights that minimise the loss, by Newton's method with halved steps. The loss is convex: there is one minimum. */
export function fitLogit(choices: Choice[], columns: number, penalty: number): number[] {
  let weights = new Array<number>(columns).fill(0);
  let loss = logitLoss(choices, weights, penalty);
  for (let step = 0; step < STEPS_MAX; step += 1) {
    if (Math.max(...loss.gradient.map(Math.abs)) < GRADIENT_SMALL) break;
    const direction = solve(loss.hessian, loss.gradient);
    let scale = 1;
    let next = weights;
    let nextLoss = loss;
    for (; scale > 1e-6; scale /= 2) {
      next = weights.map((weight, k) => weight - scale * (direction[k] ?? 0));
      nextLoss = logitLoss(choices, next, penalty);
      if (nextLoss.value < loss.value) break;
    }
    if (nextLoss.value >= loss.value) break;
    weights = next;
    loss = nextLoss;
  }
  return weights;
}

/** Solves a symmetric positive definite system (Cholesky). The penalty makes the Hessian one. */
function solve(matrix: number[][], right: number[]): number[] {
  const d = right.length;
  const lower: number[][] = matrix.map(() => new Array<number>(d).fill(0));
  const at = (k: number, l: number): number => lower[k]?.[l] ?? 0;
  for (let k = 0; k < d; k += 1) {
    const line = lower[k] ?? [];
    for (let l = 0; l <= k; l += 1) {
      let sum = matrix[k]?.[l] ?? 0;
      for (let m = 0; m < l; m += 1) sum -= at(k, m) * at(l, m);
      line[l] = k === l ? Math.sqrt(Math.max(sum, Number.EPSILON)) : sum / at(l, l);
    }
  }
  const forward: number[] = [];
  for (let k = 0; k < d; k += 1) {
    let sum = right[k] ?? 0;
    for (let l = 0; l < k; l += 1) sum -= at(k, l) * (forward[l] ?? 0);
    forward.push(sum / at(k, k));
  }
  const solution = new Array<number>(d).fill(0);
  for (let k = d - 1; k >= 0; k -= 1) {
    let sum = forward[k] ?? 0;
    for (let l = k + 1; l < d; l += 1) sum -= at(l, k) * (solution[l] ?? 0);
    solution[k] = sum / at(k, k);
  }
  return solution;
}
