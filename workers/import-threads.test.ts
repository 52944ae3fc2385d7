import { randomUUID } from "node:crypto";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { type HeldJob, JOB_RETRIES } from "@/lib/jobs";
import { database } from "@/lib/store/client";
import type { ProjectScope } from "@/lib/store/scope";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import { importUpload } from "./handlers/import-upload";
import { ImportThreads } from "./import-threads";
import { send, statusOf } from "./test-jobs";
import { makeTrace } from "./test-trace";

withTestDatabase();
let scope: ProjectScope;
const opened = new Set<ImportThreads>();
beforeAll(async () => {
  scope = await makeProject();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const threads of opened) await threads.stop();
  opened.clear();
});

function open(limits: { heapMib: number; timeoutMs: number }): ImportThreads {
  const threads = new ImportThreads(limits);
  opened.add(threads);
  return threads;
}

async function jobFor(
  bytes: Uint8Array,
  { signal = new AbortController().signal, retryCount = 0 } = {},
): Promise<{ id: string; job: HeldJob }> {
  const id = await send(scope, bytes);
  const data = { projectId: scope.projectId, trajectoryId: id };
  const claim = { retryCount, retryLimit: JOB_RETRIES, expireInSeconds: 60, heartbeatSeconds: 12, signal };
  return { id, job: { id: randomUUID(), name: "import-upload", data, ...claim } };
}

async function failureOf(id: string): Promise<unknown> {
  return (await database().trajectory.findUniqueOrThrow({ where: { id } })).failure;
}

describe("R7: an import that a thread does not survive", { timeout: 120_000 }, () => {
  test("R7: memory: tried again apart it ends alone, its reason is on its row, and the import beside it is done", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const threads = open({ heapMib: 96, timeoutMs: 100_000 });
    // In one call of JSON.parse: no limit of a thread holds there, the whole process ends.
    const poison = await jobFor(new TextEncoder().encode(`[${"{},".repeat(4_000_000)}{}]`), { retryCount: 1 });
    const good = await jobFor(makeTrace("good", 40));
    await Promise.all([importUpload(poison.job, threads), importUpload(good.job, threads)]);
    expect(await statusOf(good.id)).toBe("ready");
    expect(await failureOf(poison.id)).toMatchObject({
      code: "out_of_memory",
      message: expect.stringMatching(/ended the process.*96 MiB/),
    });
    const next = await jobFor(makeTrace("next", 4), { retryCount: 1 });
    await importUpload(next.job, threads);
    expect(await statusOf(next.id)).toBe("ready");
  });

  test("R7: time: the reason is on its row, and its thread is not used again", async () => {
    const slow = await jobFor(makeTrace("slow", 4));
    await importUpload(slow.job, open({ heapMib: 512, timeoutMs: 1 }));
    expect(await failureOf(slow.id)).toMatchObject({ code: "timeout" });
    expect(await database().import.count({ where: { trajectoryId: slow.id } })).toBe(0);
  });

  test("R4: a job that is taken away ends its thread, puts no reason on the row, and is not done", async () => {
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    const threads = open({ heapMib: 512, timeoutMs: 100_000 });
    const taken = new AbortController();
    const { id, job } = await jobFor(makeTrace("taken", 4), { signal: taken.signal });
    const running = importUpload(job, threads);
    taken.abort();
    await expect(running).rejects.toMatchObject({ code: "unavailable" });
    expect(await statusOf(id)).toBe("importing");
    expect(await failureOf(id)).toBeNull();
    await importUpload({ ...job, signal: new AbortController().signal }, threads);
    expect(await statusOf(id)).toBe("ready");
  });
});
