import { beforeAll, describe, expect, test } from "vitest";
import { database, pool } from "@/lib/store/client";
import type { ProjectScope } from "@/lib/store/scope";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import { countRows, holdStoring, jobOf, PATIENT, send, statusOf, storedUnder } from "./test-jobs";
import { makeTrace } from "./test-trace";
import { withWorkers } from "./test-workers";

const { url } = withTestDatabase();
const start = withWorkers(url);
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

describe("the worker process", { timeout: 240_000 }, () => {
  test("imports what is queued, says why it cannot import the rest, and goes on", async () => {
    const garbage = await send(scope, new TextEncoder().encode("this is no trace\n"));
    const cut = await send(scope, makeTrace("cut", 4).slice(0, 700));
    const empty = await send(scope, new Uint8Array());
    const good = await send(scope, makeTrace("good", 6, { observationChars: 200_000 }));
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

    const failures = await database().trajectory.findMany({ where: { id: { in: [garbage, cut, empty] } } });
    const codeOf = (id: string) => failures.find((failed) => failed.id === id)?.failure;
    expect(codeOf(empty)).toMatchObject({ code: "empty" });
    expect(codeOf(garbage)).toMatchObject({ code: "not_a_trace" });
    expect(codeOf(cut)).toMatchObject({ code: "malformed", byte: expect.any(Number) });
    // A failed import is no score: nothing is said about the run.
    for (const failed of failures) {
      expect(failed).toMatchObject({ verdictStatus: null, verdictTurn: null, outcome: null, turnCount: null });
    }
    expect(await worker.end("SIGTERM")).toBe(0);
    // A stopped worker is no longer counted as alive.
    expect(await countRows("WorkerHeartbeat")).toBe(0);
  });

  test("R3: kill -9 in the middle of an import: another worker stores the same result, once, and soon", async () => {
    const bytes = makeTrace("killed", 40, { observationChars: 20_000 });
    const reference = await send(await makeProject(), bytes);
    const first = await start();
    await expect.poll(() => statusOf(reference), PATIENT).toBe("ready");

    const before = { imports: await countRows("Import"), turns: await countRows("Turn") };
    const hold = await holdStoring(url());
    const killed = await send(scope, bytes);
    await expect.poll(hold.waiting, PATIENT).toBe(1);
    expect(await statusOf(killed)).toBe("importing");
    const killedAt = (await pool().query<{ now: Date }>("SELECT clock_timestamp() AS now")).rows[0]?.now;
    await first.end("SIGKILL");
    await hold.release();
    // Nothing of the half-written import is there.
    await expect.poll(hold.waiting, PATIENT).toBe(0);
    expect({ imports: await countRows("Import"), turns: await countRows("Turn") }).toEqual(before);

    await start();
    await expect.poll(() => statusOf(killed), PATIENT).toBe("ready");
    expect(await countRows("Import")).toBe(before.imports + 1);
    expect(await countRows("Turn")).toBe(before.turns + 40);
    const { Trajectory: _, ...stored } = await storedUnder(killed);
    expect(stored).toEqual((({ Trajectory: __, ...rest }) => rest)(await storedUnder(reference)));
    await expect.poll(() => jobOf(killed), PATIENT).toMatchObject({ state: "completed", retries: 1 });
    // Twelve seconds without a sign of life, the supervisor's two, and a second or two until it is tried again: about 15 s
    // when a worker is there and the machine idle. Its starting counts here too; the hour after which a job expires is far.
    const waitedMs = Number((await jobOf(killed))?.startedAt) - Number(killedAt);
    expect(waitedMs).toBeLessThan(200_000);
    expect(waitedMs).toBeGreaterThan(5_000);
  });

  test("ends when its launcher is gone", async () => {
    const worker = await start();
    expect(await worker.loseLauncher()).toBe(0);
  });
});
