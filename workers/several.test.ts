import { beforeAll, describe, expect, test } from "vitest";
import { database, pool } from "@/lib/store/client";
import { readAgain, retryImport } from "@/lib/store/import-status";
import { getRaw } from "@/lib/store/raw";
import type { ProjectScope } from "@/lib/store/scope";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import { getTurn } from "@/lib/store/turns";
import { hold, jobOf, PATIENT, send, statusOf } from "./test-jobs";
import { makeConversations, makeTrace } from "./test-trace";
import { withWorkers } from "./test-workers";

const { url } = withTestDatabase();
const start = withWorkers(url);
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

const partsOf = (parentId: string) =>
  database().trajectory.findMany({ where: { parentId }, orderBy: { partIndex: "asc" } });
const statusesOf = async (parentId: string) => (await partsOf(parentId)).map(({ status }) => status);
const sendLines = (names: (string | null)[]) => send(scope, makeConversations(names), "rows.jsonl");

describe("a file with several trajectories, in the worker", { timeout: 240_000 }, () => {
  test("becomes a row each, imported from its own bytes; one that cannot be read says where, and can be tried again", async () => {
    const id = await sendLines(["one", null, "three"]);
    const worker = await start();
    await expect.poll(() => statusesOf(id), PATIENT).toEqual(["ready", "failed", "ready"]);
    expect(await database().trajectory.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: "several",
      partCount: 3,
      format: "chat-messages",
    });
    const [one, two, three] = await partsOf(id);
    expect([one?.name, two?.name, three?.name]).toEqual(["one", "line 2", "three"]);
    expect(one).toMatchObject({ turnCount: 2, format: "chat-messages" });
    expect(two?.failure).toMatchObject({ line: 2, byte: expect.any(Number) });
    expect(Number(two?.sizeBytes)).toBeLessThan(50);

    // What a turn was made from is found in the upload, not in the part's own bytes.
    const turn = await getTurn(scope, three?.id ?? "", 1);
    expect(JSON.stringify(turn)).toContain("three is fixed.");
    const raw = await getRaw(scope, three?.id ?? "", 1);
    expect(raw?.records.map(({ text }) => text)).toEqual(['{"role":"assistant","content":"three is fixed."}']);

    await retryImport(scope, two?.id);
    await expect.poll(() => jobOf(two?.id ?? ""), PATIENT).toMatchObject({ state: "completed" });
    expect(await statusesOf(id)).toEqual(["ready", "failed", "ready"]);
    await readAgain(scope, id);
    const importsOf = (part: string) => database().import.count({ where: { trajectoryId: part } });
    await expect.poll(() => importsOf(three?.id ?? ""), PATIENT).toBe(2);
    expect((await partsOf(id)).map((part) => part.id)).toEqual([one?.id, two?.id, three?.id]);
    expect(await worker.end("SIGTERM")).toBe(0);
  });

  test("R3: kill -9 while its rows are being made: another worker makes each of them once", async () => {
    const names = Array.from({ length: 30 }, (_, n) => `task-${n}`);
    const id = await sendLines(names);
    // The worker stops at the last of the rows, for as long as it is not known whether another one takes its place.
    const parts = await hold(
      url(),
      `INSERT INTO "Trajectory" ("id", "projectId", "uploadId", "name", "status", "sizeBytes", "updatedAt", "parentId",
         "partIndex", "part")
       SELECT 'inTheWay', "projectId", "uploadId", 'x', 'queued', 1, now(), "id", 29, '{}'
       FROM "Trajectory" WHERE "id" = '${id}'`,
    );
    const first = await start();
    await expect.poll(parts.waiting, PATIENT).toBe(1);
    expect(await first.end("SIGKILL")).toBe("SIGKILL");
    await parts.release();
    expect(await partsOf(id)).toEqual([]);
    await start();
    await expect.poll(() => statusesOf(id), PATIENT).toEqual(names.map(() => "ready"));
    expect((await partsOf(id)).map(({ name }) => name)).toEqual(names);
    const { rows } = await pool().query(
      `SELECT count(*)::int AS jobs, count(DISTINCT "data"->>'trajectoryId')::int AS rows FROM pgboss.job
       WHERE "name" = 'import-upload' AND "data"->>'trajectoryId' IN (SELECT "id" FROM "Trajectory" WHERE "parentId" = $1)`,
      [id],
    );
    expect(rows).toEqual([{ jobs: 30, rows: 30 }]);
  });

  test("does not keep another upload waiting behind its parts", async () => {
    const id = await sendLines(Array.from({ length: 400 }, (_, n) => `many-${n}`));
    await start();
    await expect.poll(() => statusOf(id), PATIENT).toBe("several");
    const own = await send(scope, makeTrace("of its own", 3));
    await expect.poll(() => statusOf(own), PATIENT).toBe("ready");
    const ready = (await statusesOf(id)).filter((status) => status === "ready").length;
    expect(ready).toBeLessThan(400);
    await expect.poll(async () => new Set(await statusesOf(id)), PATIENT).toEqual(new Set(["ready"]));
  });
});
