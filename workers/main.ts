import { randomBytes } from "node:crypto";
import { Socket } from "node:net";
import os from "node:os";
import { setFlagsFromString } from "node:v8";
import { env } from "@/lib/env";
import { excuseAttempt, type HeldJob, JOB_REFRESH_SECONDS, QUEUE, startWorkerQueue } from "@/lib/jobs";
import { disconnect } from "@/lib/store/client";
import { errorForLog } from "@/lib/store/error-log";
import { removeAbandonedUploads } from "@/lib/store/uploads";
import { beat, forgetWorker, HEARTBEAT_EVERY_MS } from "@/lib/store/workers";
import { buryImport, importUpload } from "./handlers/import-upload";
import { buryInvestigation, investigateTrajectory } from "./handlers/investigate";
import { ImportThreads } from "./import-threads";
import { Turnstile } from "./turnstile";

/** Imports at the same time in one process. More machines means more processes, not more of this. */
const CONCURRENCY = Math.max(1, Math.min(2, os.availableParallelism()));
const HEAP_MIB = Math.max(512, Math.min(4_096, Math.floor(os.totalmem() / 1_048_576 / 2 / CONCURRENCY)));
const IMPORT_TIMEOUT_MS = 30 * 60_000;
const CLEAN_EVERY_MS = 3_600_000;
/** A stop waits this long for imports to finish; what does not is given back to the queue for the next worker. */
const STOP_TIMEOUT_MS = 4_000;
/** And it is over then, whatever hangs: who stops a worker kills it soon after. */
const STOP_LIMIT_MS = 10_000;

// The engine lets garbage grow to several times what is in use before it looks; an import of 100 MB is mostly long texts,
// which cost next to nothing to look at.
setFlagsFromString("--heap-growing-percent=20");
// For import-pipeline.ts, which knows when much has just been let go.
setFlagsFromString("--expose-gc");

const workerId = randomBytes(8).toString("hex");
const threads = new ImportThreads({ heapMib: HEAP_MIB, timeoutMs: IMPORT_TIMEOUT_MS });
const boss = await startWorkerQueue();

const logged = (what: string) => (error: unknown) => console.error(`[worker] ${what}: ${errorForLog(error)}`);

const timers: NodeJS.Timeout[] = [];
let launcher: Socket | null = null;
let stopping = false;
async function stop(timeoutMs: number): Promise<void> {
  if (stopping) return;
  stopping = true;
  for (const timer of timers) clearInterval(timer);
  setTimeout(() => process.exit(1), STOP_LIMIT_MS).unref();
  // An import whose thread is ended fails in a way that is tried again: the queue has its job back before we go.
  const giveBack = setTimeout(() => void threads.stop(), timeoutMs);
  await boss.stop({ graceful: true, timeout: timeoutMs + 2_000 }).catch(logged("stopping the queue"));
  clearTimeout(giveBack);
  await threads.stop();
  await forgetWorker(workerId).catch(logged("signing off"));
  await disconnect().catch(logged("disconnecting"));
  launcher?.destroy();
  // The process ends by itself, because nothing is open any more; with 1, by the timer above, when something is.
}

for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => void stop(STOP_TIMEOUT_MS));

// The launcher holds the other end of this pipe for as long as it lives; kill -9 closes it too.
const { launcherFd } = env();
if (launcherFd !== null) {
  launcher = new Socket({ fd: launcherFd, readable: true, writable: false });
  launcher.on("error", () => void stop(0));
  launcher.on("close", () => void stop(0));
  launcher.resume();
}

/** Runs one attempt of a job. One that this worker has to give back because it stops does not count. */
async function attempt(job: HeldJob, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (threads.isStopped) await excuseAttempt(boss, job).catch(logged("handing a job back"));
    throw error;
  }
}

async function work(): Promise<void> {
  // After a job the next one is fetched at once while some are ready: a hundred small files do not wait a second each.
  const polling = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5, burstWhenReadyExceeds: 1 };
  const held = { ...polling, heartbeatRefreshSeconds: JOB_REFRESH_SECONDS, includeMetadata: true as const };
  await boss.work(QUEUE.importUpload, { ...held, localConcurrency: CONCURRENCY }, async ([job]: HeldJob[]) => {
    if (job) await attempt(job, () => importUpload(job, threads));
  });
  await boss.work<unknown>(QUEUE.importAbandoned, polling, async ([job]) => {
    if (job) await buryImport(job);
  });
  const reading = new Turnstile();
  const investigations = { ...held, localConcurrency: env().investigationsAtOnce };
  await boss.work(QUEUE.investigate, investigations, async ([job]: HeldJob[]) => {
    if (job) await attempt(job, () => investigateTrajectory(job, threads, reading));
  });
  await boss.work<unknown>(QUEUE.investigateAbandoned, polling, async ([job]) => {
    if (job) await buryInvestigation(job);
  });

  await beat(workerId);
  if (stopping) return;
  // Not before the first sign of life: loading the parsers takes processor time that a start waits for.
  threads.warm(1);
  timers.push(setInterval(() => void beat(workerId).catch(logged("heartbeat")), HEARTBEAT_EVERY_MS));
  const clean = (): void => void removeAbandonedUploads().catch(logged("cleaning up uploads"));
  clean();
  timers.push(setInterval(clean, CLEAN_EVERY_MS));
  console.log(`worker ${process.pid} ready`);
}

// Asked to stop while it was starting: what could not be started any more is no failure.
await work().catch((error: unknown) => {
  if (!stopping) throw error;
});
