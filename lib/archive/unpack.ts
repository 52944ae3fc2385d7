import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import yauzl from "yauzl";
import { AppError, IngestError } from "@/lib/errors";

/** What bytes are, told by their first ones. */
export type ArchiveKind = "zip" | "gzip" | "tar" | "file";

/** Why an entry of an archive is not used. */
export type EntrySkip = "not_a_file" | "too_large" | "unreadable";

/**
 * Who takes what comes out of an archive. Everything is counted as it comes; what the archive says about its sizes is not
 * believed. Each may throw to stop the unpacking.
 */
export interface ArchiveSink {
  /** A larger file is skipped. */
  readonly maxFileBytes: number;
  /** Called before each entry; and once before the first, with the number of all, where the archive says it. */
  enter(all?: number): void;
  /** Bytes that came out, kept or not, also what stands between the entries. */
  unpacked(bytes: number): void;
  skip(reason: EntrySkip): void;
  /** A file with its name as the archive spells it. */
  keep(name: string, bytes: Uint8Array): void;
}

/** Tells by its bytes whether something is an archive; everything else is a file. */
export function archiveKind(bytes: Uint8Array): ArchiveKind {
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && (bytes[2] === 3 || bytes[2] === 5)) return "zip";
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) return "gzip";
  return isTar(bytes) ? "tar" : "file";
}

function isTar(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(257, 262)).toString("latin1") === "ustar";
}

/**
 * Takes a zip, a tar or a gzipped tar apart in memory. Links, devices and folders are skipped and counted; names are
 * given as they are.
 * @throws whatever the sink throws, and Error when the archive is damaged.
 */
export async function unpackArchive(bytes: Uint8Array, kind: "zip" | "gzip" | "tar", sink: ArchiveSink): Promise<void> {
  if (kind === "zip") await unpackZip(bytes, sink);
  else await unpackTar(bytes, kind === "gzip", sink);
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
async function* counted(stream: ByteStream, sink: ArchiveSink): AsyncGenerator<Uint8Array> {
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array)) throw new TypeError("an archive gave something that is not bytes");
    sink.unpacked(piece.length);
    yield piece;
  }
}

/** Reads one entry to its end, keeping no more than a file may have. */
async function readEntry(stream: ByteStream, sink: ArchiveSink): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of stream) {
    if (!(piece instanceof Uint8Array)) throw new TypeError("an archive gave something that is not bytes");
    size += piece.length;
    if (size <= sink.maxFileBytes) pieces.push(piece);
  }
  return size <= sink.maxFileBytes ? Buffer.concat(pieces) : null;
}

async function unpackTar(bytes: Uint8Array, isGzipped: boolean, sink: ArchiveSink): Promise<void> {
  const archive = extract();
  const consume = async (): Promise<void> => {
    for await (const entry of archive) {
      sink.enter();
      const { name, type } = entry.header;
      const content = await readEntry(entry, sink);
      if (type === "directory") continue;
      if (type !== "file" && type !== "contiguous-file") sink.skip("not_a_file");
      else if (content === null) sink.skip("too_large");
      else sink.keep(name, content);
    }
  };
  const source = Readable.from(slices(bytes));
  // All of it counts, not the entries alone: what stands between them is inflated too, and may be zeros without end.
  const count = (stream: ByteStream): AsyncGenerator<Uint8Array> => counted(stream, sink);
  const feeding = isGzipped ? pipeline(source, createGunzip(), count, archive) : pipeline(source, count, archive);
  // Whichever fails first is the reason; the other one then ends too, because the stream between them is destroyed.
  const [consumed, fed] = await Promise.allSettled([
    consume().catch((error: unknown) => {
      archive.destroy();
      throw error;
    }),
    feeding,
  ]);
  const isOurs =
    consumed.status === "rejected" && [AppError, IngestError].some((kind) => consumed.reason instanceof kind);
  if (isOurs) throw consumed.reason;
  if (fed.status === "rejected") throw fed.reason;
  if (consumed.status === "rejected") throw consumed.reason;
}

/** In pieces, so that a bomb is stopped between them and not after all of it was inflated. */
function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

const UNIX_TYPE_MASK = 0o170_000;
const UNIX_FILE = 0o100_000;

async function unpackZip(bytes: Uint8Array, sink: ArchiveSink): Promise<void> {
  // Names are checked by us (as labels), and sizes are counted by us.
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false };
  const zip = await yauzl.fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), options);
  try {
    // Each entry costs a decompressor of its own: too many are refused before the first.
    sink.enter(zip.entryCount);
    for await (const entry of zip.eachEntry()) {
      sink.enter();
      const name = entry.fileNameRaw.toString("utf8");
      if (name.endsWith("/")) continue;
      const unixType = (entry.externalFileAttributes >>> 16) & UNIX_TYPE_MASK;
      if (unixType !== 0 && unixType !== UNIX_FILE) {
        sink.skip("not_a_file");
        continue;
      }
      if (!entry.canDecodeFileData()) {
        sink.skip("unreadable");
        continue;
      }
      const content = await readEntry(counted(await zip.openReadStreamPromise(entry), sink), sink);
      if (content === null) sink.skip("too_large");
      else sink.keep(name, content);
    }
  } finally {
    zip.close();
  }
}
