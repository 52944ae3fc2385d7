import { beforeAll, describe, expect, test } from "vitest";
import { prepareQueue } from "@/lib/jobs";
import { type Attempt, failEveryCall } from "@/lib/test-support/every-call";
import { withProxiedDatabase } from "@/lib/test-support/proxied-database";
import { readSource } from "@/workers/import-pipeline";
import { makeTrace } from "@/workers/test-trace";
import { attachBaseline } from "./baselines";
import { database, pool } from "./client";
import { newId } from "./identifiers";
import { retryImport } from "./import-status";
import { storeImport } from "./imports";
import type { ProjectScope } from "./scope";
import { createShare, openShare } from "./shares";
import { makeProject } from "./test-database";
import { receiveUpload, removeAbandonedUploads } from "./uploads";

const proxy = withProxiedDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
  await prepareQueue();
});

const bodyOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)]).stream();
const upload = (bytes: Uint8Array) =>
  receiveUpload(scope, { name: "run.traj", body: bodyOf(bytes), contentLength: bytes.length, sha256: null });

const FAILURE = { code: "malformed", message: "cut", byte: 1, line: null, pointer: null };

/** A trajectory that is imported. */
async function imported(seed: string): Promise<string> {
  const bytes = makeTrace(seed, 3);
  const { id } = await upload(bytes);
  const result = await readSource({ name: seed, bytes }, { baseline: null, outcome: null }, () => undefined);
  await storeImport(scope, { trajectoryId: id, jobId: newId() }, result);
  return id;
}

async function count(sql: string, ...values: string[]): Promise<number> {
  const { rows } = await pool().query<{ count: string }>(`SELECT count(*) FROM ${sql}`, values);
  return Number(rows[0]?.count);
}

/** What stands on the row of a trajectory and beside it. */
async function stateOf(id: string): Promise<Record<string, string | number>> {
  const row = await database().trajectory.findUniqueOrThrow({ where: { id } });
  return {
    status: row.status,
    jobs: await count(`pgboss.job WHERE name = 'import-upload' AND data->>'trajectoryId' = $1`, id),
    files: await count('"BaselineFile" WHERE "trajectoryId" = $1', id),
    records: await count(`"AuditEvent" WHERE "subject" = $1 AND "action" <> 'upload.create'`, id),
  };
}

/** The state is the old or the new one; the new one when the caller was told so. */
function expectWhole<T>(state: T, attempt: Attempt, oldState: T, newState: T): void {
  const { nth, fault, error } = attempt;
  if (error === null) expect(state, `${fault} at ${nth}, and no error`).toEqual(newState);
  else expect([oldState, newState], `${fault} at ${nth}: ${error}`).toContainEqual(state);
}

/** Every connection is back in the pool: none was lost with its call. */
async function expectNoneTaken(): Promise<void> {
  await expect.poll(() => pool().totalCount - pool().idleCount).toBe(0);
}

describe("R5: the n-th database call fails, for every n and in every way", { timeout: 300_000 }, () => {
  test("R5: an upload is there with its row, job and record, or not at all; sent again it is there once", async () => {
    const countAll = async () => ({
      rows: await count('"Trajectory" WHERE "projectId" = $1', scope.projectId),
      complete: await count('"Upload" WHERE "complete" AND "projectId" = $1', scope.projectId),
      jobs: await count("pgboss.job WHERE name = 'import-upload'"),
      records: await count(`"AuditEvent" WHERE "action" = 'upload.create'`),
    });
    const plus = (counts: Awaited<ReturnType<typeof countAll>>, n: number) =>
      Object.fromEntries(Object.entries(counts).map(([name, value]) => [name, value + n]));
    const calls = await failEveryCall(
      proxy(),
      async (name) => ({ bytes: makeTrace(`upload ${name}`, 3), before: await countAll() }),
      ({ bytes }) => upload(bytes),
      async ({ bytes, before }, attempt) => {
        expectWhole(await countAll(), attempt, plus(before, 0), plus(before, 1));
        await upload(bytes);
        expect(await countAll()).toEqual(plus(before, 1));
        await expectNoneTaken();
      },
    );
    expect(calls).toBeGreaterThan(7);
    // What could not be taken back at once is taken back later, and nothing else.
    await removeAbandonedUploads(0);
    expect(await count('"Upload" WHERE NOT "complete"')).toBe(0);
    expect(await count('"UploadChunk"')).toBe(await count('"Upload"'));
  });

  test("R5: attaching the input of a run changes files, row, job and record together", async () => {
    const oldState = { status: "ready", jobs: 1, files: 0, records: 0 };
    const newState = { status: "queued", jobs: 2, files: 1, records: 1 };
    const attach = (id: string) =>
      attachBaseline(scope, id, {
        name: "pkg/a.py",
        body: bodyOf(Buffer.from("a = 1\n")),
        contentLength: null,
        contentType: null,
      });
    const calls = await failEveryCall(
      proxy(),
      (name) => imported(`baseline ${name}`),
      attach,
      async (id, attempt) => {
        const state = await stateOf(id);
        expectWhole(state, attempt, oldState, newState);
        await attach(id);
        // Attached twice it is recorded twice; there is one file and one job that will use it.
        expect(await stateOf(id)).toEqual({ ...newState, records: Number(state.records) + 1 });
        await expectNoneTaken();
      },
    );
    expect(calls).toBeGreaterThan(7);
  });

  test("R5: a failed import is queued again with its job and record, or still failed", async () => {
    const oldState = { status: "failed", jobs: 1, files: 0, records: 0 };
    const newState = { status: "queued", jobs: 2, files: 0, records: 1 };
    const calls = await failEveryCall(
      proxy(),
      async (name) => {
        const { id } = await upload(makeTrace(`retry ${name}`, 2));
        await database().trajectory.update({ where: { id }, data: { status: "failed", failure: FAILURE } });
        return id;
      },
      (id) => retryImport(scope, id),
      async (id, attempt) => {
        const state = await stateOf(id);
        expectWhole(state, attempt, oldState, newState);
        if (state.status === "failed") await retryImport(scope, id);
        expect(await stateOf(id)).toEqual(newState);
        await expectNoneTaken();
      },
    );
    expect(calls).toBeGreaterThan(4);
  });

  test("R5: a link is there with its record, or not at all; one that was answered opens", async () => {
    const stateOfShares = async (id: string) => ({
      shares: await count('"Share" WHERE "trajectoryId" = $1', id),
      records: await count(`"AuditEvent" WHERE "action" = 'share.create' AND "data"->>'trajectoryId' = $1`, id),
    });
    let path = "";
    const share = async (id: string) => {
      ({ path } = await createShare(scope, id));
    };
    const expectOpens = async () => expect(await openShare(path.slice("/s/".length))).not.toBeNull();
    const calls = await failEveryCall(
      proxy(),
      (name) => imported(`share ${name}`),
      share,
      async (id, attempt) => {
        const state = await stateOfShares(id);
        expectWhole(state, attempt, { shares: 0, records: 0 }, { shares: 1, records: 1 });
        // The link is known only to who got the answer: an error after it was made leaves one that nobody can open.
        if (attempt.error !== null && state.shares === 1) expect(attempt.fault).toBe("lost answer");
        if (attempt.error === null) await expectOpens();
        await share(id);
        await expectOpens();
        await expectNoneTaken();
      },
    );
    expect(calls).toBeGreaterThan(8);
  });
});
