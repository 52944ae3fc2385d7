import { gunzipSync } from "node:zlib";
import { type ArchiveSink, archiveKind, safePath, unpackArchive } from "./unpack";

/** What a gzipped file that is no archive is called. */
export const ONLY_FILE = "content";

/**
 * Some files of an archive that was taken apart before, by their paths; the last of a name, as then. A path that is not
 * in it is not in the answer, and bytes that are no archive have none.
 * @throws Error when the archive is damaged, or more than `maxBytes` come out of it.
 */
export async function pickFiles(
  bytes: Uint8Array,
  paths: ReadonlySet<string>,
  maxBytes: number,
): Promise<Map<string, Uint8Array>> {
  const picked = new Map<string, Uint8Array>();
  let unpacked = 0;
  const sink: ArchiveSink = {
    maxFileBytes: maxBytes,
    enter: () => undefined,
    skip: () => undefined,
    unpacked(count) {
      unpacked += count;
      if (unpacked > maxBytes) throw new Error("more comes out of the archive than it may hold");
    },
    keep(name, held) {
      const path = safePath(name);
      if (path !== null && paths.has(path)) picked.set(path, held);
    },
  };
  const kind = archiveKind(bytes);
  if (kind === "file") return picked;
  if (kind === "gzip" && paths.has(ONLY_FILE)) {
    const inflated = gunzipSync(bytes, { maxOutputLength: maxBytes });
    if (archiveKind(inflated) !== "tar") return new Map([[ONLY_FILE, inflated]]);
  }
  await unpackArchive(bytes, kind, sink);
  return picked;
}
