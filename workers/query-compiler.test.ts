import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { beforeAll, expect, test } from "vitest";
import { pool } from "@/lib/store/client";
import type { ProjectScope } from "@/lib/store/scope";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import { jobOf, PATIENT, send, statusOf } from "./test-jobs";
import { makeConversations, makeTrace } from "./test-trace";
import { startWorker, type WorkerProcess } from "./worker-process";

const { url } = withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

/** Required by node in a process, its threads and its children: whoever compiles WebAssembly in them meets this instead. */
const REFUSAL = "this process compiles no WebAssembly";
const PRELOAD = `WebAssembly.Module = class { constructor() { throw new Error(${JSON.stringify(REFUSAL)}); } };`;

test("a worker never loads the compiler of Prisma's queries, whatever becomes of an import", {
  timeout: 240_000,
}, async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), "misstep-preload-"));
  let worker: WorkerProcess | null = null;
  try {
    const preload = path.join(folder, "preload.cjs");
    writeFileSync(preload, PRELOAD);
    const good = await send(scope, makeTrace("good", 6, { observationChars: 9_000 }));
    const several = await send(scope, makeConversations(["one", "two"]), "rows.jsonl");
    const bad = await send(scope, new TextEncoder().encode("this is no trace\n"));
    await pool().query(
      `INSERT INTO "Upload" ("id", "projectId", "sha256", "name", "sizeBytes", "createdAt")
       VALUES ('abandoned', $1, 'pending:abandoned', 'half', 0, now() - interval '2 days')`,
      [scope.projectId],
    );
    worker = await startWorker(url(), { NODE_OPTIONS: `--require ${JSON.stringify(preload)}` });
    await expect.poll(() => statusOf(good), PATIENT).toBe("ready");
    await expect.poll(() => statusOf(bad), PATIENT).toBe("failed");
    await expect.poll(() => statusOf(several), PATIENT).toBe("several");
    const partsReady = async () =>
      (await pool().query(`SELECT 1 FROM "Trajectory" WHERE "parentId" = $1 AND "status" = 'ready'`, [several]))
        .rowCount;
    await expect.poll(partsReady, PATIENT).toBe(2);
    await expect.poll(() => jobOf(good), PATIENT).toMatchObject({ state: "completed", retries: 0 });
    await expect.poll(() => jobOf(bad), PATIENT).toMatchObject({ state: "completed", retries: 0 });
    const abandoned = async () => (await pool().query(`SELECT 1 FROM "Upload" WHERE "id" = 'abandoned'`)).rowCount;
    await expect.poll(abandoned, PATIENT).toBe(0);
    expect(await worker.end("SIGTERM")).toBe(0);
    // Progress that is not shown and a sign-off that fails are only logged.
    expect(worker.log()).not.toContain(REFUSAL);
    expect((await pool().query('SELECT 1 FROM "WorkerHeartbeat"')).rowCount).toBe(0);
  } finally {
    await worker?.end("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  }
});
