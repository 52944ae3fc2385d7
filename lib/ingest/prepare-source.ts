import type { HeldFile, Source } from "./source";
import { isLog } from "./sqlite-log";

const SQLITE = new TextEncoder().encode("SQLite format 3\u0000");
/** What SQLite adds to the name of a database for that of its write-ahead log. */
const LOG_ENDING = "-wal";
const TAR = new TextEncoder().encode("ustar");

/**
 * The source with what is inside it where its bytes are not text, to be called before anyone asks whose it is. What opens
 * a kind of file is loaded when the first such file comes, so other imports never hold it in memory.
 * @throws IngestError `malformed` when the bytes are damaged, `too_large` when they hold more than is read.
 */
export async function prepareSource(source: Source): Promise<Source> {
  const { part } = source;
  if (source.inside !== undefined || (part?.range && part.file === undefined)) return source;
  if (isArchive(source.bytes)) {
    const { openArchive } = await import("./archive-files");
    const { files, skipped } = await openArchive(source.bytes);
    return { ...source, inside: { kind: "files", files: await openHeldFiles(files), skipped } };
  }
  return { ...source, ...(await insideOf(source.bytes)) };
}

/**
 * The files of a folder with what is inside those that are databases. A write-ahead log beside its database is read with
 * it, and is no file of its own then.
 * @throws IngestError as `prepareSource`
 */
export async function openHeldFiles(files: readonly HeldFile[]): Promise<HeldFile[]> {
  const awaited = new Set(files.flatMap(({ path, bytes }) => (isDatabase(bytes) ? [path + LOG_ENDING] : [])));
  const logs = new Map<string, Uint8Array>();
  for (const { path, bytes } of files) {
    // SQLite empties a log that is done with, and may leave it there.
    if (awaited.has(path) && (bytes.length === 0 || isLog(bytes))) logs.set(path, bytes);
  }
  const opened: HeldFile[] = [];
  for (const file of files) {
    if (logs.has(file.path)) continue;
    opened.push({ ...file, ...(await insideOf(file.bytes, logs.get(file.path + LOG_ENDING) ?? null)) });
  }
  return opened;
}

/** A zip, something gzipped, or a tar: which of them it really is, who opens it finds out. */
function isArchive(bytes: Uint8Array): boolean {
  const [a, b] = bytes;
  return (a === 0x50 && b === 0x4b) || (a === 0x1f && b === 0x8b) || TAR.every((byte, n) => bytes[257 + n] === byte);
}

function isDatabase(bytes: Uint8Array): boolean {
  return SQLITE.every((byte, n) => bytes[n] === byte);
}

/** What is inside bytes that are a database; nothing for all others. */
async function insideOf(bytes: Uint8Array, log: Uint8Array | null = null): Promise<Pick<Source, "inside">> {
  if (!isDatabase(bytes)) return {};
  const { openDatabase } = await import("./sqlite-database");
  return { inside: { kind: "database", database: await openDatabase(bytes, log) } };
}
