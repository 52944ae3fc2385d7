import { createHash } from "node:crypto";
import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import { AppError } from "@/lib/errors";
import { enqueueImport, fromPrisma, prepareQueue } from "@/lib/jobs";
import type { GivenChange } from "@/lib/views/failure";
import type { UploadAnswer } from "@/lib/views/trajectory-list";
import { recordAudit } from "./audit";
import { database, pool } from "./client";
import { Prisma } from "./generated/client";
import { cleanChange } from "./given-change";
import { giveFailure, giverOf } from "./given-failure";
import { newId } from "./identifiers";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";
import { CHUNK_BYTES, readChunks, storeChunk } from "./upload-bytes";

export interface Incoming {
  /** As the client gave it: a label. */
  name: string;
  body: ReadableStream<Uint8Array> | null;
  /** What the client announced; null when it did not. */
  contentLength: number | null;
  /** Hex, lower case, as the client computed it; null when it did not. */
  sha256: string | null;
  /** A run that we wrote is marked as an example. */
  isDemo?: boolean;
  /** What the person who sends it says about the failure. */
  given?: GivenChange;
}

/**
 * Receives an upload: stores the bytes in chunks as they arrive, compares length and SHA-256 with what was announced, and
 * makes the list row and its import job in one transaction. The same bytes again in the same project store nothing and
 * answer with the first, also when both arrive at once.
 * @throws AppError `too_large` by the announced length or by count, `integrity` when bytes are missing or differ,
 *   `bad_request` when the client went away.
 */
export async function receiveUpload(scope: ProjectScope, incoming: Incoming): Promise<UploadAnswer> {
  checkProjectScope(scope);
  if (incoming.contentLength !== null && incoming.contentLength > UPLOAD_MAX_BYTES) throw tooLarge();
  // Refused before a byte is stored.
  cleanChange(incoming.given ?? {});
  await prepareQueue();
  const uploadId = newId();
  await database().upload.create({
    data: {
      id: uploadId,
      projectId: scope.projectId,
      // The hash is known at the end; until then the unique column holds something that is no hash.
      sha256: `pending:${uploadId}`,
      name: cleanName(incoming.name),
      sizeBytes: 0,
    },
  });
  try {
    const received = await storeBody(uploadId, incoming);
    const first = await findComplete(scope, received.sha256);
    if (first !== null) return await answerDuplicate(scope, uploadId, first, received, incoming);
    try {
      return await finish(scope, uploadId, incoming, received);
    } catch (error) {
      // Somebody else finished the same bytes between the look and the write.
      const winner = isUniqueViolation(error) ? await findComplete(scope, received.sha256) : null;
      if (winner === null) throw error;
      return await answerDuplicate(scope, uploadId, winner, received, incoming);
    }
  } catch (error) {
    // What cannot be taken back now goes with the abandoned ones; the caller hears what happened first.
    await database()
      .upload.deleteMany({ where: { id: uploadId, complete: false } })
      .catch(() => undefined);
    throw error;
  }
}

interface Received {
  sha256: string;
  sizeBytes: number;
}

async function storeBody(uploadId: string, incoming: Incoming): Promise<Received> {
  const hash = createHash("sha256");
  const chunk = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  let n = 0;
  let sizeBytes = 0;
  // One chunk is compressed and written while the next one arrives.
  let writing: Promise<void> = Promise.resolve();
  const flush = async (): Promise<void> => {
    const part = chunk.slice(0, filled);
    filled = 0;
    await writing;
    writing = storeChunk(uploadId, n++, part);
    // Awaited at the next flush; without this an early failure would count as unhandled.
    writing.catch(() => undefined);
  };
  for await (const piece of readBody(incoming.body)) {
    sizeBytes += piece.length;
    if (sizeBytes > UPLOAD_MAX_BYTES) {
      await writing;
      throw tooLarge();
    }
    hash.update(piece);
    for (let at = 0; at < piece.length; ) {
      const take = Math.min(piece.length - at, CHUNK_BYTES - filled);
      chunk.set(piece.subarray(at, at + take), filled);
      filled += take;
      at += take;
      if (filled === CHUNK_BYTES) await flush();
    }
  }
  if (filled > 0) await flush();
  await writing;
  const sha256 = hash.digest("hex");
  if (incoming.contentLength !== null && incoming.contentLength !== sizeBytes) {
    throw new AppError(
      "integrity",
      `The upload did not arrive whole: ${sizeBytes} of ${incoming.contentLength} bytes. Send it again.`,
    );
  }
  if (incoming.sha256 !== null && incoming.sha256 !== sha256) {
    throw new AppError(
      "integrity",
      "The bytes that arrived are not the bytes that were sent (SHA-256). Send it again.",
    );
  }
  return { sha256, sizeBytes };
}

async function* readBody(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  let ended = false;
  try {
    for (;;) {
      const next = await reader.read();
      if (next.done) break;
      yield next.value;
    }
    ended = true;
  } catch (error) {
    ended = true;
    throw new AppError("bad_request", "The connection ended before the upload was complete.", { cause: error });
  } finally {
    // Refused half-way: the rest is not wanted. That the other side may be gone by then changes nothing.
    if (!ended) await reader.cancel().catch(() => undefined);
  }
}

async function finish(
  scope: ProjectScope,
  uploadId: string,
  incoming: Incoming,
  received: Received,
): Promise<UploadAnswer> {
  const trajectoryId = newId();
  const { given } = cleanChange(incoming.given ?? {});
  await database().$transaction(async (tx) => {
    await tx.upload.update({
      where: { id: uploadId },
      data: { sha256: received.sha256, sizeBytes: received.sizeBytes, complete: true },
    });
    await tx.trajectory.create({
      data: {
        id: trajectoryId,
        projectId: scope.projectId,
        uploadId,
        name: cleanName(incoming.name),
        status: "queued",
        isDemo: incoming.isDemo ?? false,
        givenOutcome: given.get("outcome") ?? null,
        sizeBytes: received.sizeBytes,
      },
    });
    const by = { givenBy: giverOf(scope), givenByName: scope.actor.name };
    await tx.givenPart.createMany({ data: [...given].map(([part, text]) => ({ trajectoryId, part, text, ...by })) });
    const data = { ...received, ...(given.size > 0 ? { given: [...given.keys()] } : {}) };
    await recordAudit(scope, { action: "upload.create", subject: trajectoryId, data }, tx);
    await enqueueImport(fromPrisma(tx), { projectId: scope.projectId, trajectoryId });
  });
  return { id: trajectoryId, duplicate: false, partCount: null, givenRefused: null, ...received };
}

/** The row that the same bytes have already. */
interface FirstRow {
  id: string;
  partCount: number | null;
}

async function findComplete(scope: ProjectScope, sha256: string): Promise<FirstRow | null> {
  const found = await database().upload.findFirst({
    where: { projectId: scope.projectId, sha256, complete: true },
    // The file's own row; those of its parts hang below that.
    select: { trajectories: { where: { parentId: null }, select: { id: true, partCount: true } } },
  });
  return found?.trajectories[0] ?? null;
}

/** What was said with bytes that are there is said about what they became; that it cannot be is no reason to refuse them. */
async function answerDuplicate(
  scope: ProjectScope,
  uploadId: string,
  first: FirstRow,
  received: Received,
  { given = {} }: Incoming,
): Promise<UploadAnswer> {
  await database().upload.deleteMany({ where: { id: uploadId, complete: false } });
  let givenRefused: string | null = null;
  if (Object.keys(given).length > 0) {
    await giveFailure(scope, first.id, given).catch((error: unknown) => {
      if (!(error instanceof AppError) || error.code !== "conflict") throw error;
      givenRefused = error.message;
    });
  }
  return { id: first.id, duplicate: true, partCount: first.partCount, givenRefused, ...received };
}

/**
 * The stored bytes of a trajectory's upload, for download, whether its import went well or not. For one trajectory of a file
 * with several it is the whole file, under the file's name.
 */
export async function openUpload(
  scope: ProjectScope,
  trajectoryId: unknown,
): Promise<{ name: string; sizeBytes: number; body: ReadableStream<Uint8Array> } | null> {
  checkProjectScope(scope);
  const row = await database().trajectory.findFirst({
    where: { id: checkId(trajectoryId), projectId: scope.projectId },
    select: { id: true, upload: { select: { id: true, name: true, sizeBytes: true } } },
  });
  if (!row) return null;
  await recordAudit(scope, { action: "upload.download", subject: row.id });
  const sizeBytes = Number(row.upload.sizeBytes);
  const chunks = readChunks(row.upload.id, sizeBytes);
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
  return { name: row.upload.name, sizeBytes, body };
}

/**
 * Removes uploads that never became complete (a process that died while receiving one). Called by the worker.
 * @returns how many were removed.
 */
export async function removeAbandonedUploads(olderThanHours = 24): Promise<number> {
  const before = new Date(Date.now() - olderThanHours * 3_600_000);
  // By pg: a worker never loads the compiler of queries (import-status.ts).
  const { rowCount } = await pool().query('DELETE FROM "Upload" WHERE NOT "complete" AND "createdAt" < $1', [
    before.toISOString(),
  ]);
  return rowCount ?? 0;
}

/** A name that can be stored and shown as one line: no control characters, no lone surrogates, at most 255 characters. */
export function cleanName(name: string): string {
  const line = name
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, " ")
    .slice(0, 255)
    .replaceAll(/[\ud800-\udfff]/gu, "\ufffd")
    .trim();
  return line === "" ? "unnamed" : line;
}

function tooLarge(): AppError {
  return new AppError("too_large", `An upload may have at most ${UPLOAD_MAX_BYTES / 1024 / 1024} MiB.`);
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Prisma.PrismaClientKnownRequestError && error.code === "P2002";
}
