import { buildHistory } from "@/lib/artefact/history";
import { type ArtefactHistory, CERTAINTIES } from "@/lib/artefact/model";
import { IngestError, type SourcePosition } from "@/lib/errors";
import { foldTrajectory } from "@/lib/folding/fold";
import { type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { Refused } from "./refused";
import type { BytesBy, Readable } from "./trajectories-in";

/** One trajectory of a file as `inspect` tells it in one row. */
export interface TrajectoryRow {
  file: string;
  /** Which one of a file with several; null for a file that is one. */
  part: { key: string; name: string } | null;
  format: string;
  variant: string;
  turns: number;
  calls: number;
  writes: { applied: number; assumed: number; refused: number; opaque: number };
  versions: Record<string, number>;
  conflicts: number;
  notes: { information: number; repaired: number; not_understood: number };
  /** Null where bytes cannot be counted. */
  bytes: BytesBy | null;
  folding: FoldedChars;
  seconds: number;
}

/** Characters of observations, of everything, and those that `parts` folds of the observations. */
export interface FoldedChars {
  observation: number;
  whole: number;
  folded: number;
}

/** Why there is no trajectory. `code` is one of the import's, or `internal` for a defect, `timeout`, `out_of_memory`. */
export interface FailedRow {
  file: string;
  part: { key: string; name: string } | null;
  error: { code: string; message: string; at: SourcePosition | null };
  seconds: number;
}

/** A file with several trajectories; a row each follows. */
export interface FileRow {
  file: string;
  format: string;
  parts: number;
  sizeBytes: number;
  /** What of the file no part holds. */
  notes: { information: number; repaired: number; not_understood: number };
  seconds: number;
}

export type InspectRow = TrajectoryRow | FailedRow | FileRow;

/** Reads one trajectory and says in a row what is in it, or why it cannot be read. Never throws. */
export function rowOf(file: string, readable: Readable): TrajectoryRow | FailedRow {
  const startedMs = performance.now();
  const part = readable.part === null ? null : { key: readable.part.key, name: readable.part.name };
  try {
    const { ingested, bytes } = readable.read();
    const { trajectory, detection } = ingested;
    const history = buildHistory(trajectory, null);
    const turns = turnsOf(trajectory);
    return {
      file,
      part,
      format: detection.format,
      variant: detection.variant,
      turns: turns.length,
      calls: turns.flatMap((turn) => turn.items).filter((item) => item.kind === "call").length,
      writes: writesByStatus(history),
      versions: versionsByCertainty(history),
      conflicts: history.conflicts.length,
      notes: countNotes(trajectory.notes),
      bytes,
      folding: foldedChars(trajectory),
      seconds: secondsSince(startedMs),
    };
  } catch (error) {
    return { file, part, error: errorOf(error), seconds: secondsSince(startedMs) };
  }
}

function foldedChars(trajectory: Trajectory): FoldedChars {
  const { observationChars, wholeChars, parts } = foldTrajectory(trajectory).savings;
  return { observation: observationChars, whole: wholeChars, folded: parts.foldedChars };
}

/** How many writes took effect, are taken to have done so, were refused, or cannot be followed. */
export function writesByStatus({ writes }: ArtefactHistory): TrajectoryRow["writes"] {
  const counts = { applied: 0, assumed: 0, refused: 0, opaque: 0 };
  for (const { status } of writes) counts[status] += 1;
  return counts;
}

/** How many versions of files there are, by how sure their content is. */
export function versionsByCertainty({ files }: ArtefactHistory): Record<string, number> {
  const counts: Record<string, number> = Object.fromEntries(CERTAINTIES.map((certainty) => [certainty, 0]));
  for (const { versions } of files.values()) {
    for (const { certainty } of versions) counts[certainty] = (counts[certainty] ?? 0) + 1;
  }
  return counts;
}

/** Records of notes by level. */
export function countNotes(notes: readonly { level: keyof FileRow["notes"]; count: number }[]): FileRow["notes"] {
  const counts = { information: 0, repaired: 0, not_understood: 0 };
  for (const { level, count } of notes) counts[level] += count;
  return counts;
}

/** What was thrown as a row says it: a reason in the file with its code, everything else as a defect. */
export function errorOf(error: unknown): FailedRow["error"] {
  if (error instanceof IngestError) return { code: error.code, message: oneLine(error.message), at: error.at };
  if (error instanceof Refused) return { code: "refused", message: oneLine(error.message), at: null };
  const message = error instanceof Error ? `${error.name}: ${error.message}` : "something that is not an Error";
  return { code: "internal", message: oneLine(message), at: null };
}

const oneLine = (text: string): string => text.replaceAll(/\s+/g, " ").slice(0, 500);

/** Seconds since a reading of the clock, to the millisecond. */
export function secondsSince(startedMs: number): number {
  return Math.round(performance.now() - startedMs) / 1_000;
}
