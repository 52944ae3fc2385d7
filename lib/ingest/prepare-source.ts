import type { HeldFile, Source } from "./source";

const SQLITE = new TextEncoder().encode("SQLite format 3\u0000");
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
    const opened: HeldFile[] = [];
    for (const file of files) opened.push({ ...file, ...(await insideOf(file.bytes)) });
    return { ...source, inside: { kind: "files", files: opened, skipped } };
  }
  return { ...source, ...(await insideOf(source.bytes)) };
}

/** A zip, something gzipped, or a tar: which of them it really is, who opens it finds out. */
function isArchive(bytes: Uint8Array): boolean {
  const [a, b] = bytes;
  return (a === 0x50 && b === 0x4b) || (a === 0x1f && b === 0x8b) || TAR.every((byte, n) => bytes[257 + n] === byte);
}

/** What is inside bytes that are a database; nothing for all others. */
async function insideOf(bytes: Uint8Array): Promise<Pick<Source, "inside">> {
  if (!SQLITE.every((byte, n) => bytes[n] === byte)) return {};
  const { openDatabase } = await import("./sqlite-database");
  return { inside: { kind: "database", database: await openDatabase(bytes) } };
}
