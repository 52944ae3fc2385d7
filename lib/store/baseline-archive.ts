import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import yauzl from "yauzl";
import { BASELINE_MAX_BYTES, BASELINE_MAX_FILES, UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import { AppError } from "@/lib/errors";

/** Why an entry of an archive is not used. */
export type SkipReason = "not_a_file" | "unsafe_name" | "not_text" | "too_large" | "unreadable" | "named_twice";

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
  const isArchive = parts.length === 1 && parts.every((part) => kindOf(part.bytes) !== "file");
  return { files: collector.files, skipped: collector.skipped, isArchive };
}

async function unpackPart({ name, bytes }: Part, collector: Collector): Promise<void> {
  const kind = kindOf(bytes);
  if (kind === "zip") await unpackZip(bytes, collector);
  else if (kind === "file") collector.keep(name, bytes);
  else await unpackTar(bytes, kind === "gzip", collector);
}

function kindOf(bytes: Uint8Array): "zip" | "gzip" | "tar" | "file" {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)) return "zip";
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip";
  if (Buffer.from(bytes.subarray(257, 262)).toString("latin1") === "ustar") return "tar";
  return "file";
}

/** What an unpacker may say to a person: its own words are about the format, but may hold a name from the archive. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "unknown reason";
  return message.replaceAll(/[^\x20-\x7e]/g, "?").slice(0, 120);
}

const DECODER = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

class Collector {
  readonly files = new Map<string, string>();
  readonly skipped = new Map<SkipReason, number>();
  readonly limits: ArchiveLimits;
  #entries = 0;
  #unpacked = 0;
  #text = 0;

  constructor(limits: ArchiveLimits) {
    this.limits = limits;
  }

  /** Counts an entry, used or not. */
  enter(): void {
    this.#entries += 1;
    if (this.#entries > this.limits.entries) throw tooManyEntries(this.limits);
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

/** A relative path with `/`, or null for names that are absolute, climb, or hold what no path holds. */
export function safePath(name: string): string | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is refused
  if (name.length > 1_024 || /[\u0000-\u001f\u007f]/.test(name) || /[\ud800-\udfff]/u.test(name)) return null;
  const slashed = name.replaceAll("\\", "/");
  if (slashed.startsWith("/") || /^[A-Za-z]:/.test(slashed)) return null;
  const parts = slashed.split("/").filter((part) => part !== "" && part !== ".");
  return parts.length === 0 || parts.includes("..") ? null : parts.join("/");
}

/** Both unpackers give streams of Node, but each brings its own type of them. */
type ByteStream = { [Symbol.asyncIterator](): AsyncIterator<unknown> };

/** The bytes of a stream, counted as what came out of an archive. */
async function* counted(stream: ByteStream, collector: Collector): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array)) throw new TypeError("an archive gave something that is not bytes");
    collector.unpacked(piece.length);
    yield piece;
  }
}

/** Reads one entry to its end, keeping no more than a file may have. */
async function readEntry(stream: ByteStream, collector: Collector): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array)) throw new TypeError("an archive gave something that is not bytes");
    size += piece.length;
    if (size <= collector.limits.fileBytes) pieces.push(piece);
  }
  return size <= collector.limits.fileBytes ? Buffer.concat(pieces) : null;
}

async function unpackTar(bytes: Uint8Array, isGzipped: boolean, collector: Collector): Promise<void> {
  const archive = extract();
  const consume = async (): Promise<void> => {
    for await (const entry of archive) {
      collector.enter();
      const { name, type } = entry.header;
      const content = await readEntry(entry, collector);
      if (type === "directory") continue;
      if (type !== "file" && type !== "contiguous-file") collector.skip("not_a_file");
      else if (content === null) collector.skip("too_large");
      else collector.keep(name, content);
    }
  };
  const source = Readable.from(slices(bytes));
  // All of it counts, not the entries alone: what stands between them is inflated too, and may be zeros without end.
  const count = (stream: ByteStream): AsyncGenerator<Uint8Array> => counted(stream, collector);
  const feeding = isGzipped ? pipeline(source, createGunzip(), count, archive) : pipeline(source, count, archive);
  // Whichever fails first is the reason; the other one then ends too, because the stream between them is destroyed.
  const [consumed, fed] = await Promise.allSettled([
    consume().catch((error: unknown) => {
      archive.destroy();
      throw error;
    }),
    feeding,
  ]);
  if (consumed.status === "rejected" && consumed.reason instanceof AppError) throw consumed.reason;
  if (fed.status === "rejected") throw fed.reason;
  if (consumed.status === "rejected") throw consumed.reason;
}

/** In pieces, so that a bomb is stopped between them and not after all of it was inflated. */
function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

const UNIX_TYPE_MASK = 0o170_000;
const UNIX_FILE = 0o100_000;

async function unpackZip(bytes: Uint8Array, collector: Collector): Promise<void> {
  // Names are checked by us (as labels), and sizes are counted by us.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), options);
  try {
    // Each entry costs a decompressor of its own: too many are refused before the first.
    if (zip.entryCount > collector.limits.entries) throw tooManyEntries(collector.limits);
    for await (const entry of zip.eachEntry()) {
      collector.enter();
      const name = entry.fileNameRaw.toString("utf8");
      if (name.endsWith("/")) continue;
      const unixType = (entry.externalFileAttributes >>> 16) & UNIX_TYPE_MASK;
      if (unixType !== 0 && unixType !== UNIX_FILE) {
        collector.skip("not_a_file");
        continue;
      }
      if (!entry.canDecodeFileData()) {
        collector.skip("unreadable");
        continue;
      }
      const content = await readEntry(counted(await zip.openReadStreamPromise(entry), collector), collector);
      if (content === null) collector.skip("too_large");
      else collector.keep(name, content);
    }
  } finally {
    zip.close();
  }
}
