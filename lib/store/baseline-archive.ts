import { type ArchiveSink, archiveKind, type EntrySkip, safePath, unpackArchive } from "@/lib/archive/unpack";
import { BASELINE_MAX_BYTES, BASELINE_MAX_FILES, UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import { AppError } from "@/lib/errors";

/** Why an entry of an archive is not used. */
export type SkipReason = EntrySkip | "unsafe_name" | "not_text" | "named_twice";

/** A file as it arrived: `name` is its path in the repository, as a person gave it. */
export interface Part {
  name: string;
  bytes: Uint8Array;
}

export interface Unpacked {
  /** Text by path, as the archive spells it with `/`. A Map, because a file may be called `__proto__`. */
  files: Map<string, string>;
  skipped: Map<SkipReason, number>;
  /** True when all of it came out of one archive. */
  isArchive: boolean;
}

export interface ArchiveLimits {
  /** Entries looked at, used or not. */
  entries: number;
  files: number;
  /** Bytes of text kept. */
  textBytes: number;
  /** Bytes that may come out of the archive, kept or not, counted while they come. */
  unpackedBytes: number;
  /** A larger file is skipped. */
  fileBytes: number;
}

export const ARCHIVE_LIMITS: ArchiveLimits = {
  entries: 100_000,
  files: BASELINE_MAX_FILES,
  textBytes: BASELINE_MAX_BYTES,
  unpackedBytes: UPLOAD_MAX_BYTES,
  fileBytes: 8 * 1024 * 1024,
};

/**
 * Reads what a person attached: each part is a zip, a tar, a gzipped tar (told apart by their bytes), or else a file.
 * Nothing is written to disk; names are labels. Links, devices, folders, names that climb, and files that are not UTF-8
 * text are skipped and counted.
 * @throws AppError `too_large` beyond a limit, `bad_request` when an archive is damaged.
 */
export async function unpack(parts: readonly Part[], limits = ARCHIVE_LIMITS): Promise<Unpacked> {
  const collector = new Collector(limits);
  try {
    for (const part of parts) await unpackPart(part, collector);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError("bad_request", `The archive cannot be read: ${reasonOf(error)}.`, { cause: error });
  }
  const isArchive = parts.length === 1 && parts.every((part) => archiveKind(part.bytes) !== "file");
  return { files: collector.files, skipped: collector.skipped, isArchive };
}

async function unpackPart({ name, bytes }: Part, collector: Collector): Promise<void> {
  const kind = archiveKind(bytes);
  if (kind === "file") collector.keep(name, bytes);
  else await unpackArchive(bytes, kind, collector);
}

/** What an unpacker may say to a person: its own words are about the format, but may hold a name from the archive. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "unknown reason";
  return message.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 120);
}

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

class Collector implements ArchiveSink {
  readonly files = new Map<string, string>();
  readonly skipped = new Map<SkipReason, number>();
  readonly limits: ArchiveLimits;
  #entries = 0;
  #unpacked = 0;
  #text = 0;

  constructor(limits: ArchiveLimits) {
    this.limits = limits;
  }

  get maxFileBytes(): number {
    return this.limits.fileBytes;
  }

  /** Counts an entry, used or not. */
  enter(all = 0): void {
    if (all === 0) this.#entries += 1;
    if (Math.max(all, this.#entries) > this.limits.entries) throw tooManyEntries(this.limits);
  }

  /** Counts bytes as they come out; what the archive says about its sizes is not believed. */
  unpacked(bytes: number): void {
    this.#unpacked += bytes;
    if (this.#unpacked > this.limits.unpackedBytes) {
      throw tooLarge(`more than ${this.limits.unpackedBytes / 1_048_576} MiB when unpacked`);
    }
  }

  skip(reason: SkipReason): void {
    this.skipped.set(reason, (this.skipped.get(reason) ?? 0) + 1);
  }

  keep(name: string, bytes: Uint8Array): void {
    const path = safePath(name);
    const text = bytes.length > this.limits.fileBytes ? null : asText(bytes);
    if (path === null) this.skip("unsafe_name");
    else if (bytes.length > this.limits.fileBytes) this.skip("too_large");
    else if (text === null) this.skip("not_text");
    else this.#add(path, text, bytes.length);
  }

  #add(path: string, text: string, sizeBytes: number): void {
    // As when unpacking to a disk, the last one of a name stays.
    if (this.files.has(path)) this.skip("named_twice");
    else if (this.files.size >= this.limits.files) throw tooLarge(`more than ${this.limits.files} files`);
    this.#text += sizeBytes;
    if (this.#text > this.limits.textBytes)
      throw tooLarge(`more than ${this.limits.textBytes / 1_048_576} MiB of text`);
    this.files.set(path, text);
  }
}

function tooLarge(what: string): AppError {
  return new AppError("too_large", `The attached input holds ${what}.`);
}

function tooManyEntries({ entries }: ArchiveLimits): AppError {
  return tooLarge(`more than ${entries} entries`);
}

function asText(bytes: Uint8Array): string | null {
  if (bytes.includes(0)) return null;
  try {
    return DECODER.decode(bytes);
  } catch {
    // Not UTF-8: a picture, a compiled file, another encoding. Counted by the caller.
    return null;
  }
}
