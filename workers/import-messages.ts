import { AppError, IngestError } from "@/lib/errors";
import { JudgeError } from "@/lib/judge/port";
import { codeOf, isDatabaseAway } from "@/lib/store/database-away";
import { errorForLog } from "@/lib/store/error-log";
import type { ImportProgress, ImportTarget } from "@/lib/store/import-status";
import type { StoreOutcome } from "@/lib/store/imports";
import type { InvestigationTarget } from "@/lib/store/investigation-work";
import type { Failure } from "@/lib/store/trajectories";

/** What the worker process asks of an import thread. */
export interface ImportOrder {
  kind: "import";
  projectId: string;
  trajectoryId: string;
  jobId: string;
  target: ImportTarget;
}

/** An investigation runs in a thread too: it reads the upload again before it asks. */
export interface InvestigateOrder {
  kind: "investigate";
  projectId: string;
  trajectoryId: string;
  analysisId: string;
  target: InvestigationTarget;
}

export type Order = ImportOrder | InvestigateOrder;

/**
 * What an import thread says. `prepared`: an investigation has read its trajectory, and waits for answers from now on.
 * `broken` is for failures that another attempt may not meet.
 */
export type ImportMessage =
  | { kind: "progress"; progress: ImportProgress }
  | { kind: "prepared" }
  | { kind: "finished"; outcome: StoreOutcome | "ended" }
  | { kind: "failed"; failure: Failure }
  | { kind: "broken"; message: string };

const NOWHERE = { byte: null, line: null, pointer: null };

const REASON_MAX_CHARS = 2_000;

/** Error classes of Postgres, and Prisma's deadlock, that are about the server or the moment, not about what was sent. */
const PASSING_CODE = /^(40|53|55|57|58|P2034$)/;

/**
 * Sorts what an import or an investigation threw. A reason in the upload, or a defect of ours, would come back the same and is put on the row;
 * a database that cannot be reached or a deadlock is worth another attempt.
 */
export function sortFailure(error: unknown): Exclude<ImportMessage, { kind: "progress" | "prepared" | "finished" }> {
  if (error instanceof IngestError) {
    // A reason may quote a name from the file, which may be of any length.
    const message = error.message.slice(0, REASON_MAX_CHARS).toWellFormed();
    return { kind: "failed", failure: { code: error.code, message, ...error.at } };
  }
  if (error instanceof AppError && error.code !== "unavailable") {
    return { kind: "failed", failure: { code: error.code, message: error.message, ...NOWHERE } };
  }
  if (error instanceof JudgeError) {
    return { kind: "failed", failure: { code: error.code, message: error.message, ...NOWHERE } };
  }
  if (isPassing(error)) return { kind: "broken", message: error instanceof Error ? error.message : "unknown" };
  console.error("[import] failed:", errorForLog(error));
  const name = error instanceof Error ? error.name : "Error";
  return {
    kind: "failed",
    failure: {
      code: "internal",
      message: `Misstep met a case that it does not handle (${name}). The upload is kept and can be downloaded.`,
      ...NOWHERE,
    },
  };
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (error instanceof AppError) return error.code === "unavailable";
  if (isDatabaseAway(error) || PASSING_CODE.test(codeOf(error))) return true;
  return error.cause !== undefined && isPassing(error.cause);
}
