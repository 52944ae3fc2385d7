import { gunzipSync } from "node:zlib";
import { ONLY_FILE } from "@/lib/archive/pick-files";
import { type ArchiveSink, archiveKind, safePath, unpackArchive } from "@/lib/archive/unpack";
import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import { IngestError } from "@/lib/errors";
import type { HeldFile } from "./source";

export interface ArchiveFilesLimits {
  /** Entries looked at, used or not. */
  entries: number;
  files: number;
  /** Bytes that may come out of the archive, kept or not, counted while they come. */
  unpackedBytes: number;
}

export const ARCHIVE_FILES_LIMITS: ArchiveFilesLimits = {
  entries: 100_000,
  files: 20_000,
  unpackedBytes: UPLOAD_MAX_BYTES,
};

/** What the systems of people put into archives by themselves. */
const SYSTEM_FILE = /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$|desktop\.ini$)/;

/**
 * The files of a zip, a tar, a gzipped tar, or of one gzipped file, in the order of their paths. Nothing is written to
 * disk, names are labels; links, devices, names that climb and files of the system are skipped and counted.
 * @throws IngestError `too_large` beyond a limit, which it names; `malformed` when the archive is damaged.
 */
export async function openArchive(
  bytes: Uint8Array,
  limits: ArchiveFilesLimits = ARCHIVE_FILES_LIMITS,
): Promise<{ files: HeldFile[]; skipped: ReadonlyMap<string, number> }> {
  const sink = new FileSink(limits);
  try {
    await unpackInto(bytes, sink);
  } catch (error) {
    if (error instanceof IngestError) throw error;
    throw new IngestError("malformed", `the archive is damaged: ${reasonOf(error)}`, undefined, { cause: error });
  }
  const files = [...sink.files].map(([path, held]) => ({ path, bytes: held }));
  return { files: files.sort((a, b) => compare(a.path, b.path)), skipped: sink.skipped };
}

async function unpackInto(bytes: Uint8Array, sink: FileSink): Promise<void> {
  const kind = archiveKind(bytes);
  if (kind === "gzip") {
    const inflated = inflate(bytes, sink.limits);
    sink.unpacked(inflated.length);
    if (archiveKind(inflated) === "tar") await unpackArchive(inflated, "tar", sink.counting(false));
    else sink.keep(ONLY_FILE, inflated);
  } else if (kind !== "file") await unpackArchive(bytes, kind, sink);
}

function inflate(bytes: Uint8Array, { unpackedBytes }: ArchiveFilesLimits): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: unpackedBytes });
  } catch (error) {
    if (error instanceof RangeError) throw tooLarge(`more than ${unpackedBytes / 1_048_576} MiB when unpacked`);
    throw error;
  }
}

/** The order of code units: the same on every machine, whatever its language. */
function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

class FileSink implements ArchiveSink {
  readonly files = new Map<string, Uint8Array>();
  readonly skipped = new Map<string, number>();
  readonly maxFileBytes: number;
  #entries = 0;
  #unpacked = 0;
  #counts = true;

  constructor(readonly limits: ArchiveFilesLimits) {
    this.maxFileBytes = limits.unpackedBytes;
  }

  /** Whether what comes out is counted: it was, when it came out of one shell already. */
  counting(counts: boolean): this {
    this.#counts = counts;
    return this;
  }

  enter(all = 0): void {
    if (all === 0) this.#entries += 1;
    const { entries } = this.limits;
    if (Math.max(all, this.#entries) > entries) throw tooLarge(`more than ${entries} entries`);
  }

  unpacked(bytes: number): void {
    if (this.#counts) this.#unpacked += bytes;
    const { unpackedBytes } = this.limits;
    if (this.#unpacked > unpackedBytes) throw tooLarge(`more than ${unpackedBytes / 1_048_576} MiB when unpacked`);
  }

  skip(reason: string): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }

  keep(name: string, bytes: Uint8Array): void {
    const path = safePath(name);
    if (path === null) this.skip("unsafe_name");
    else if (SYSTEM_FILE.test(path)) this.skip("file_of_the_system");
    else this.#add(path, bytes);
  }

  #add(path: string, bytes: Uint8Array): void {
    // As when unpacking to a disk, the last one of a name stays.
    if (this.files.has(path)) this.skip("named_twice");
    else if (this.files.size >= this.limits.files) throw tooLarge(`more than ${this.limits.files} files`);
    this.files.set(path, bytes);
  }
}

function tooLarge(what: string): IngestError {
  return new IngestError("too_large", `the archive holds ${what}; upload it in pieces`);
}

/** The library's own words are about the format, but may hold a name from the archive. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "unknown reason";
  return message.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 120);
}
