import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import { AppError } from "@/lib/errors";
import { pool } from "./client";

/** Bytes of an upload in one row of `UploadChunk`; only the last chunk is shorter. */
export const CHUNK_BYTES = 1024 * 1024;

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

/** One chunk as it is stored. Quality 1: faster and smaller than gzip on every trace format we measured. */
export async function encodeChunk(bytes: Uint8Array): Promise<Buffer> {
  return compress(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 1,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** The bytes of a stored chunk. Never more than CHUNK_BYTES, whatever the row says. */
export async function decodeChunk(data: Uint8Array): Promise<Buffer> {
  // Room for all of it and one byte, so that it comes in one piece: 64 pieces and their join were as much memory again.
  return decompress(data, { maxOutputLength: CHUNK_BYTES, chunkSize: CHUNK_BYTES + 1 });
}

/** Stores chunk `n` of an upload that is being received. */
export async function storeChunk(uploadId: string, n: number, bytes: Uint8Array): Promise<void> {
  const data = await encodeChunk(bytes);
  await pool().query('INSERT INTO "UploadChunk" ("uploadId", "n", "data") VALUES ($1, $2, $3)', [uploadId, n, data]);
}

/**
 * The chunks of an upload in order, from chunk `first`, one query each, so that memory holds one at a time.
 * The caller has checked the right to read this upload.
 * @throws AppError `integrity` when a chunk is missing before `sizeBytes` bytes were given.
 */
export async function* readChunks(uploadId: string, sizeBytes: number, first = 0): AsyncGenerator<Buffer> {
  const count = Math.ceil(sizeBytes / CHUNK_BYTES);
  for (let n = first; n < count; n++) {
    const found = await pool().query<{ data: Buffer }>(
      'SELECT "data" FROM "UploadChunk" WHERE "uploadId" = $1 AND "n" = $2',
      [uploadId, n],
    );
    const row = found.rows[0];
    const bytes = row ? await decodeChunk(row.data) : null;
    const expected = n === count - 1 ? sizeBytes - n * CHUNK_BYTES : CHUNK_BYTES;
    if (bytes === null || bytes.length !== expected) {
      throw new AppError("integrity", `Part ${n + 1} of ${count} of the stored upload is missing or damaged.`);
    }
    yield bytes;
  }
}

/** The whole upload in memory, for the importer. Units: bytes. */
export async function readWhole(uploadId: string, sizeBytes: number): Promise<Uint8Array> {
  const whole = new Uint8Array(sizeBytes);
  let at = 0;
  for await (const chunk of readChunks(uploadId, sizeBytes)) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/**
 * Bytes `start` to `end` (exclusive) of an upload; reads only the chunks that hold them. Positions outside the upload are
 * cut to it. The caller has checked the right to read this upload.
 */
export async function readRange(uploadId: string, sizeBytes: number, start: number, end: number): Promise<Uint8Array> {
  const from = Math.min(Math.max(0, start), sizeBytes);
  const to = Math.min(Math.max(from, end), sizeBytes);
  if (from === to) return new Uint8Array();
  const first = Math.floor(from / CHUNK_BYTES);
  const part = new Uint8Array(to - from);
  let chunkStart = first * CHUNK_BYTES;
  for await (const chunk of readChunks(uploadId, sizeBytes, first)) {
    const head = Math.max(0, from - chunkStart);
    const piece = chunk.subarray(head, Math.min(chunk.length, to - chunkStart));
    part.set(piece, chunkStart + head - from);
    chunkStart += chunk.length;
    if (chunkStart >= to) break;
  }
  return part;
}
