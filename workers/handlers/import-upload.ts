import type { Job } from "pg-boss";
import { failedAttempts, type HeldJob, importUploadSchema } from "@/lib/jobs";
import { errorForLog } from "@/lib/store/error-log";
import { beginImport, failImport, type ImportProgress, reportImport } from "@/lib/store/import-status";
import { isImported } from "@/lib/store/imports";
import type { ProjectScope } from "@/lib/store/scope";
import { mintProjectScope } from "@/lib/store/scope-mint";
import type { ImportThreads, ThreadProgress } from "../import-threads";

/**
 * Imports one upload. Idempotent: the job's id is unique among imports, so a second run (after a kill, or beside an
 * attempt that only looked dead) finds the import and does nothing. What is wrong with the upload is put on the row and the
 * job is done; only what another attempt may not meet is thrown, and the queue tries again.
 */
export async function importUpload(job: HeldJob, threads: ImportThreads): Promise<void> {
  const { projectId, trajectoryId } = importUploadSchema.parse(job.data);
  const scope = mintProjectScope(projectId, { kind: "system", id: "worker", name: "Worker" });
  if (await isImported(scope, job.id)) return;
  const target = await beginImport(scope, trajectoryId);
  if (target === null) return;
  const { attempt } = target;
  const progress = latestOnly((latest: ImportProgress) => reportImport(scope, trajectoryId, attempt, latest));
  try {
    const order = { kind: "import" as const, projectId, trajectoryId, jobId: job.id, target };
    // Its last worker may have died of it: what runs beside it now shall not die again.
    const where = failedAttempts(job) > 0 ? "apart" : "thread";
    const show = (message: ThreadProgress): void => {
      if (message.kind === "progress") progress.put(message.progress);
    };
    const outcome = await threads.run(order, show, job.signal, where);
    if (outcome.kind === "failed") await failImport(scope, trajectoryId, attempt, outcome.failure);
    else if (outcome.outcome !== "stored") sayUnused(trajectoryId, outcome.outcome);
  } catch (error) {
    if (job.signal.aborted) sayUnused(trajectoryId, "the job was taken away");
    throw error;
  } finally {
    await progress.settled();
  }
}

/** Not a failure of anybody, but somebody may wonder where the time of this worker went. */
function sayUnused(trajectoryId: string, why: string): void {
  console.log(`[import] ${trajectoryId}: what this attempt did is not used (${why})`);
}

/** The row of a job that was tried as often as it may be: its worker died each time, or the database was away each time. */
export async function buryImport(job: Job<unknown>): Promise<void> {
  const { projectId, trajectoryId } = importUploadSchema.parse(job.data);
  const scope: ProjectScope = mintProjectScope(projectId, { kind: "system", id: "worker", name: "Worker" });
  await failImport(scope, trajectoryId, null, {
    code: "abandoned",
    message:
      "The import was started several times and never came to its end: the worker stopped in the middle of it. " +
      "Its log says why; the upload is kept, and the import can be tried again.",
    byte: null,
    line: null,
    pointer: null,
  });
}

/** Writes values one after the other; while one is being written only the newest of the others is kept. */
function latestOnly<T>(write: (value: T) => Promise<void>): { put(value: T): void; settled(): Promise<void> } {
  let waiting: { value: T } | null = null;
  let running: Promise<void> | null = null;
  const run = async (): Promise<void> => {
    while (waiting !== null) {
      const { value } = waiting;
      waiting = null;
      // Progress is for looking at; the import does not fail because it could not be shown.
      await write(value).catch((error: unknown) => console.error("[import] progress not shown:", errorForLog(error)));
    }
    running = null;
  };
  return {
    put(value) {
      waiting = { value };
      running ??= run();
    },
    async settled() {
      await running;
    },
  };
}
