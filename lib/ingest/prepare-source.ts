import type { Source } from "./source";

const SQLITE = new TextEncoder().encode("SQLite format 3\u0000");

/**
 * The source with what is inside it where its bytes are not text, to be called before anyone asks whose it is. What opens
 * a kind of file is loaded when the first such file comes, so other imports never hold it in memory.
 * @throws IngestError `malformed` when the bytes are damaged, `too_large` when they hold more than is read.
 */
export async function prepareSource(source: Source): Promise<Source> {
  if (source.inside !== undefined || source.part?.range) return source;
  if (SQLITE.every((byte, n) => source.bytes[n] === byte)) {
    const { openDatabase } = await import("./sqlite-database");
    return { ...source, inside: { kind: "database", database: await openDatabase(source.bytes) } };
  }
  return source;
}
