import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, expect, test } from "vitest";
import { database } from "@/lib/store/client";
import { makeProject, withTestDatabase } from "@/lib/store/test-database";
import { PATIENT, send, storedUnder } from "./test-jobs";
import { startWorker, type WorkerProcess } from "./worker-process";

const { url } = withTestDatabase();
const root = path.join(import.meta.dirname, "..");

/** Every fixture of every format, those that are no trajectories included, and the runs of the demo. */
const FILES = [path.join(root, "lib/ingest/formats/fixtures"), path.join(root, "prisma/demo")]
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(json|jsonl|traj|txt)$/.test(entry.name))
      .map((entry) => path.join(entry.parentPath, entry.name)),
  )
  .sort();

/** JSON of a value with the keys of every object in order, so that equal values have equal texts. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (Buffer.isBuffer(inner)) return inner.toString("hex");
    if (typeof inner === "bigint") return String(inner);
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

const opened = new Set<{ close: () => unknown }>();
afterEach(async () => {
  for (const one of opened) await one.close();
  opened.clear();
});

async function start(env: Record<string, string>): Promise<WorkerProcess> {
  const worker = await startWorker(url(), env);
  opened.add({ close: () => (worker.child.exitCode === null ? worker.end("SIGKILL") : undefined) });
  return worker;
}

/** Keeps a processor busy until the test is over. */
function burn(): void {
  const thread = new Worker("for (;;) Math.random();", { eval: true });
  opened.add({ close: () => thread.terminate() });
}

/** What one worker process stores of all files: the name of each, and the hash of all that it stored. */
async function storeAll(env: Record<string, string>): Promise<{ results: Map<string, string>; ready: number }> {
  const scope = await makeProject();
  const ids = new Map<string, string>();
  // The same bytes twice are one upload: the second name stands for the first.
  for (const file of FILES)
    ids.set(path.relative(root, file), await send(scope, readFileSync(file), path.basename(file)));
  const worker = await start(env);
  const { projectId } = scope;
  const countUndone = () =>
    database().trajectory.count({ where: { projectId, status: { notIn: ["ready", "failed"] } } });
  await expect.poll(countUndone, PATIENT).toBe(0);
  expect(await worker.end("SIGTERM")).toBe(0);
  const results = new Map<string, string>();
  for (const [file, id] of ids) {
    results.set(
      file,
      createHash("sha256")
        .update(canonical(await storedUnder(id)))
        .digest("hex"),
    );
  }
  return { results, ready: await database().trajectory.count({ where: { projectId, status: "ready" } }) };
}

test("R13: the same bytes are stored alike to the byte, in other processes, time zones and locales, and on a busy machine", {
  timeout: 300_000,
}, async () => {
  const here = await storeAll({ TZ: "UTC", LANG: "C", LC_ALL: "C" });
  expect(here.ready).toBeGreaterThan(30);
  expect(here.ready).toBeLessThan(FILES.length);
  // What is compared is what was imported, not that there was something.
  expect(new Set(here.results.values()).size).toBeGreaterThan(here.ready);
  const far = await storeAll({ TZ: "Pacific/Kiritimati", LANG: "tr_TR.UTF-8", LC_ALL: "tr_TR.UTF-8" });
  expect(far.results).toEqual(here.results);
  burn();
  burn();
  const busy = await storeAll({ TZ: "America/St_Johns", LANG: "de_DE.UTF-8", LC_ALL: "de_DE.UTF-8" });
  expect(busy.results).toEqual(here.results);
  expect(await database().analysis.count({ where: { status: "failed" } })).toBe(0);
});
