import { parentPort } from "node:worker_threads";
import { invariant } from "@/lib/errors";
import { mintProjectScope } from "@/lib/store/scope-mint";
import { type ImportMessage, type ImportOrder, sortFailure } from "./import-messages";
import { runImport } from "./import-pipeline";

// Parsing and replaying are synchronous and may take seconds. They run in this thread, so that the process's own loop is
// always free to say that it holds the job, and so that a file that needs too much memory ends a thread, not the worker.

/** Progress is shown at most this often. */
const REPORT_EVERY_MS = 250;

invariant(parentPort !== null, "import-thread.ts is the entry of a worker thread");
const port = parentPort;
const say = (message: ImportMessage): void => port.postMessage(message);

async function handle(order: ImportOrder): Promise<void> {
  try {
    const scope = mintProjectScope(order.projectId, { kind: "system", id: "worker", name: "Worker" });
    let lastMs = 0;
    let lastPhase = "";
    const outcome = await runImport(scope, order, order.target, (progress) => {
      const nowMs = performance.now();
      if (progress.phase === lastPhase && nowMs - lastMs < REPORT_EVERY_MS) return;
      lastMs = nowMs;
      lastPhase = progress.phase;
      say({ kind: "progress", progress });
    });
    say({ kind: "finished", outcome });
  } catch (error) {
    say(sortFailure(error));
  }
}

port.on("message", (order: ImportOrder) => void handle(order));
