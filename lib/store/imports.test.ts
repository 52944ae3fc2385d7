import { beforeAll, describe, expect, test, vi } from "vitest";
import { listQuerySchema } from "@/lib/views/trajectory-list";
import { readSource } from "@/workers/import-pipeline";
import { makeTrace } from "@/workers/test-trace";
import { attachBaseline } from "./baselines";
import { database, pool } from "./client";
import type { ItemText } from "./generated/client";
import { newId } from "./identifiers";
import { beginImport, failImport, readAgain, reportImport, retryImport } from "./import-status";
import { type ImportResult, isImported, storeImport } from "./imports";
import { getRun } from "./runs";
import type { ProjectScope } from "./scope";
import { codeSummarySchema, storedHeadSchema } from "./stored-import";
import { storedContextSchema, storedItemsSchema, storedStateSchema } from "./stored-item";
import { makeProject, withTestDatabase } from "./test-database";
import { getListPage, getRow } from "./trajectories";
import { receiveUpload } from "./uploads";

withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

async function queued(seed: string, turns = 4): Promise<{ id: string; result: ImportResult }> {
  const bytes = makeTrace(seed, turns, { observationChars: 70_000 });
  const body = new Blob([new Uint8Array(bytes)]).stream();
  const { id } = await receiveUpload(scope, { name: seed, body, contentLength: bytes.length, sha256: null });
  return { id, result: await readSource({ name: seed, bytes }, { baseline: null, outcome: null }, () => undefined) };
}

async function counts(trajectoryId: string): Promise<Record<string, number>> {
  const imports = await database().import.findMany({ where: { trajectoryId }, select: { id: true } });
  const where = { importId: { in: imports.map((one) => one.id) } };
  return {
    imports: imports.length,
    turns: await database().turn.count({ where }),
    texts: await database().itemText.count({ where }),
    files: await database().file.count({ where }),
    versions: await database().fileVersion.count({ where }),
    writes: await database().write.count({ where }),
    analyses: await database().analysis.count({ where }),
  };
}

describe("storing an import", () => {
  test("an example's outcome, which its trace does not say, reaches the row and the rule", async () => {
    const bytes = makeTrace("told", 4);
    const body = new Blob([new Uint8Array(bytes)]).stream();
    const contentLength = bytes.length;
    const demo = { isDemo: true, given: { outcome: "resolved" } } as const;
    const { id } = await receiveUpload(scope, { name: "told", body, contentLength, sha256: null, ...demo });
    const target = await beginImport(scope, id);
    expect(target?.givenOutcome).toBe("resolved");
    const given = { baseline: null, outcome: target?.givenOutcome ?? null };
    const result = await readSource({ name: "told", bytes }, given, () => undefined);
    expect([result.outcome, result.failure.source]).toEqual(["resolved", "trace"]);
    await storeImport(scope, { trajectoryId: id, jobId: newId() }, result);
    const row = await database().trajectory.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ isDemo: true, outcome: "resolved", verdictStatus: "undetermined" });
  });

  test("stores turns, long texts, files and the list row in the documented shapes", async () => {
    const { id, result } = await queued("shapes");
    expect(await storeImport(scope, { trajectoryId: id, jobId: newId() }, result)).toBe("stored");
    const row = await database().trajectory.findUniqueOrThrow({
      where: { id },
      include: {
        currentImport: { include: { turns: { orderBy: { index: "asc" } }, contexts: true, texts: true, files: true } },
      },
    });
    expect(row).toMatchObject({ status: "ready", framework: "SWE-agent", turnCount: 4, callCount: 4, writeCount: 2 });
    const stored = row.currentImport;
    if (!stored) throw new Error("no import");
    storedHeadSchema.parse(stored.head);
    expect(codeSummarySchema.parse(stored.codeSummary).baseline).toEqual({ files: 0, differing: 0 });
    for (const context of stored.contexts) storedContextSchema.parse(context.data);
    expect(stored.turns.map((turn) => turn.index)).toEqual([0, 1, 2, 3]);
    for (const turn of stored.turns) {
      if (turn.state !== null) storedStateSchema.parse(turn.state);
      for (const item of storedItemsSchema.parse(turn.items)) {
        if (!item.long?.text) continue;
        expect(item.text).toBe("");
        expect(joined(stored.texts, item.id)).toHaveLength(item.long.text.chars);
      }
    }
    expect(stored.texts.length).toBeGreaterThan(2);
    expect(stored.files).toHaveLength(2);
  });

  test("says how far it is, never backwards", async () => {
    const { id, result } = await queued("progress", 40);
    const seen: number[] = [];
    await storeImport(scope, { trajectoryId: id, jobId: newId() }, result, (percent) => seen.push(percent));
    expect(seen[0]).toBe(0);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.at(-1)).toBeGreaterThan(80);
    expect(seen.at(-1)).toBeLessThanOrEqual(100);
  });

  test("a second run of the same job stores nothing", async () => {
    const { id, result } = await queued("twice");
    const job = { trajectoryId: id, jobId: newId() };
    expect(await isImported(scope, job.jobId)).toBe(false);
    await storeImport(scope, job, result);
    const once = await counts(id);
    expect(await storeImport(scope, job, result)).toBe("already");
    expect(await counts(id)).toEqual(once);
    expect(await isImported(scope, job.jobId)).toBe(true);
    expect(await isImported(await makeProject(), job.jobId)).toBe(false);
  });

  test("five runs of the same job at once store one import", async () => {
    const { id, result } = await queued("at once");
    const job = { trajectoryId: id, jobId: newId() };
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => storeImport(scope, job, result)));
    expect(outcomes.sort()).toEqual(["already", "already", "already", "already", "stored"]);
    expect(await counts(id)).toMatchObject({ imports: 1, turns: 4, analyses: 1 });
  });

  test("another job makes another import; the first stays for what is pinned to it", async () => {
    const { id, result } = await queued("once more");
    await storeImport(scope, { trajectoryId: id, jobId: newId() }, result);
    const first = await database().trajectory.findUniqueOrThrow({ where: { id } });
    await storeImport(scope, { trajectoryId: id, jobId: newId() }, result);
    const second = await database().trajectory.findUniqueOrThrow({ where: { id } });
    expect(second.currentImportId).not.toBe(first.currentImportId);
    expect(await counts(id)).toMatchObject({ imports: 2, turns: 8 });
  });

  test("fails at any statement as a whole: nothing of it is there, and the next try succeeds", async () => {
    const { id, result } = await queued("half");
    const job = { trajectoryId: id, jobId: newId() };
    const statements = await countStatements(() => storeImport(scope, { ...job, jobId: newId() }, result));
    const before = await counts(id);
    expect(statements).toBeGreaterThan(8);
    for (let nth = 1; nth <= statements; nth++) {
      await expect(failingAt(nth, () => storeImport(scope, job, result))).rejects.toThrow("injected");
      expect(await counts(id)).toEqual(before);
    }
    expect(await storeImport(scope, job, result)).toBe("stored");
  });

  test("a trajectory that is gone, or another project's, is not imported", async () => {
    const { id, result } = await queued("gone");
    expect(await storeImport(scope, { trajectoryId: newId(), jobId: newId() }, result)).toBe("gone");
    expect(await storeImport(await makeProject(), { trajectoryId: id, jobId: newId() }, result)).toBe("gone");
    expect(await counts(id)).toMatchObject({ imports: 0 });
  });
});

function joined(texts: ItemText[], itemId: string): string {
  return texts
    .filter((text) => text.itemId === itemId && text.field === "text")
    .sort((a, b) => a.piece - b.piece)
    .map((text) => text.text)
    .join("");
}

async function countStatements(work: () => Promise<unknown>): Promise<number> {
  let seen = 0;
  await spying(() => {
    seen += 1;
  }, work);
  return seen;
}

async function failingAt(nth: number, work: () => Promise<unknown>): Promise<unknown> {
  let seen = 0;
  return spying((sql) => {
    if (sql === "ROLLBACK") return;
    seen += 1;
    if (seen === nth) throw new Error("injected");
  }, work);
}

/** Runs `work` with `see` called before each statement of connections that it takes from the pool. */
async function spying(see: (sql: string) => void, work: () => Promise<unknown>): Promise<unknown> {
  const connect = pool().connect.bind(pool());
  vi.spyOn(pool(), "connect").mockImplementation(async () => {
    const client = await connect();
    const query = client.query.bind(client);
    vi.spyOn(client, "query").mockImplementation((async (sql: string, values?: unknown[]) => {
      see(sql);
      return query(sql, values);
    }) as never);
    return client;
  });
  try {
    return await work();
  } finally {
    vi.restoreAllMocks();
  }
}

describe("the state of an import on its row", () => {
  test("queued, importing with progress, failed with the reason and position, queued again by a retry", async () => {
    const { id } = await queued("states");
    const read = () => database().trajectory.findUniqueOrThrow({ where: { id } });
    const target = await beginImport(scope, id);
    expect(target).toMatchObject({ name: "states" });
    const attempt = target?.attempt ?? "";
    await reportImport(scope, id, attempt, { phase: "reading", done: 5, total: 10, turns: 1 });
    expect(await read()).toMatchObject({ status: "importing", progress: { phase: "reading", done: 5 } });
    await expect(retryImport(scope, id)).rejects.toMatchObject({ code: "conflict" });
    const failure = { code: "malformed", message: "not closed", byte: 12, line: 3, pointer: null };
    await failImport(scope, id, attempt, failure);
    expect(await read()).toMatchObject({ status: "failed", failure, progress: null });
    // Progress of an attempt that comes late changes nothing.
    await reportImport(scope, id, attempt, { phase: "reading", done: 6, total: 10, turns: 1 });
    expect(await beginImport(scope, id)).toBeNull();
    expect(await read()).toMatchObject({ status: "failed", progress: null });
    const retries = await Promise.allSettled(Array.from({ length: 5 }, () => retryImport(scope, id)));
    expect(retries.filter((retry) => retry.status === "fulfilled")).toHaveLength(1);
    expect(await read()).toMatchObject({ status: "queued", failure: null });
  });

  test("an attempt that fails after another one succeeded does not take the result away", async () => {
    const { id, result } = await queued("late failure");
    await beginImport(scope, id);
    await storeImport(scope, { trajectoryId: id, jobId: newId() }, result);
    await failImport(scope, id, null, { code: "x", message: "x", byte: null, line: null, pointer: null });
    expect(await database().trajectory.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "ready" });
  });

  test("one that is ready can be read again, and one that is not cannot", async () => {
    const { id, result } = await queued("read again");
    await expect(readAgain(scope, id)).rejects.toMatchObject({ code: "conflict" });
    await storeImport(scope, { trajectoryId: id, jobId: newId() }, result);
    const { currentImportId } = await database().trajectory.findUniqueOrThrow({ where: { id } });
    await readAgain(scope, id);
    // What is there stays until the new import is written.
    expect(await database().trajectory.findUniqueOrThrow({ where: { id } })).toMatchObject({
      ...{ status: "queued", currentImportId },
    });
    await expect(readAgain(await makeProject(), id)).rejects.toMatchObject({ code: "not_found" });
  });

  test("a second import that fails keeps the former result, and the row says why", async () => {
    const { id, result } = await queued("kept");
    await storeImport(scope, { trajectoryId: id, jobId: newId() }, result);
    const before = await getRun(scope, id);
    expect(before).not.toBeNull();
    const attached = { name: "a.py", body: new Blob(["a = 1\n"]).stream(), contentLength: null, contentType: null };
    await attachBaseline(scope, id, attached);
    const attempt = (await beginImport(scope, id))?.attempt ?? "";
    const failure = { code: "timeout", message: "too long", byte: null, line: null, pointer: null };
    await failImport(scope, id, attempt, failure);
    expect(await getRun(scope, id)).toMatchObject({ importId: before?.importId, verdict: before?.verdict });
    expect(await getRow(scope, id)).toMatchObject({ status: "failed", failure: { code: "timeout" } });
    // In the list it is among the failures, not among the results.
    const page = await getListPage(scope, listQuerySchema.parse({ q: "kept" }));
    expect([page.rows, page.pinned.map((row) => row.id)]).toEqual([[], expect.arrayContaining([id])]);
  });

  test("another project cannot begin, fail or retry it", async () => {
    const { id } = await queued("foreign");
    const foreign = await makeProject();
    expect(await beginImport(foreign, id)).toBeNull();
    await failImport(foreign, id, null, { code: "x", message: "x", byte: null, line: null, pointer: null });
    await expect(retryImport(foreign, id)).rejects.toMatchObject({ code: "not_found" });
    expect(await database().trajectory.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "queued" });
  });
});
