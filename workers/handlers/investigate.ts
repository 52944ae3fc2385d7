import type { Job } from "pg-boss";
import { failedAttempts, type HeldJob, investigateSchema } from "@/lib/jobs";
import { beginInvestigation, failInvestigation } from "@/lib/store/investigation-work";
import { mintProjectScope } from "@/lib/store/scope-mint";
import type { ImportThreads } from "../import-threads";
import type { Turnstile } from "../turnstile";

/** The trajectory of a larger one stays in memory until it ends: no other is read beside it. */
const LARGE_BYTES = 32 * 1_048_576;

/**
 * Runs one investigation. Idempotent: what was asked stands in the log of calls, and a second run (after a kill) takes the
 * answers from there. Why it failed is put on the row and the job is done; only what another attempt may not meet is thrown.
 * @param reading keeps investigations from reading their uploads side by side, which takes the processors from imports.
 */
export async function investigateTrajectory(job: HeldJob, threads: ImportThreads, reading: Turnstile): Promise<void> {
  const { projectId, trajectoryId, analysisId } = investigateSchema.parse(job.data);
  const scope = mintProjectScope(projectId, { kind: "system", id: "worker", name: "Worker" });
  const leave = await reading.enter();
  try {
    const target = await beginInvestigation(scope, { trajectoryId, analysisId });
    if (target === null) return;
    const order = { kind: "investigate" as const, projectId, trajectoryId, analysisId, target };
    const where = failedAttempts(job) > 0 ? "apart" : "thread";
    const prepared = (): void => {
      if (target.sizeBytes <= LARGE_BYTES) leave();
    };
    const outcome = await threads.run(order, prepared, job.signal, where);
    if (outcome.kind === "failed") await failInvestigation(scope, analysisId, outcome.failure);
  } finally {
    leave();
  }
}

/** The row of a job that was tried as often as it may be. */
export async function buryInvestigation(job: Job<unknown>): Promise<void> {
  const { projectId, analysisId } = investigateSchema.parse(job.data);
  const scope = mintProjectScope(projectId, { kind: "system", id: "worker", name: "Worker" });
  await failInvestigation(scope, analysisId, {
    code: "abandoned",
    message: "The investigation was started several times and never came to its end. It can be started again.",
  });
}
