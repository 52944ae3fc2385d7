import type { Strip } from "@/lib/views/strip";

/** One column of the strip: a turn, or a bucket of consecutive turns (`to` is exclusive). */
export interface StripColumn {
  from: number;
  to: number;
  /** The activity that most of its turns have; the earlier one of a tie. */
  activity: string;
  /** The largest of its turns, 0-9. */
  size: number;
  suspicion: number;
  /** The strongest write: delivered over opaque over scratch over refused. */
  write: string;
  /** The strongest test result: with failures over all pass over not read. */
  test: string;
  writeCount: number;
  testCount: number;
  errorCount: number;
  /** The agent that most of its turns belong to, as in the lane. */
  agent: string;
}

export interface StripColumns {
  columns: StripColumn[];
  /** Turns in each column but the last. */
  turnsPerColumn: number;
}

/** Above this many turns a column holds several. */
export const COLUMNS_MAX = 200;
const WRITE_ORDER = ".rcow";
const TEST_ORDER = ".upf";

const strongest = (lane: string, order: string): string => {
  let best = 0;
  for (const letter of lane) best = Math.max(best, order.indexOf(letter));
  return order[best] ?? ".";
};

const largest = (lane: string): number => {
  let best = 0;
  for (const letter of lane) best = Math.max(best, Number(letter) || 0);
  return best;
};

const countOther = (lane: string): number => lane.length - lane.split(".").length + 1;

function mostCommon(lane: string): string {
  const counts = new Map<string, number>();
  for (const letter of lane) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let best = "o";
  let most = 0;
  for (const [letter, count] of counts) {
    if (count > most) {
      best = letter;
      most = count;
    }
  }
  return best;
}

/**
 * The columns to draw for a run: one a turn up to `most`, above that equal buckets that keep the strongest mark and a
 * count of each lane. Verdict marks are not part of a column: they are placed by `placeMarks` and never binned.
 */
export function stripColumns(strip: Strip, most: number = COLUMNS_MAX): StripColumns {
  const turnsPerColumn = Math.max(1, Math.ceil(strip.turns / Math.max(1, most)));
  const columns: StripColumn[] = [];
  for (let from = 0; from < strip.turns; from += turnsPerColumn) {
    const to = Math.min(strip.turns, from + turnsPerColumn);
    const write = strip.write.slice(from, to);
    const test = strip.test.slice(from, to);
    columns.push({
      from,
      to,
      activity: mostCommon(strip.activity.slice(from, to)),
      size: largest(strip.size.slice(from, to)),
      suspicion: largest(strip.suspicion.slice(from, to)),
      write: strongest(write, WRITE_ORDER),
      test: strongest(test, TEST_ORDER),
      writeCount: countOther(write),
      testCount: countOther(test),
      errorCount: countOther(strip.error.slice(from, to)),
      agent: mostCommon(strip.agent.slice(from, to)),
    });
  }
  return { columns, turnsPerColumn };
}

/** Where turns stand on an axis of `widthPx`; the last column keeps its full width even when it holds fewer turns. */
export function turnScale(
  strip: StripColumns,
  widthPx: number,
): { columnPx: number; centre: (turn: number) => number } {
  const columnPx = strip.columns.length === 0 ? widthPx : widthPx / strip.columns.length;
  const turnPx = columnPx / strip.turnsPerColumn;
  return { columnPx, centre: (turn) => (turn + 0.5) * turnPx };
}

/** The turn under a point of the axis, clamped to the run. */
export function turnAt(strip: StripColumns, turns: number, widthPx: number, x: number): number {
  const { columnPx } = turnScale(strip, widthPx);
  const turn = Math.floor((x / columnPx) * strip.turnsPerColumn);
  return Math.max(0, Math.min(turns - 1, turn));
}

/**
 * Places marks on the axis so that none covers another: in the order of their turns, at least `gapPx` apart, as near to
 * their own place as that allows, and inside the axis when it is wide enough. Every mark that goes in comes out.
 */
export function placeMarks<T extends { turn: number }>(
  marks: readonly T[],
  centre: (turn: number) => number,
  gapPx: number,
  widthPx: number,
): { mark: T; x: number }[] {
  const placed = [...marks].sort((a, b) => a.turn - b.turn).map((mark) => ({ mark, x: centre(mark.turn) }));
  let least = gapPx / 2;
  for (const here of placed) {
    here.x = Math.max(here.x, least);
    least = here.x + gapPx;
  }
  let limit = widthPx - gapPx / 2;
  for (let i = placed.length - 1; i >= 0; i--) {
    const here = placed[i];
    if (!here) continue;
    here.x = Math.min(here.x, limit);
    limit = here.x - gapPx;
  }
  return placed;
}

/** Runs of columns with one activity, for the band of kinds. */
export function activityBands(columns: readonly StripColumn[]): { activity: string; from: number; to: number }[] {
  const bands: { activity: string; from: number; to: number }[] = [];
  columns.forEach((column, i) => {
    const last = bands.at(-1);
    if (last && last.activity === column.activity) last.to = i + 1;
    else bands.push({ activity: column.activity, from: i, to: i + 1 });
  });
  return bands;
}

/** Turn numbers (0-based) for the axis: the first, the last and round steps between, at least `gapPx` apart. */
export function axisTurns(turns: number, widthPx: number, gapPx: number): number[] {
  if (turns <= 1) return turns === 1 ? [0] : [];
  const most = Math.max(1, Math.floor(widthPx / gapPx));
  const step = [1, 2, 4, 5, 8, 10, 20, 40, 50, 80, 100, 200, 400, 500, 800, 1_000, 2_000, 5_000, 10_000, 50_000].find(
    (each) => turns / each <= most,
  );
  const labels = [0];
  for (let turn = (step ?? turns) - 1; turn < turns - 1; turn += step ?? turns) if (turn > 0) labels.push(turn);
  const perTurn = widthPx / turns;
  const room = labels.filter(
    (turn) => turn === 0 || (turn * perTurn >= gapPx && (turns - 1 - turn) * perTurn >= gapPx * 1.5),
  );
  return [...room, turns - 1];
}
