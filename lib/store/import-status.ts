import { AppError } from "@/lib/errors";
import { enqueueImport, fromPrisma, prepareQueue } from "@/lib/jobs";
import { type FailureContext, failureContextSchema } from "@/lib/trajectory/schema";
import { recordAudit } from "./audit";
import { toJsonb } from "./bulk-insert";
import { database, pool } from "./client";
import { Prisma } from "./generated/client";
import { newId } from "./identifiers";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";
import { type StoredPart, storedPartSchema } from "./stored-part";
import type { Failure } from "./trajectories";

// What a worker asks of its database goes by pg, here and in what else it calls: the compiler of Prisma's queries is loaded
// with the first of them and takes 80 MB and more of the process that imports (decision 0008).

/** What an import works on. */
export interface ImportTarget {
  /**
   * This attempt. It stands on the row until another attempt begins or the row leaves `importing`; from then on nothing of
   * this one counts, however late it comes (a worker that was stopped and went on, after its job was given to another).
   */
  attempt: string;
  uploadId: string;
  uploadBytes: number;
  /** Which trajectory of a file with several it is; null for a file that is read as a whole. */
  part: StoredPart | null;
  name: string;
  /** Of what is read: the upload, or the part's own stretch of it. */
  sizeBytes: number;
  /** How the run ended, when a person said so. */
  givenOutcome: FailureContext["outcome"] | null;
}

/**
 * How far an import is. `done` and `total` are bytes of the upload while it is read, percent while it is stored; the phases
 * between are short and have no measure (total 0).
 */
export interface ImportProgress {
  phase: "reading" | "replaying" | "judging" | "storing";
  done: number;
  total: number;
  turns: number;
}

/** Takes a row from queued (or from an attempt that died) to importing. Null when it is not there or needs no import. */
export async function beginImport(scope: ProjectScope, id: string): Promise<ImportTarget | null> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const attempt = newId();
  const progress: ImportProgress = { phase: "reading", done: 0, total: 0, turns: 0 };
  const { rows } = await pool().query<{
    uploadId: string;
    uploadBytes: string;
    part: unknown;
    name: string;
    givenOutcome: unknown;
  }>(
    `UPDATE "Trajectory" t SET "status" = 'importing', "failure" = NULL, "progress" = $3, "updatedAt" = now()
     FROM "Upload" u
     WHERE t."id" = $1 AND t."projectId" = $2 AND t."status" IN ('queued', 'importing') AND u."id" = t."uploadId"
     RETURNING t."uploadId", u."sizeBytes" AS "uploadBytes", t."part", t."name", t."givenOutcome"`,
    [trajectoryId, scope.projectId, toJsonb({ attempt, ...progress })],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { uploadId, name } = row;
  const uploadBytes = Number(row.uploadBytes);
  const part = storedPartSchema.nullable().parse(row.part);
  const sizeBytes = part?.range ? part.range.end - part.range.start : uploadBytes;
  const givenOutcome = failureContextSchema.shape.outcome.nullable().parse(row.givenOutcome);
  return { attempt, uploadId, uploadBytes, part, name, sizeBytes, givenOutcome };
}

/** Shows how far an attempt is. Does nothing to a row that this attempt does not have (any more). */
export async function reportImport(
  scope: ProjectScope,
  id: string,
  attempt: string,
  progress: ImportProgress,
): Promise<void> {
  checkProjectScope(scope);
  await pool().query(
    `UPDATE "Trajectory" SET "progress" = $4, "updatedAt" = now()
     WHERE "id" = $1 AND "projectId" = $2 AND "status" = 'importing' AND "progress"->>'attempt' = $3`,
    [checkId(id), scope.projectId, checkId(attempt), toJsonb({ attempt, ...progress })],
  );
}

/**
 * Puts the reason of a failure on the row. A row that became ready stays ready, and one that another attempt has by now is
 * that attempt's. `attempt` is null when there is none left.
 */
export async function failImport(
  scope: ProjectScope,
  id: string,
  attempt: string | null,
  failure: Failure,
): Promise<void> {
  checkProjectScope(scope);
  await pool().query(
    `UPDATE "Trajectory" SET "status" = 'failed', "progress" = NULL, "failure" = $4, "updatedAt" = now()
     WHERE "id" = $1 AND "projectId" = $2 AND "status" IN ('queued', 'importing')
       AND ($3::text IS NULL OR "progress"->>'attempt' = $3)`,
    [checkId(id), scope.projectId, attempt === null ? null : checkId(attempt), toJsonb(failure)],
  );
}

/**
 * Queues the import of a failed row again.
 * @throws AppError `not_found`, or `conflict` when the row did not fail.
 */
export async function retryImport(scope: ProjectScope, id: unknown): Promise<void> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  await prepareQueue();
  await database().$transaction(async (tx) => {
    await queueAgain(tx, scope, trajectoryId, ["failed"], "Only a failed import can be tried again.");
    await recordAudit(scope, { action: "import.retry", subject: trajectoryId }, tx);
  });
}

/**
 * Queues another import of a row that is ready, with the rules of today; what is there stays until the new one is written.
 * A file with several trajectories is taken apart again, and each of them read again.
 * @throws AppError `not_found`, or `conflict` when an import is waiting or running, or the last one failed.
 */
export async function readAgain(scope: ProjectScope, id: unknown): Promise<void> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  await prepareQueue();
  await database().$transaction(async (tx) => {
    await queueAgain(
      tx,
      scope,
      trajectoryId,
      ["ready", "several"],
      "Only a trajectory that is imported can be read again.",
    );
    await recordAudit(scope, { action: "import.again", subject: trajectoryId }, tx);
  });
}

/**
 * Takes a row from one of `from` back to queued and queues its job, inside the caller's transaction. The condition is in
 * the update itself, so of two simultaneous requests one wins.
 */
export async function queueAgain(
  tx: Prisma.TransactionClient,
  scope: ProjectScope,
  trajectoryId: string,
  from: ("ready" | "several" | "failed")[],
  otherwise: string,
): Promise<void> {
  const { count } = await tx.trajectory.updateMany({
    where: { id: trajectoryId, projectId: scope.projectId, status: { in: from } },
    data: { status: "queued", failure: Prisma.DbNull, progress: Prisma.DbNull },
  });
  if (count === 0) {
    const there = await tx.trajectory.count({ where: { id: trajectoryId, projectId: scope.projectId } });
    throw there === 0 ? new AppError("not_found", "There is no such trajectory.") : new AppError("conflict", otherwise);
  }
  await enqueueImport(fromPrisma(tx), { projectId: scope.projectId, trajectoryId });
}
