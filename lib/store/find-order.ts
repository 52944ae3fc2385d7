/**
 * The turn at a step of the way outward from `start`: it, the next one, the one before, and so on; when one side has
 * ended, the rest of the other. Steps 0 to `total - 1` visit every turn once.
 */
export function turnAtStep(step: number, start: number, total: number): number {
  const near = Math.min(start, total - 1 - start);
  if (step <= 2 * near) return start + (step % 2 === 1 ? (step + 1) / 2 : -step / 2);
  return start < total - 1 - start ? step : total - 1 - step;
}
