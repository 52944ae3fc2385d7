/** One bar of the small strip: `x` and `width` in hundredths of the whole width, `level` 0 to 2. */
export interface RunBar {
  x: number;
  width: number;
  level: 0 | 1 | 2;
}

/** A run of fewer turns does not fill the width: its bars would be blocks, and it is short. */
const LEAST_PLACES = 16;

function stepOf(bars: number): number {
  return 100 / Math.max(LEAST_PLACES, bars);
}

/**
 * The bars of a packed run strip (at most 64 characters, see lib/views/strip.ts): `.` the ground line, `x` and `w` half
 * high, `W` (a delivered file was written) the tallest. A character that is not known counts as the ground line.
 */
export function runBars(strip: string): RunBar[] {
  const step = stepOf(strip.length);
  // The gap is a quarter of the step, and never wider than a hair.
  const gap = Math.min(step * 0.25, 0.7);
  return [...strip].map((character, index) => ({
    x: index * step,
    width: step - gap,
    level: character === "W" ? 2 : character === "w" || character === "x" ? 1 : 0,
  }));
}

/** Where turn `turn` (0-based) of `turnCount` stands, in hundredths of the width: the middle of the bar of its bucket. */
export function turnPosition(turn: number, turnCount: number, buckets: number): number {
  if (turnCount <= 0 || buckets <= 0) return 0;
  const bucket = Math.min(buckets - 1, Math.floor((turn * buckets) / turnCount));
  return (bucket + 0.5) * stepOf(buckets);
}
