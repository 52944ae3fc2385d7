import { createHash, randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import { database } from "./client";
import type { ProjectScope } from "./scope";
import { makeProject, withTestDatabase } from "./test-database";
import { CHUNK_BYTES, readRange, readWhole } from "./upload-bytes";
import { cleanName, openUpload, receiveUpload, removeAbandonedUploads } from "./uploads";

withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

const sha256 = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** A body in pieces of odd sizes, as a network gives it. */
function bodyOf(bytes: Uint8Array, pieceBytes = 70_001): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}

const send = (bytes: Uint8Array, over: Partial<Parameters<typeof receiveUpload>[1]> = {}, as = scope) =>
  receiveUpload(as, { name: "run.traj", body: bodyOf(bytes), contentLength: bytes.length, sha256: null, ...over });

async function countEverything(projectId: string): Promise<{ uploads: number; chunks: number; rows: number }> {
  return {
    uploads: await database().upload.count({ where: { projectId } }),
    chunks: await database().uploadChunk.count({ where: { upload: { projectId } } }),
    rows: await database().trajectory.count({ where: { projectId } }),
  };
}

async function countJobs(trajectoryId: string): Promise<number> {
  const found = await database().$queryRaw<{ count: bigint }[]>`
    SELECT count(*) FROM pgboss.job WHERE name = 'import-upload' AND data->>'trajectoryId' = ${trajectoryId}`;
  return Number(found[0]?.count);
}

describe("receiving an upload", () => {
  test("stores the bytes, the row and its job; gives the same bytes back", async () => {
    const bytes = randomBytes(2 * CHUNK_BYTES + 12_345);
    const answer = await send(bytes, { sha256: sha256(bytes), name: "a\u0000b/../run.traj" });
    expect(answer).toMatchObject({ duplicate: false, sha256: sha256(bytes), sizeBytes: bytes.length });

    const row = await database().trajectory.findUniqueOrThrow({ where: { id: answer.id }, include: { upload: true } });
    expect(row).toMatchObject({ status: "queued", name: "a b/../run.traj", projectId: scope.projectId });
    expect(row.upload).toMatchObject({ complete: true, sha256: sha256(bytes) });
    expect(await countJobs(answer.id)).toBe(1);

    expect(sha256(await readWhole(row.uploadId, bytes.length))).toBe(sha256(bytes));
    const opened = await openUpload(scope, answer.id);
    expect(sha256(new Uint8Array(await new Response(opened?.body).arrayBuffer()))).toBe(sha256(bytes));
    expect(opened?.sizeBytes).toBe(bytes.length);
  });

  test("reads a range over the edge of chunks", async () => {
    const bytes = randomBytes(2 * CHUNK_BYTES + 10);
    const { id } = await send(bytes);
    const { uploadId } = await database().trajectory.findUniqueOrThrow({ where: { id } });
    for (const [start, end] of [
      [0, 5],
      [CHUNK_BYTES - 3, CHUNK_BYTES + 3],
      [CHUNK_BYTES - 1, 2 * CHUNK_BYTES + 4],
      [2 * CHUNK_BYTES, 2 * CHUNK_BYTES + 10],
      [2 * CHUNK_BYTES + 5, 9 * CHUNK_BYTES],
      [-5, 0],
    ] as const) {
      const part = await readRange(uploadId, bytes.length, start, end);
      expect(Buffer.compare(part, bytes.subarray(Math.max(0, start), Math.max(0, end)))).toBe(0);
    }
  });

  test("an empty file becomes a row too, so that its import can say why it fails", async () => {
    const answer = await send(new Uint8Array(), { body: null });
    expect(answer.sizeBytes).toBe(0);
    expect(await countJobs(answer.id)).toBe(1);
  });

  test("the same bytes again answer with the first and store nothing", async () => {
    const bytes = randomBytes(300_000);
    const first = await send(bytes);
    const before = await countEverything(scope.projectId);
    const second = await send(bytes, { name: "another name.traj" });
    expect(second).toEqual({ ...first, duplicate: true });
    expect(await countEverything(scope.projectId)).toEqual(before);
    expect(await countJobs(first.id)).toBe(1);
  });

  test("the same bytes ten times at once make one row and one job", async () => {
    const as = await makeProject();
    const bytes = randomBytes(CHUNK_BYTES + 77);
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(bytes, {}, as)));
    expect(new Set(answers.map((answer) => answer.id)).size).toBe(1);
    expect(answers.filter((answer) => !answer.duplicate)).toHaveLength(1);
    expect(await countEverything(as.projectId)).toEqual({ uploads: 1, chunks: 2, rows: 1 });
    expect(await countJobs(answers[0]?.id ?? "")).toBe(1);
  });

  test("the same bytes in another project are that project's own", async () => {
    const bytes = randomBytes(1_000);
    const here = await send(bytes);
    const there = await send(bytes, {}, await makeProject());
    expect(there.duplicate).toBe(false);
    expect(there.id).not.toBe(here.id);
  });
});

describe("an upload that is refused leaves nothing behind", () => {
  const bytes = randomBytes(CHUNK_BYTES + 500);
  const broken = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes);
    },
    pull() {
      throw new Error("connection reset");
    },
  });
  test.each([
    ["a wrong SHA-256", { sha256: "0".repeat(64) }, "integrity"],
    ["fewer bytes than announced", { contentLength: bytes.length + 1 }, "integrity"],
    ["more bytes than announced", { contentLength: bytes.length - 1 }, "integrity"],
    ["an announced length over the limit", { contentLength: UPLOAD_MAX_BYTES + 1 }, "too_large"],
    ["a connection that ends", { body: broken }, "bad_request"],
  ])("%s", async (_, over, code) => {
    const as = await makeProject();
    await expect(send(bytes, over, as)).rejects.toMatchObject({ name: "AppError", code });
    expect(await countEverything(as.projectId)).toEqual({ uploads: 0, chunks: 0, rows: 0 });
  });

  test("U5: more bytes than the limit, unannounced, are refused by count and not read to the end", async () => {
    const as = await makeProject();
    const piece = new Uint8Array(8 * CHUNK_BYTES);
    let given = 0;
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        given += piece.length;
        controller.enqueue(piece);
      },
      cancel() {
        cancelled = true;
      },
    });
    await expect(send(piece, { body: endless, contentLength: null }, as)).rejects.toMatchObject({ code: "too_large" });
    expect(cancelled).toBe(true);
    expect(given).toBeLessThanOrEqual(UPLOAD_MAX_BYTES + 3 * piece.length);
    expect(await countEverything(as.projectId)).toEqual({ uploads: 0, chunks: 0, rows: 0 });
  });
});

test("uploads that a dead process left incomplete are removed after a day, others are not", async () => {
  const as = await makeProject();
  await send(randomBytes(10), {}, as);
  const old = new Date(Date.now() - 25 * 3_600_000);
  const base = { projectId: as.projectId, name: "x", sizeBytes: 0 };
  await database().upload.create({ data: { ...base, id: "abandoned", sha256: "pending:abandoned", createdAt: old } });
  await database().upload.create({ data: { ...base, id: "running", sha256: "pending:running" } });
  expect(await removeAbandonedUploads()).toBe(1);
  const left = await database().upload.findMany({ where: { projectId: as.projectId }, select: { complete: true } });
  expect(left).toHaveLength(2);
});

test("another project's upload cannot be downloaded", async () => {
  const { id } = await send(randomBytes(64));
  expect(await openUpload(await makeProject(), id)).toBeNull();
});

test.each([
  ["", "unnamed"],
  ["  \u0000\n ", "unnamed"],
  ["a\r\nSet-Cookie: x", "a  Set-Cookie: x"],
  ["half \ud800 pair", "half \ufffd pair"],
  ["x".repeat(300), "x".repeat(255)],
  ["<img onerror=alert(1)>.json", "<img onerror=alert(1)>.json"],
])("the name %j is kept as %j", (given, kept) => {
  expect(cleanName(given)).toBe(kept);
});
