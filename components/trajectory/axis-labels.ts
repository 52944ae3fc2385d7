import { axisTurns } from "./strip-columns";

/** Width of a figure of the axis: the mono face at 12 px. */
const DIGIT_PX = 7.25;
/** What the chip of the open turn has around its figures. */
const CHIP_PADDING_PX = 4;
const GAP_PX = 6;

export interface AxisLabel {
  /** 0-based. */
  turn: number;
  /** The middle of the label. */
  x: number;
}

const halfOf = (turn: number) => (String(turn + 1).length * DIGIT_PX) / 2;
const inside = (x: number, half: number, widthPx: number) =>
  Math.max(half, Math.min(Math.max(half, widthPx - half), x));

/** Where the chip of the open turn stands: over its turn, and never past an edge. */
export function chipPlace(turn: number, x: number, widthPx: number): { x: number; half: number } {
  const half = ((String(turn + 1).length + 1) * DIGIT_PX) / 2 + CHIP_PADDING_PX;
  return { x: inside(x, half, widthPx), half };
}

/**
 * The turn numbers under the strip: round steps with the first and the last turn, each under its turn, none past an edge,
 * none over another or over the chip of the open turn.
 */
export function axisLabels(
  turns: number,
  open: number,
  centre: (turn: number) => number,
  widthPx: number,
  gapPx: number,
): AxisLabel[] {
  const chip = chipPlace(open, centre(open), widthPx);
  const all = axisTurns(turns, widthPx, gapPx).map((turn) => ({
    turn,
    x: inside(centre(turn), halfOf(turn), widthPx),
  }));
  const last = all.at(-1);
  const kept: AxisLabel[] = [];
  for (const label of all) {
    const clear = (x: number, half: number) => Math.abs(label.x - x) >= halfOf(label.turn) + half + GAP_PX;
    const before = kept.at(-1);
    if (!clear(chip.x, chip.half)) continue;
    if (before && !clear(before.x, halfOf(before.turn))) continue;
    if (last && label !== last && !clear(last.x, halfOf(last.turn))) continue;
    kept.push(label);
  }
  return kept;
}
