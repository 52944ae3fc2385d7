import { IngestError } from "@/lib/errors";
import { type JsonLine, type LineSpan, lineSpans, parseLine } from "./json-lines";
import { type ParsedJson, parseJson } from "./safe-json";
import type { HeldDatabase, HeldFile, Source } from "./source";
import { isLog } from "./sqlite-log";
import { byteOrderMark, decodeUtf8 } from "./text-decoding";

/**
 * What an upload is before anyone asks whose it is. `start` is the offset after a byte order mark.
 * `document`: one JSON value; `lines`: JSON Lines, of which the first are parsed in `sample`; `text`: neither, with the
 * reason why it is not JSON when it looks like it; `files`: an archive or a folder; `database`: a file of SQLite.
 */
export type Content =
  | { kind: "document"; source: Source; start: number; json: ParsedJson; isOneLine: boolean }
  | { kind: "lines"; source: Source; start: number; sample: JsonLine[] }
  | { kind: "text"; source: Source; head: string; problem: IngestError | null }
  | { kind: "files"; source: Source; files: HeldFile[] }
  | { kind: "database"; source: Source; database: HeldDatabase };

/** Content that is JSON, as one document or line by line. */
export type JsonContent = Extract<Content, { kind: "document" | "lines" }>;

/** True for JSON, as one document or line by line. */
export function isJsonContent(content: Content): content is JsonContent {
  return content.kind === "document" || content.kind === "lines";
}

const SAMPLE_LINES = 200;
const SAMPLE_BYTES = 2 * 1024 * 1024;
const HEAD_BYTES = 64 * 1024;

/** Byte signatures of files that are not text, with what to do about them. */
const SIGNATURES: { bytes: number[]; name: string; advice: string }[] = [
  {
    bytes: [0x50, 0x4b, 0x03, 0x04],
    name: "a zip archive (or an Inspect .eval log)",
    advice: "unpack it and upload the traces inside",
  },
  { bytes: [0x1f, 0x8b], name: "a gzip file", advice: "unpack it first" },
  { bytes: [0x28, 0xb5, 0x2f, 0xfd], name: "a zstd file", advice: "unpack it first" },
  { bytes: [0x42, 0x5a, 0x68], name: "a bzip2 file", advice: "unpack it first" },
  { bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a], name: "an xz file", advice: "unpack it first" },
  { bytes: [0x50, 0x41, 0x52, 0x31], name: "a Parquet file", advice: "export its rows as JSON" },
  { bytes: [0xff, 0xfe], name: "UTF-16 text", advice: "save it as UTF-8" },
  { bytes: [0xfe, 0xff], name: "UTF-16 text", advice: "save it as UTF-8" },
];

/**
 * Decides what the upload is. A whole document is parsed here, once; of JSON Lines only the first lines are.
 * @throws IngestError `empty`, `unsupported_format` (archives, databases, Git LFS pointers) or `too_deep`.
 */
export function readContent(source: Source): Content {
  const { bytes, inside } = source;
  if (inside?.kind === "files") return { kind: "files", source, files: inside.files };
  if (inside?.kind === "database") return { kind: "database", source, database: inside.database };
  const start = byteOrderMark(bytes);
  refuseBinary(bytes);
  const first = lineSpans(bytes, start).next();
  if (first.done) throw new IngestError("empty", "the file is empty", { byte: 0, line: 1, pointer: null });

  const opener = bytes[first.value.start];
  if (opener !== 0x7b && opener !== 0x5b) return nonJson(source, start, null);

  // Two or more lines of which the first is complete in itself can only be JSON Lines.
  const rest = lineSpans(bytes.subarray(first.value.end));
  const hasMore = !rest.next().done;
  const firstLine = hasMore ? parseLine(bytes, first.value) : null;
  if (firstLine?.parsed) return lines(source, start);
  try {
    return { kind: "document", source, start, json: parseJson(bytes, start), isOneLine: !hasMore };
  } catch (error) {
    if (!(error instanceof IngestError)) throw error;
    if (!hasMore) return nonJson(source, start, error);
    return linesIfMost(source, start) ?? nonJson(source, start, error);
  }
}

/** The lines of the content, each parsed once: those of the sample are given as they were parsed for it. */
export function* contentLines(content: JsonContent): Generator<JsonLine> {
  const sample = content.kind === "lines" ? content.sample : [];
  yield* sample;
  const { bytes } = content.source;
  let seen = 0;
  for (const span of lineSpans(bytes, content.start)) if (seen++ >= sample.length) yield parseLine(bytes, span);
}

/** The values that stand alone: the lines of the sample that could be read, or the one value of a one-line document. */
export function sampleValues(content: Content): ParsedJson["value"][] {
  if (content.kind === "lines") return content.sample.flatMap((line) => (line.parsed ? [line.parsed.value] : []));
  return content.kind === "document" && content.isOneLine ? [content.json.value] : [];
}

function lines(source: Source, start: number): Extract<Content, { kind: "lines" }> {
  const sample = sampleSpans(source, start).map((span) => parseLine(source.bytes, span));
  return { kind: "lines", source, start, sample };
}

function sampleSpans({ bytes }: Source, start: number): LineSpan[] {
  const spans: LineSpan[] = [];
  for (const span of lineSpans(bytes, start)) {
    // One long line must not be parsed only to be sampled, unless nothing else would be known.
    if (spans.length > 0 && (spans.length >= SAMPLE_LINES || span.end - start > SAMPLE_BYTES)) break;
    spans.push(span);
  }
  return spans;
}

/** JSON Lines, when more than half of the sample is JSON. To find out why a line is not takes longer than to read one. */
function linesIfMost(source: Source, start: number): Extract<Content, { kind: "lines" }> | null {
  const spans = sampleSpans(source, start);
  const possible = spans.filter((span) => mayBeJson(source.bytes, span)).length;
  if (possible * 2 <= spans.length) return null;
  const content = lines(source, start);
  const good = content.sample.filter((line) => line.parsed !== null).length;
  return good * 2 > spans.length ? content : null;
}

/** Signs that no value starts with (`+` and `.` are left to the parser), and those that none ends with. */
const NO_START = signs(/[!#-*,/:-@A-HJ-MO-Z\\\]-eg-mo-su-z|}~]/);
const NO_END = signs(/[,:[{]/);

/** 1 for each byte that a pattern matches as a sign. */
function signs(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (pattern.test(String.fromCharCode(byte)) ? 1 : 0));
}

/** False for a line that cannot be JSON by its first or its last sign. */
function mayBeJson(bytes: Uint8Array, { start, end }: LineSpan): boolean {
  return NO_START[bytes[start] ?? 0] === 0 && NO_END[bytes[end - 1] ?? 0] === 0;
}

function nonJson(source: Source, start: number, problem: IngestError | null): Content {
  const { bytes } = source;
  if (problem?.code === "too_deep") throw problem;
  const sampled = problem ? null : linesIfMost(source, start);
  if (sampled) return sampled;
  return { kind: "text", source, head: decodeUtf8(bytes.subarray(start, start + HEAD_BYTES)).text, problem };
}

function refuseBinary(bytes: Uint8Array): void {
  const at = { byte: 0, line: null, pointer: null };
  const head = new TextDecoder("latin1").decode(bytes.subarray(0, 512));
  if (head.startsWith("SQLite format 3\u0000")) {
    throw new IngestError("unsupported_format", "this is an SQLite database; export the session as JSON first", at);
  }
  if (head.startsWith("version https://git-lfs.")) {
    throw new IngestError(
      "unsupported_format",
      "this is a Git LFS pointer, not the file itself; fetch the file with git lfs pull",
      at,
    );
  }
  if (isLog(bytes)) {
    throw new IngestError(
      "unsupported_format",
      "this is the write-ahead log of an SQLite database (its -wal file), which is nothing without it; drop it together with its database",
      at,
    );
  }
  if (head.slice(257, 262) === "ustar") {
    throw new IngestError("unsupported_format", "this is a tar archive; unpack it and upload the traces inside", at);
  }
  const known = SIGNATURES.find((signature) => signature.bytes.every((byte, n) => bytes[n] === byte));
  if (known) throw new IngestError("unsupported_format", `this is ${known.name}; ${known.advice}`, at);
}
