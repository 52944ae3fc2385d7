import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HeldJob, JOB_RETRIES } from "@/lib/jobs";
import { database, pool } from "@/lib/store/client";
import type { ProjectScope } from "@/lib/store/scope";
import { makeProject } from "@/lib/store/test-database";
import { receiveUpload } from "@/lib/store/uploads";
import { failEveryCall } from "@/lib/test-support/every-call";
import { withProxiedDatabase } from "@/lib/test-support/proxied-database";
import { importUpload } from "./handlers/import-upload";
import { ImportThreads } from "./import-threads";
import { makeConversations, makeTrace } from "./test-trace";

const proxy = withProxiedDatabase();
let scope: ProjectScope;
let threads: ImportThreads;
beforeAll(async () => {
  scope = await makeProject();
  threads = new ImportThreads({ heapMib: 512, timeoutMs: 60_000 });
});
afterAll(() => threads.stop());

interface Sent {
  id: string;
  job: HeldJob;
}

async function send(seed: string, bytes = makeTrace(seed, 6, { observationChars: 9_000 })): Promise<Sent> {
  const body = new Blob([new Uint8Array(bytes)]).stream();
  const { id } = await receiveUpload(scope, { name: seed, body, contentLength: bytes.length, sha256: null });
  const data = { projectId: scope.projectId, trajectoryId: id };
  const { signal } = new AbortController();
  const claim = { retryCount: 0, retryLimit: JOB_RETRIES, expireInSeconds: 60, heartbeatSeconds: 12, signal };
  return { id, job: { id: randomUUID(), name: "import-upload", data, ...claim } };
}

const TABLES = ["Import", "Turn", "Context", "ItemText", "File", "FileVersion", "Write", "Analysis"];

/** The rows that hang on a trajectory's imports, by table; empty when there are none. */
async function rowsOf(trajectoryId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of TABLES) {
    const key = table === "Import" ? "id" : "importId";
    const { rows } = await pool().query<{ count: string }>(
      `SELECT count(*) FROM "${table}" WHERE "${key}" IN (SELECT "id" FROM "Import" WHERE "trajectoryId" = $1)`,
      [trajectoryId],
    );
    const count = Number(rows[0]?.count);
    if (count > 0) counts[table] = count;
  }
  return counts;
}

test("R5: the n-th database call of an import fails, for every n: all of it is there or nothing, and again makes it whole", {
  timeout: 300_000,
}, async () => {
  const statusOf = async (id: string) => {
    const { status, failure } = await database().trajectory.findUniqueOrThrow({ where: { id } });
    return { status, failure };
  };
  const whole = await send("the measure");
  await importUpload(whole.job, threads);
  const all = await rowsOf(whole.id);
  expect(all).toMatchObject({ Import: 1, Turn: 6, ItemText: 3, Analysis: 1 });

  const calls = await failEveryCall(
    proxy(),
    send,
    ({ job }) => importUpload(job, threads),
    async ({ id, job }, { nth, fault, error }) => {
      const left = await rowsOf(id);
      const { status, failure } = await statusOf(id);
      const where = `${fault} at ${nth}: ${error}`;
      expect([{}, all], where).toContainEqual(left);
      // Nothing that may pass is put on the row as a reason; the queue tries again when an error says so.
      expect(failure, where).toBeNull();
      if (status === "ready" || error === null) expect({ status, left }, where).toEqual({ status: "ready", left: all });
      await importUpload(job, threads);
      expect({ ...(await statusOf(id)), rows: await rowsOf(id) }, where).toEqual({
        status: "ready",
        failure: null,
        rows: all,
      });
    },
  );
  // Reading, beginning, progress, and a statement a table.
  expect(calls).toBeGreaterThan(15);
});

test("R5: the n-th database call fails while a file is taken apart, for every n: all parts and their jobs are there or none", {
  timeout: 300_000,
}, async () => {
  const stateOf = async (id: string) => {
    const { status, failure } = await database().trajectory.findUniqueOrThrow({ where: { id } });
    const { rows } = await pool().query<{ parts: number; jobs: number }>(
      `SELECT count(DISTINCT t."id")::int AS "parts", count(j."id")::int AS "jobs"
       FROM "Trajectory" t LEFT JOIN pgboss.job j ON j."name" = 'import-upload' AND j."data"->>'trajectoryId' = t."id"
       WHERE t."parentId" = $1`,
      [id],
    );
    return { status, failure, ...rows[0] };
  };
  const all = { status: "several", failure: null, parts: 3, jobs: 3 };
  const calls = await failEveryCall(
    proxy(),
    (name) => send(name, makeConversations([`${name} a`, `${name} b`, `${name} c`])),
    ({ job }) => importUpload(job, threads),
    async ({ id, job }, { nth, fault, error }) => {
      const left = await stateOf(id);
      const where = `${fault} at ${nth}: ${error}`;
      expect([{ ...left, parts: 0, jobs: 0 }, all], where).toContainEqual(left);
      expect(left.failure, where).toBeNull();
      if (left.status === "several" || error === null) expect(left, where).toEqual(all);
      await importUpload(job, threads);
      expect(await stateOf(id), where).toEqual(all);
    },
  );
  // Beginning, reading, and a statement each for the file, its parts and their jobs.
  expect(calls).toBeGreaterThan(8);
});
