import { IngestError } from "@/lib/errors";
import type { FailureContext, RawSpan, Trajectory } from "@/lib/trajectory/schema";

/** Where a part stands in the bytes of the upload, so that it can be read without the rest. */
export interface PartRange {
  /** Byte offsets, end exclusive. */
  start: number;
  end: number;
  /** The number (1-based) of the first line of the part. */
  line: number;
  /** The JSON pointer of the part in the document of the upload; empty when the upload is no single document. */
  pointer: string;
}

/** One trajectory of an upload that holds several. */
export interface Part {
  /** Which one it is, unique in the upload and the same for the same bytes. */
  key: string;
  /** What a person tells it by: the task's instance, the date of the session. */
  name: string;
  /** Null when it has to be picked out of the whole by its key. */
  range: PartRange | null;
  /** The file of an archive that it stands in, when the archive is of no format; its range counts in that file. */
  file?: string;
}

/** An upload with more trajectories than this is refused: each becomes a row and a job. */
export const PARTS_MAX = 20_000;

/**
 * Takes what was read from the bytes of a part to positions in the upload, in place.
 * @param trajectory with offsets, lines and pointers counted from the beginning of the part
 */
export function placeTrajectory(trajectory: Trajectory, range: PartRange): void {
  for (const span of spansOf(trajectory)) placeSpan(span, range);
}

/**
 * Gives the line 1 to what was read from a part that is one line of a file of lines, and to notes without a place: alone
 * it is a document, whose places are told by their pointers, but people look for a line.
 */
export function placeInLine(trajectory: Trajectory): void {
  for (const span of spansOf(trajectory)) span.line ??= 1;
  for (const { positions } of trajectory.notes) {
    if (positions.length === 0) positions.push({ line: 1, pointer: null, start: null, end: null });
  }
}

/** Takes the places of what a part says about its failure to places in the upload, in place. */
export function placeFailure(failure: FailureContext, range: PartRange, isLine: boolean): void {
  for (const found of failure.foundAt ?? []) {
    if (!found.where.startsWith("/")) continue;
    found.where = isLine ? `line ${range.line}, ${found.where}` : `${range.pointer}${found.where}`;
  }
}

/** Every place in a trajectory, once: adapters may give one span to several items. */
function spansOf({ entries, notes }: Trajectory): Set<RawSpan> {
  const spans = new Set<RawSpan>();
  const add = (raw: RawSpan[]): void => {
    for (const span of raw) spans.add(span);
  };
  for (const entry of entries) {
    if (entry.kind === "context") add(entry.raw);
    else for (const item of entry.items) add(item.raw);
  }
  for (const note of notes) add(note.positions);
  return spans;
}

function placeSpan(span: RawSpan, range: PartRange): void {
  if (span.start !== null) span.start += range.start;
  if (span.end !== null) span.end += range.start;
  if (span.line !== null) span.line += range.line - 1;
  if (range.pointer !== "") span.pointer = `${range.pointer}${span.pointer ?? ""}`;
}

/** The error of a part with its position in the upload. */
export function placeError(error: IngestError, range: PartRange): IngestError {
  const { byte, line, pointer } = error.at;
  // Words of the reader of JSON that name places themselves: the one in brackets is that of the error.
  const message = error.message
    .replace(/ \(line \d+, byte \d+\)$/, "")
    .replace(/ that starts at byte (\d+)/, (_, at: string) => ` that starts at byte ${Number(at) + range.start}`);
  return new IngestError(
    error.code,
    message,
    {
      byte: (byte ?? 0) + range.start,
      line: (line ?? 1) + range.line - 1,
      pointer: range.pointer === "" ? pointer : `${range.pointer}${pointer ?? ""}`,
    },
    { cause: error },
  );
}

/** What an upload with too many trajectories is refused with. */
export function tooManyParts(count: number): IngestError {
  const message = `the file holds ${count} trajectories, more than ${PARTS_MAX}; upload it in pieces`;
  return new IngestError("too_large", message);
}
