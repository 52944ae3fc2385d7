import { IngestError } from "@/lib/errors";
import { type Ingested, type Opened, openUpload } from "@/lib/ingest/ingest";
import { type Part, placeError, placeTrajectory } from "@/lib/ingest/parts";
import type { Source } from "@/lib/ingest/source";
import { type Accounting, accountBytes } from "@/lib/ingest/unread";
import { Refused } from "./refused";

/** One trajectory of a file and the bytes that it is read from, as its import job has them. */
export interface Readable {
  /** Null for a file that is one trajectory. */
  part: Part | null;
  source: Source;
  /** Reads it. @throws IngestError with the position in the file. */
  read(): Read;
}

export interface Read {
  ingested: Ingested;
  /** Where each byte went; null where there is nothing to count in (a database, a record picked out of a whole document). */
  bytes: BytesBy | null;
}

/** Bytes of a trajectory by where they went. */
export interface BytesBy {
  turns: number;
  context: number;
  notes: number;
  structure: number;
  unread: number;
}

/**
 * The trajectories of a file, to be read one by one.
 * @throws IngestError when the file is of no format, or of one that cannot be read.
 */
export function trajectoriesIn(source: Source): { opened: Opened; all: Readable[] } {
  const opened = openUpload(source);
  if (opened.kind === "several") return { opened, all: opened.parts.map((part) => partOf(source, part)) };
  const read = (): Read => {
    const ingested = opened.read(() => undefined);
    return { ingested, bytes: bytesOf(source, ingested, null) };
  };
  return { opened, all: [{ part: null, source, read }] };
}

/**
 * The one trajectory that a command is about.
 * @param key of the part, for a file with several
 * @throws Refused when the file holds several and no key, or none of that key.
 */
export function chooseTrajectory(source: Source, key: string | undefined): Readable {
  const { all } = trajectoriesIn(source);
  const [first] = all;
  if (key === undefined && all.length === 1 && first !== undefined) return first;
  const keys = all.flatMap(({ part }) => part?.key ?? []);
  const some = `${keys.slice(0, 10).join(", ")}${keys.length > 10 ? ", ..." : ""}`;
  if (key === undefined) {
    throw new Refused(`${source.name} holds ${all.length} trajectories: choose one with --part KEY (${some}).`);
  }
  const found = all.find(({ part }) => part?.key === key);
  if (found !== undefined) return found;
  const there = keys.length === 0 ? "it is one trajectory" : `there are ${some}`;
  throw new Refused(`${source.name} holds no part ${JSON.stringify(key)}: ${there}.`);
}

function partOf(whole: Source, part: Part): Readable {
  const { range } = part;
  if (range === null || part.file !== undefined) {
    const source = { ...whole, part };
    return { part, source, read: () => readOne(source, part) };
  }
  const bytes = whole.bytes.subarray(range.start, range.end);
  // Read as if its bytes began the file, so that they can be counted; what is found is put in its place then.
  const source = { name: whole.name, bytes, part: { ...part, range: { ...range, start: 0, end: bytes.length } } };
  const place = { ...range, line: 1, pointer: "" };
  const read = (): Read => {
    try {
      const one = readOne(source, part);
      placeTrajectory(one.ingested.trajectory, place);
      return one;
    } catch (error) {
      throw error instanceof IngestError ? placeError(error, place) : error;
    }
  };
  return { part, source, read };
}

function readOne(source: Source, part: Part): Read {
  const opened = openUpload(source);
  if (opened.kind === "several") throw new Refused(`${part.key} of ${source.name} holds several trajectories itself.`);
  const ingested = opened.read(() => undefined);
  return { ingested, bytes: bytesOf(source, ingested, part) };
}

function bytesOf({ bytes, inside }: Source, { trajectory }: Ingested, part: Part | null): BytesBy | null {
  if (inside?.kind === "database") return null;
  if (part !== null && part.range === null && part.file === undefined) return null;
  if (inside === undefined) return summed([accountBytes(bytes, trajectory)]);
  const whole = inside.files.filter(({ path }) => part?.file === undefined || part.file === path);
  // Of a database rows are counted, not bytes.
  const files = whole.filter((file) => file.inside === undefined);
  if (files.length === 0) return null;
  const range = part?.range;
  if (!range) return summed(files.map((file) => accountBytes(file.bytes, trajectory, file.path)));
  // Counted in the part's own stretch of its file: what was found is put as if it began there, and back.
  const { start, end, line } = range;
  placeTrajectory(trajectory, { start: -start, end: 0, line: 2 - line, pointer: "" });
  const sum = summed(files.map((file) => accountBytes(file.bytes.subarray(start, end), trajectory, file.path)));
  placeTrajectory(trajectory, { start, end, line, pointer: "" });
  return sum;
}

function summed(accounts: Accounting[]): BytesBy {
  const sum = { turns: 0, context: 0, notes: 0, structure: 0, unread: 0 };
  for (const account of accounts) {
    sum.turns += account.turnBytes;
    sum.context += account.contextBytes;
    sum.notes += account.notedBytes;
    sum.structure += account.structureBytes;
    sum.unread += account.unreadBytes;
  }
  return sum;
}
