import { IngestError } from "@/lib/errors";
import type { Note, RawSpan, Trajectory } from "@/lib/trajectory/schema";
import { NoteBook } from "./notes";
import type { Part } from "./parts";
import type { HeldFile, Source } from "./source";

/** Between the path of a file and the key of a part of it. */
const KEY_MARK = "#";

/** A file of an archive as a source of its own, of all of it or of one part. */
export function innerSource(file: HeldFile, part: Part | null): Source {
  const { path, bytes, inside } = file;
  const range = part?.range ?? null;
  const held = range === null ? bytes : bytes.subarray(range.start, range.end);
  const name = path.slice(path.lastIndexOf("/") + 1);
  // A database with one trajectory is read for all of it: nothing in it has the file's name for a key.
  const isWhole = part === null || (range === null && part.key === path);
  const own = isWhole ? {} : { part: withoutFile(part, path) };
  return { name, bytes: held, ...(inside === undefined ? {} : { inside }), ...own };
}

function withoutFile({ key, name, range }: Part, path: string): Part {
  const prefix = path + KEY_MARK;
  return { key: key.startsWith(prefix) ? key.slice(prefix.length) : key, name, range };
}

/** The parts that a file of an archive gives: itself, or the parts that it has. */
export function partsOfFile({ path, bytes, inside }: HeldFile, inner: Part[] | null): Part[] {
  if (inner !== null) return inner.map((part) => ({ ...part, key: `${path}${KEY_MARK}${part.key}`, file: path }));
  // What is inside a database is not told by its bytes.
  const range = inside === undefined ? { start: 0, end: bytes.length, line: 1, pointer: "" } : null;
  return [{ key: path, name: path, range, file: path }];
}

/** Runs a reader of a file of an archive; its error says which file it was. */
export function namingFile<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    throw new IngestError(error.code, `${path}: ${error.message}`, error.at, { cause: error });
  }
}

/** Says of every position of a trajectory which file of the archive it counts in; a row of a database is one in it. */
export function placeTrajectoryInFile(trajectory: Trajectory, path: string): void {
  // What was read from one record shares its place.
  const placed = new Set<RawSpan>();
  const place = (raw: RawSpan[]): void => {
    for (const span of raw) {
      if (!placed.has(span)) span.file = span.file === undefined ? path : `${path}/${span.file}`;
      placed.add(span);
    }
  };
  for (const entry of trajectory.entries) {
    if (entry.kind === "context") place(entry.raw);
    else for (const item of entry.items) place(item.raw);
  }
  for (const note of trajectory.notes) place(note.positions);
}

/** What of an archive becomes no trajectory: the other files with their names, and the entries that are no files. */
export function notesOfArchive(others: readonly HeldFile[], skipped: ReadonlyMap<string, number>): Note[] {
  const notes = new NoteBook();
  for (const { path, bytes } of others) {
    const place: RawSpan = { line: null, pointer: null, start: 0, end: bytes.length, file: path };
    notes.add("other_file", "not_understood", "Files of the archive that are no traces", place);
  }
  for (const [reason, count] of skipped) {
    notes.add(
      `skipped_${reason}`,
      "not_understood",
      `Entries of the archive that are left out: ${reason.replaceAll("_", " ")}`,
      null,
      count,
    );
  }
  return notes.list();
}

/** What an archive without a trace is refused with: the reason of its only file, or the first reasons of all. */
export function noTraceInside(refused: readonly { file: HeldFile; error: IngestError }[]): IngestError {
  const [first, ...others] = refused;
  if (first === undefined) return new IngestError("empty", "the archive holds no files");
  if (others.length === 0) return first.error;
  const message = `none of the ${refused.length} files of the archive looks like the trace of a coding agent; ${first.error.message}`;
  return new IngestError("not_a_trace", message);
}
