import os from "node:os";
import { beforeAll, describe, expect, test } from "vitest";
import { JOB_RETRIES } from "@/lib/jobs";
import { database, pool } from "@/lib/store/client";
import type { ProjectScope } from "@/lib/store/scope";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import {
  holdOne,
  holdReading,
  holdStoring,
  jobOf,
  PATIENT,
  passTime,
  send,
  spendAttempts,
  statusOf,
} from "./test-jobs";
import { makeTrace } from "./test-trace";
import { withWorkers } from "./test-workers";
import type { WorkerProcess } from "./worker-process";

const { url } = withTestDatabase();
const start = withWorkers(url);
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

describe("two workers", { timeout: 240_000 }, () => {
  test("R1: 200 jobs are handled exactly once each", async () => {
    const hold = await holdStoring(url());
    const ids: string[] = [];
    for (let n = 0; n < 200; n += 10) {
      const ten = Array.from({ length: 10 }, (_, i) => send(scope, makeTrace(`job ${n + i}`, 3)));
      ids.push(...(await Promise.all(ten)));
    }
    expect(new Set(ids).size).toBe(200);
    await Promise.all([start(), start()]);
    // Both have their hands full before one may finish.
    await expect.poll(hold.waiting, PATIENT).toBe(2 * Math.max(1, Math.min(2, os.availableParallelism())));
    await hold.release();
    const countReady = () => database().trajectory.count({ where: { id: { in: ids }, status: "ready" } });
    await expect.poll(countReady, PATIENT).toBe(200);

    const imports = await database().import.groupBy({ by: ["trajectoryId"], _count: true });
    expect(imports).toHaveLength(200);
    expect(imports.filter(({ _count }) => _count !== 1)).toEqual([]);
    const asTheQueueSaw = async () => {
      const { rows } = await pool().query(
        `SELECT "state"::text, "retry_count" AS "retries", count(*)::int AS "jobs",
           count(DISTINCT "data"->>'trajectoryId')::int AS "rows"
         FROM pgboss.job WHERE "name" = 'import-upload' GROUP BY 1, 2`,
      );
      return rows;
    };
    await expect.poll(asTheQueueSaw, PATIENT).toEqual([{ state: "completed", retries: 0, jobs: 200, rows: 200 }]);
  });

  test("R4: a worker that stood still past its claim and goes on changes nothing, and works on", async () => {
    const id = await send(scope, makeTrace("late", 12));
    const hold = await holdReading(url());
    const late = await start();
    await expect.poll(hold.waiting, PATIENT).toBe(1);
    late.child.kill("SIGSTOP");
    await hold.release();
    const other = await start();
    const retriesAfterTime = async () => {
      const job = await jobOf(id);
      if (job?.retries === 0 && job.state === "active") await passTime(id);
      return job?.retries;
    };
    await expect.poll(retriesAfterTime, PATIENT).toBe(1);
    await expect.poll(() => jobOf(id), PATIENT).toMatchObject({ state: "completed", retries: 1 });
    const rowOf = () => database().trajectory.findUniqueOrThrow({ where: { id } });
    const before = await rowOf();
    expect(before.status).toBe("ready");

    late.child.kill("SIGCONT");
    await expect.poll(late.log, PATIENT).toContain(`${id}: what this attempt did is not used`);
    expect(await rowOf()).toEqual(before);
    expect(await database().import.count({ where: { trajectoryId: id } })).toBe(1);
    expect(await jobOf(id)).toMatchObject({ state: "completed", retries: 1 });

    expect(await other.end("SIGTERM")).toBe(0);
    const next = await send(scope, makeTrace("after it", 3));
    await expect.poll(() => statusOf(next), PATIENT).toBe("ready");
    expect(await late.end("SIGTERM")).toBe(0);
  });
});

// The process ends itself with 1 when it has not ended after ten seconds: 0 means in time, and that nothing was left open.
describe("SIGTERM", { timeout: 240_000 }, () => {
  test("R6: in the middle of an import gives the job back and takes no other; the next worker takes it at once", async () => {
    const hold = await holdStoring(url());
    const id = await send(scope, makeTrace("stopped", 5));
    const first = await start();
    await expect.poll(hold.waiting, PATIENT).toBe(1);
    const ended = first.end("SIGTERM");
    const untouched = await send(scope, makeTrace("came later", 5));
    expect(await ended).toBe(0);
    // Not left for a supervisor to find: it was handed back.
    expect(await jobOf(id)).toMatchObject({ state: "retry" });
    expect(await statusOf(untouched)).toBe("queued");
    await hold.release();
    await start();
    await expect.poll(() => statusOf(id), PATIENT).toBe("ready");
    await expect.poll(() => statusOf(untouched), PATIENT).toBe("ready");
    expect(await database().import.count({ where: { trajectoryId: id } })).toBe(1);
    expect(await jobOf(id)).toMatchObject({ retries: 1 });
  });

  test("R6: giving a job back is no attempt of it: the last one is left, and being killed in it counts", async () => {
    const hold = await holdStoring(url());
    const id = await send(scope, makeTrace("restarted", 5));
    await spendAttempts(id, JOB_RETRIES);
    const held = async (): Promise<WorkerProcess> => {
      const worker = await start();
      await expect.poll(hold.waiting, PATIENT).toBe(1);
      return worker;
    };
    expect(await (await held()).end("SIGTERM")).toBe(0);
    expect(await jobOf(id)).toMatchObject({ state: "retry" });
    await passTime(id);
    await (await held()).end("SIGKILL");
    await passTime(id);
    await hold.release();
    await start();
    await expect.poll(() => statusOf(id), PATIENT).toBe("failed");
  });

  test("R6: while 30 MB are being read the worker ends in time, and the import is done once", async () => {
    const bytes = makeTrace("large", 600, { observationChars: 100_000 });
    expect(bytes.length).toBeGreaterThan(30_000_000);
    const id = await send(scope, bytes);
    const first = await start();
    await expect.poll(() => statusOf(id), { ...PATIENT, interval: 10 }).toBe("importing");
    expect(await first.end("SIGTERM")).toBe(0);
    const left = await jobOf(id);
    expect(["retry", "completed"]).toContain(left?.state);
    expect(await statusOf(id)).toBe(left?.state === "retry" ? "importing" : "ready");
    await start();
    await expect.poll(() => statusOf(id), PATIENT).toBe("ready");
    expect(await database().import.count({ where: { trajectoryId: id } })).toBe(1);
    expect(await database().turn.count({ where: { import: { trajectoryId: id } } })).toBe(600);
  });

  test("R6: a worker with nothing to do ends, with nothing left open", async () => {
    expect(await (await start()).end("SIGTERM")).toBe(0);
  });
});

describe("a poison job", { timeout: 240_000 }, () => {
  test("R7: what kills every worker that takes it is given up with a reason; the others' imports are done meanwhile", async () => {
    const poison = await send(scope, makeTrace("poison", 3));
    const hold = await holdOne(url(), poison);
    for (let attempt = 0; attempt <= JOB_RETRIES; attempt++) {
      const good = await send(scope, makeTrace(`beside attempt ${attempt}`, 3));
      const worker = await start();
      // The one before it is found dead; then there is a wait, which need not be real here.
      const takenAgain = async () => {
        const job = await jobOf(poison);
        if (job?.state === "retry") await passTime(poison);
        return job;
      };
      await expect.poll(takenAgain, PATIENT).toMatchObject({ state: "active", retries: attempt });
      // Nobody waits behind it.
      await expect.poll(() => statusOf(good), PATIENT).toBe("ready");
      expect(await worker.end("SIGKILL")).toBe("SIGKILL");
      await passTime(poison);
    }
    await hold.release();
    await start();
    await expect.poll(() => statusOf(poison), PATIENT).toBe("failed");
    const row = await database().trajectory.findUniqueOrThrow({ where: { id: poison } });
    expect(row.failure).toMatchObject({ code: "abandoned", message: expect.stringMatching(/started several times/) });
    expect(row).toMatchObject({ currentImportId: null, verdictStatus: null });
  });
});
