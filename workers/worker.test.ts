import pg from "pg";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { database, pool } from "@/lib/store/client";
import type { ProjectScope } from "@/lib/store/scope";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import { receiveUpload } from "@/lib/store/uploads";
import { makeTrace } from "./test-trace";
import { startWorker, type WorkerProcess } from "./worker-process";

const { url } = withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

const running = new Set<WorkerProcess>();
async function start(): Promise<WorkerProcess> {
  const worker = await startWorker(url());
  running.add(worker);
  return worker;
}
afterEach(async () => {
  for (const worker of running) if (worker.child.exitCode === null) await worker.end("SIGKILL");
  running.clear();
});

const PATIENT = { timeout: 100_000, interval: 100 };

async function send(bytes: Uint8Array, as = scope): Promise<string> {
  const body = new Blob([new Uint8Array(bytes)]).stream();
  return (await receiveUpload(as, { name: "run.traj", body, contentLength: bytes.length, sha256: null })).id;
}

async function statusOf(id: string): Promise<string> {
  return (await database().trajectory.findUniqueOrThrow({ where: { id } })).status;
}

/** Everything that an import stored, without what differs between two imports of the same bytes. */
async function storedUnder(id: string): Promise<unknown> {
  const { currentImportId } = await database().trajectory.findUniqueOrThrow({ where: { id } });
  const result: Record<string, unknown> = {};
  for (const [table, order] of [
    ["Turn", '"index"'],
    ["Context", '"n"'],
    ["ItemText", '"itemId", "field", "piece"'],
    ["File", '"n"'],
    ["FileVersion", '"fileN", "n"'],
    ["Write", '"n"'],
  ]) {
    const sql = `SELECT * FROM "${table}" WHERE "importId" = $1 ORDER BY ${order}`;
    const { rows } = await pool().query(sql, [currentImportId]);
    result[table ?? ""] = rows.map(({ importId: _, ...row }) => row);
  }
  return result;
}

async function countRows(table: string): Promise<number> {
  const { rows } = await pool().query<{ count: string }>(`SELECT count(*) FROM "${table}"`);
  return Number(rows[0]?.count);
}

/** Makes every worker stop in the middle of storing, until released. */
async function holdStoring(): Promise<{ release: () => Promise<void>; waiting: () => Promise<number> }> {
  const client = new pg.Client({ connectionString: url() });
  await client.connect();
  await client.query("BEGIN");
  await client.query('LOCK TABLE "FileVersion" IN SHARE ROW EXCLUSIVE MODE');
  return {
    release: async () => {
      await client.query("ROLLBACK");
      await client.end();
    },
    waiting: async () => {
      const { rows } = await pool().query<{ count: string }>(
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = '\"FileVersion\"'::regclass",
      );
      return Number(rows[0]?.count);
    },
  };
}

describe("the worker process", { timeout: 240_000 }, () => {
  test("imports what is queued, says why it cannot import the rest, and goes on", async () => {
    const garbage = await send(new TextEncoder().encode("this is no trace\n"));
    const cut = await send(makeTrace("cut", 4).slice(0, 700));
    const empty = await send(new Uint8Array());
    const good = await send(makeTrace("good", 6, { observationChars: 200_000 }));
    const worker = await start();
    await expect.poll(() => statusOf(good), PATIENT).toBe("ready");
    for (const id of [garbage, cut, empty]) await expect.poll(() => statusOf(id), PATIENT).toBe("failed");

    const row = await database().trajectory.findUniqueOrThrow({ where: { id: good } });
    expect(row).toMatchObject({ format: "swe-agent", turnCount: 6, callCount: 6, progress: null, failure: null });
    expect(row.runStrip).toHaveLength(6);
    // Three long observations, in pieces that join to the text.
    const { rows } = await pool().query(
      `SELECT sum(length("text")) AS chars, max(length("text")) AS longest FROM "ItemText" WHERE "importId" = $1`,
      [row.currentImportId],
    );
    expect(rows[0]).toMatchObject({ chars: String(3 * 200_000), longest: 65_536 });

    const failures = await database().trajectory.findMany({
      where: { id: { in: [garbage, cut, empty] } },
      select: { id: true, failure: true },
    });
    const codeOf = (id: string) => failures.find((failed) => failed.id === id)?.failure;
    expect(codeOf(empty)).toMatchObject({ code: "empty" });
    expect(codeOf(garbage)).toMatchObject({ code: "not_a_trace" });
    expect(codeOf(cut)).toMatchObject({ code: "malformed", byte: expect.any(Number) });
    expect(await worker.end("SIGTERM")).toBe(0);
    // A stopped worker is no longer counted as alive.
    expect(await countRows("WorkerHeartbeat")).toBe(0);
  });

  test("kill -9 in the middle of an import: another worker stores the same result, once", async () => {
    const bytes = makeTrace("killed", 40, { observationChars: 20_000 });
    const reference = await send(bytes, await makeProject());
    const first = await start();
    await expect.poll(() => statusOf(reference), PATIENT).toBe("ready");

    const before = { imports: await countRows("Import"), turns: await countRows("Turn") };
    const hold = await holdStoring();
    const killed = await send(bytes);
    const poison = await send(makeTrace("poison", 3));
    // The other one has used up its attempts: each of its workers died, as this one is about to.
    await pool().query(`UPDATE pgboss.job SET retry_limit = 0 WHERE data->>'trajectoryId' = $1`, [poison]);
    await expect.poll(hold.waiting, PATIENT).toBe(2);
    expect(await statusOf(killed)).toBe("importing");
    await first.end("SIGKILL");
    await hold.release();
    // Nothing of the half-written import is there.
    await expect.poll(hold.waiting, PATIENT).toBe(0);
    expect({ imports: await countRows("Import"), turns: await countRows("Turn") }).toEqual(before);

    await start();
    await expect.poll(() => statusOf(killed), PATIENT).toBe("ready");
    expect(await countRows("Import")).toBe(before.imports + 1);
    expect(await countRows("Turn")).toBe(before.turns + 40);
    expect(await storedUnder(killed)).toEqual(await storedUnder(reference));
    const { rows } = await pool().query(
      `SELECT state, retry_count FROM pgboss.job WHERE name = 'import-upload' AND data->>'trajectoryId' = $1`,
      [killed],
    );
    expect(rows).toEqual([{ state: "completed", retry_count: 1 }]);

    // What kills every worker that takes it ends with a reason on its row.
    await expect.poll(() => statusOf(poison), PATIENT).toBe("failed");
    const buried = await database().trajectory.findUniqueOrThrow({ where: { id: poison } });
    expect(buried.failure).toMatchObject({ code: "abandoned" });
  });

  test("SIGTERM in the middle of an import gives the job back; the next worker takes it at once", async () => {
    const hold = await holdStoring();
    const id = await send(makeTrace("stopped", 5));
    const first = await start();
    await expect.poll(hold.waiting, PATIENT).toBe(1);
    expect(await first.end("SIGTERM")).toBe(0);
    // Not left for a supervisor to find: it was handed back.
    const { rows } = await pool().query(`SELECT state FROM pgboss.job WHERE data->>'trajectoryId' = $1`, [id]);
    expect(rows).toEqual([{ state: "retry" }]);
    await hold.release();
    await start();
    await expect.poll(() => statusOf(id), PATIENT).toBe("ready");
    expect(await database().import.count({ where: { trajectoryId: id } })).toBe(1);
  });

  test("ends when its launcher is gone", async () => {
    const worker = await start();
    expect(await worker.loseLauncher()).toBe(0);
  });
});
