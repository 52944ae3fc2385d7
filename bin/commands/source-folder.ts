import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import { ARCHIVE_FILES_LIMITS } from "@/lib/ingest/archive-files";
import { openHeldFiles } from "@/lib/ingest/prepare-source";
import type { HeldFile, Source } from "@/lib/ingest/source";
import { filesUnder } from "./files-under";
import { Refused } from "./refused";
import { readSourceFile } from "./source-file";

/** Folders that hold no traces and very many files, as the browser leaves them out. */
const NEVER_TRACES = new Set([".git", "node_modules"]);

/**
 * Reads a file, or a folder as one source, as the browser sends it: its files with their paths in it. Links are not
 * followed.
 * @throws Refused and IngestError as `readSourceFile`; Refused when the folder is over the limits of an archive.
 */
export async function readSource(at: string): Promise<Source> {
  const isFolder = await stat(at)
    .then((found) => found.isDirectory())
    .catch(() => false);
  if (!isFolder) return readSourceFile(at);
  const name = path.basename(path.resolve(at));
  const files: HeldFile[] = [];
  let sizeBytes = 0;
  for await (const inside of filesUnder(at, NEVER_TRACES)) {
    const bytes = await readFile(path.join(at, inside));
    sizeBytes += bytes.length;
    if (sizeBytes > UPLOAD_MAX_BYTES || files.length >= ARCHIVE_FILES_LIMITS.files) {
      const most = `${UPLOAD_MAX_BYTES / 1_048_576} MiB and ${ARCHIVE_FILES_LIMITS.files} files`;
      throw new Refused(`${at} has more than ${most}, the most that Misstep reads as one.`);
    }
    files.push({ path: [name, ...inside.split(path.sep)].join("/"), bytes });
  }
  return { name, bytes: new Uint8Array(), inside: { kind: "files", files: await openHeldFiles(files) } };
}
