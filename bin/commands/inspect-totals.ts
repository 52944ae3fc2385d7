import type { FoldedChars, InspectRow } from "./inspect-row";

/** What all rows come to. */
export interface InspectTotals {
  files: number;
  /** Those that hold several trajectories. */
  filesOfSeveral: number;
  trajectories: number;
  failed: Record<string, number>;
  formats: Record<string, number>;
  turns: number;
  calls: number;
  writes: Record<string, number>;
  versions: Record<string, number>;
  conflicts: number;
  notes: Record<string, number>;
  bytes: Record<string, number>;
  /** Trajectories of which bytes cannot be counted. */
  notCounted: number;
  /** By format. */
  folding: Record<string, FoldedChars>;
  /** Files that took longer than ten seconds. */
  slow: { file: string; seconds: number }[];
  seconds: number;
}

/** The totals of no rows. */
export function noTotals(): InspectTotals {
  return {
    files: 0,
    filesOfSeveral: 0,
    trajectories: 0,
    failed: {},
    formats: {},
    turns: 0,
    calls: 0,
    writes: {},
    versions: {},
    conflicts: 0,
    notes: {},
    bytes: {},
    notCounted: 0,
    folding: {},
    slow: [],
    seconds: 0,
  };
}

/** Adds a row to the totals. */
export function addRow(totals: InspectTotals, row: InspectRow): void {
  if ("parts" in row) {
    totals.filesOfSeveral += 1;
    addAll(totals.notes, row.notes);
    return;
  }
  if ("error" in row) {
    addAll(totals.failed, { [row.error.code]: 1 });
    return;
  }
  totals.trajectories += 1;
  totals.turns += row.turns;
  totals.calls += row.calls;
  totals.conflicts += row.conflicts;
  addAll(totals.formats, { [row.format]: 1 });
  addAll(totals.writes, row.writes);
  addAll(totals.versions, row.versions);
  addAll(totals.notes, row.notes);
  const { observation, whole, folded } = totals.folding[row.format] ?? { observation: 0, whole: 0, folded: 0 };
  totals.folding[row.format] = {
    observation: observation + row.folding.observation,
    whole: whole + row.folding.whole,
    folded: folded + row.folding.folded,
  };
  if (row.bytes === null) totals.notCounted += 1;
  else addAll(totals.bytes, { ...row.bytes });
}

function addAll(sums: Record<string, number>, more: Record<string, number>): void {
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
}
