import { parentPort } from "node:worker_threads";
import { invariant } from "@/lib/errors";
import { mintProjectScope } from "@/lib/store/scope-mint";
import { type ImportMessage, type Order, sortFailure } from "./import-messages";
import { runImport } from "./import-pipeline";
import { runInvestigation } from "./investigation-pipeline";

// Parsing and replaying are synchronous and may take seconds. They run in this thread, so that the process's own loop is
// always free to say that it holds the job, and so that a file that needs too much memory ends a thread, not the worker.
// What a worker did not survive is tried again by a process of its own, which runs this file too (import-lane.ts).

/** Progress is shown at most this often. */
const REPORT_EVERY_MS = 250;

function say(message: ImportMessage): void {
  if (parentPort !== null) parentPort.postMessage(message);
  else process.send?.(message);
}

async function handle(order: Order): Promise<void> {
  try {
    const scope = mintProjectScope(order.projectId, { kind: "system", id: "worker", name: "Worker" });
    if (order.kind === "investigate") {
      const prepared = (): void => say({ kind: "prepared" });
      say({ kind: "finished", outcome: await runInvestigation(scope, order, order.target, prepared) });
      return;
    }
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

if (parentPort !== null) parentPort.on("message", (order: Order) => void handle(order));
else {
  invariant(process.send !== undefined, "import-thread.ts is run by a worker");
  process.on("message", (order: Order) => void handle(order));
  // The worker is gone, and with it who would hear of this.
  process.on("disconnect", () => process.exit(1));
  // Sent to the whole group by a terminal; the worker decides.
  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => undefined);
}
