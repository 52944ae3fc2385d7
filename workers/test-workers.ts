import { afterEach } from "vitest";
import { startWorker, type WorkerProcess } from "./worker-process";

/** Starts worker processes on the database of a test file. What still runs after a test is killed. */
export function withWorkers(url: () => string): () => Promise<WorkerProcess> {
  const running = new Set<WorkerProcess>();
  afterEach(async () => {
    for (const worker of running) if (worker.child.exitCode === null) await worker.end("SIGKILL");
    running.clear();
  });
  return async () => {
    const worker = await startWorker(url());
    running.add(worker);
    return worker;
  };
}
