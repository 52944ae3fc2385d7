import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { GET } from "@/app/api/health/route";
import { resetEnv } from "@/lib/env";
import { stopSender } from "@/lib/jobs";
import { disconnect, pool } from "@/lib/store/client";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import { type PostgresProxy, startPostgresProxy } from "@/lib/test-support/postgres-proxy";
import { PATIENT, send, statusOf } from "./test-jobs";
import { makeTrace } from "./test-trace";
import { startWorker, type WorkerProcess } from "./worker-process";

const { url } = withTestDatabase();
let proxy: PostgresProxy;
let worker: WorkerProcess;
beforeAll(async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  proxy = await startPostgresProxy(url());
  worker = await startWorker(proxy.url);
});
afterEach(() => proxy.comeBack());
afterAll(async () => {
  await worker.end("SIGKILL");
  await proxy.close();
  vi.restoreAllMocks();
});

/** The web process's side goes through the proxy too, or not. */
async function connectBy(address: string): Promise<void> {
  await stopSender();
  await disconnect();
  process.env.DATABASE_URL = address;
  resetEnv();
}

/** The health route's answer, or that it took a second: its own timer and this one run in the same loop. */
async function health(): Promise<{ status: number; body: string; headers: string } | "late"> {
  let timer: NodeJS.Timeout | undefined;
  const second = new Promise<"late">((resolve) => {
    timer = setTimeout(() => resolve("late"), 1_000);
  });
  const asked = GET().then(async (response) => ({
    status: response.status,
    body: await response.text(),
    headers: JSON.stringify([...response.headers]),
  }));
  const answer = await Promise.race([asked, second]);
  clearTimeout(timer);
  return answer;
}

const statusOfHealth = async () => {
  const answer = await health();
  return answer === "late" ? answer : answer.status;
};

describe("R12: while the database is down", { timeout: 240_000 }, () => {
  test.each([
    ["refuses connections", () => proxy.goAway()],
    ["accepts connections and answers nothing", async () => proxy.hang()],
  ])(
    "R12: health says 503 within a second and nothing else, when the database %s, and 200 when it is back",
    async (_, go) => {
      await connectBy(proxy.url);
      await expect.poll(statusOfHealth, PATIENT).toBe(200);
      await go();
      // As many probes as there are connections in a pool and more, one after the other and at once.
      const answers = [await health(), await health(), ...(await Promise.all(Array.from({ length: 30 }, health)))];
      for (const answer of answers) {
        expect(answer).toEqual({
          status: 503,
          body: '{"status":"unavailable","part":"database"}',
          headers: expect.not.stringMatching(/postgres|127\.0\.0\.1|node_modules|password/i),
        });
      }
      await proxy.comeBack();
      // By itself, and the worker's sign of life comes by itself too.
      await expect.poll(statusOfHealth, PATIENT).toBe(200);
      await connectBy(url());
    },
  );

  test.each([
    ["went away", () => proxy.goAway()],
    ["hung", async () => proxy.hang()],
  ])("R12: a worker whose database %s goes on by itself when it is back", async (how, go) => {
    await connectBy(url());
    const scope = await makeProject();
    const pid = worker.child.pid;
    await go();
    // What it is asked meanwhile waits in the queue.
    const id = await send(scope, makeTrace(`while it ${how}`, 3));
    await expect.poll(worker.log, PATIENT).toMatch(/heartbeat|\[jobs\]/);
    expect(await statusOf(id)).toBe("queued");
    await proxy.comeBack();
    await expect.poll(() => statusOf(id), PATIENT).toBe("ready");
    expect([worker.child.exitCode, worker.child.pid]).toEqual([null, pid]);
    // Nothing of where the database is, or how one gets in, is in the log.
    expect(worker.log()).not.toContain(new URL(url()).password);
    expect(pool().totalCount).toBeLessThanOrEqual(10);
  });
});
