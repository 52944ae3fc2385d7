import { z } from "zod";
import type { Diagnosis, InvestigationSettings, TrailStep } from "@/lib/investigator/diagnosis";
import type { GivenFailure } from "@/lib/trajectory/given-failure";
import { investigationSettingsSchema } from "@/lib/views/investigation";
import { toJsonb } from "./bulk-insert";
import { inTransaction, pool } from "./client";
import { getGivenFailure } from "./given-failure";
import { ownedAnalysis } from "./owned-analysis";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";
import { type StoredPart, storedPartSchema } from "./stored-part";

// What a worker asks of its database goes by pg (import-status.ts says why).

/** What an investigation works on. */
export interface InvestigationTarget {
  importId: string;
  /** Of the import that it is about. */
  parserVersion: string;
  settings: InvestigationSettings;
  /** What the nonces of its questions are made from. */
  secret: string;
  given: GivenFailure;
  uploadId: string;
  uploadBytes: number;
  /** Of what is read: the upload, or the part's own stretch of it. */
  sizeBytes: number;
  part: StoredPart | null;
  name: string;
}

/** Takes an investigation from queued (or from an attempt that died) to running. Null when it has ended or is gone. */
export async function beginInvestigation(
  scope: ProjectScope,
  { trajectoryId, analysisId }: { trajectoryId: string; analysisId: string },
): Promise<InvestigationTarget | null> {
  checkProjectScope(scope);
  const { rows } = await pool().query<{
    importId: string;
    parserVersion: string;
    settings: unknown;
    secret: string | null;
    uploadId: string;
    uploadBytes: string;
    part: unknown;
    name: string;
  }>(
    `UPDATE "Analysis" a SET "status" = 'running', "startedAt" = coalesce(a."startedAt", now())
     FROM "Import" i, "Trajectory" t, "Upload" u
     WHERE a."id" = $1 AND a."kind" = 'investigation' AND a."status" IN ('queued', 'running') AND i."id" = a."importId"
       AND t."id" = i."trajectoryId" AND t."id" = $2 AND t."projectId" = $3 AND u."id" = t."uploadId"
     RETURNING i."id" AS "importId", i."parserVersion", a."settings", a."secret", t."uploadId",
       u."sizeBytes" AS "uploadBytes", t."part", t."name"`,
    [checkId(analysisId), checkId(trajectoryId), scope.projectId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  const { importId, parserVersion, uploadId, name } = row;
  const uploadBytes = Number(row.uploadBytes);
  const part = storedPartSchema.nullable().parse(row.part);
  return {
    ...{ importId, parserVersion, uploadId, name },
    settings: investigationSettingsSchema.parse(row.settings),
    secret: z.string().min(32).parse(row.secret),
    given: await getGivenFailure(scope, trajectoryId),
    ...{ uploadBytes, part, sizeBytes: part?.range ? part.range.end - part.range.start : uploadBytes },
  };
}

/** Shows how far it is. @returns false when it is not running any more, because somebody ended it. */
export async function reportInvestigation(
  scope: ProjectScope,
  analysisId: string,
  trail: readonly TrailStep[],
): Promise<boolean> {
  checkProjectScope(scope);
  const { rowCount } = await pool().query(
    `UPDATE "Analysis" a SET "progress" = $3
     WHERE a."id" = $1 AND a."status" = 'running' AND ${ownedAnalysis({ project: 2 })}`,
    [checkId(analysisId), scope.projectId, toJsonb(trail)],
  );
  return rowCount !== 0;
}

/**
 * Stores what an investigation says and shows its verdict in the list, when its import is still the current one. Does nothing
 * to one that was ended meanwhile.
 */
export async function finishInvestigation(
  scope: ProjectScope,
  analysisId: string,
  diagnosis: Diagnosis,
): Promise<"stored" | "ended"> {
  checkProjectScope(scope);
  return inTransaction(async (client) => {
    const done = await client.query<{ importId: string }>(
      `UPDATE "Analysis" a SET "status" = 'done', "result" = $3, "version" = $4, "progress" = NULL, "endedAt" = now()
       WHERE a."id" = $1 AND a."status" = 'running' AND ${ownedAnalysis({ project: 2 })} RETURNING a."importId"`,
      [checkId(analysisId), scope.projectId, toJsonb(diagnosis), diagnosis.verdict.engineVersion],
    );
    const importId = done.rows[0]?.importId;
    if (importId === undefined) return "ended";
    const { status, engine } = diagnosis.verdict;
    await client.query(
      `UPDATE "Trajectory" SET "verdictStatus" = $3, "verdictTurn" = $4, "verdictEngine" = $5, "updatedAt" = now()
       WHERE "currentImportId" = $1 AND "projectId" = $2`,
      [importId, scope.projectId, status, diagnosis.finding?.turn ?? null, engine],
    );
    return "stored";
  });
}

/** Puts the reason of a failure on an investigation that has not ended. A failure is never a verdict. */
export async function failInvestigation(
  scope: ProjectScope,
  analysisId: string,
  error: { code: string; message: string },
): Promise<void> {
  checkProjectScope(scope);
  await pool().query(
    `UPDATE "Analysis" a SET "status" = 'failed', "error" = $3, "endedAt" = now()
     WHERE a."id" = $1 AND a."status" IN ('queued', 'running') AND ${ownedAnalysis({ project: 2 })}`,
    [checkId(analysisId), scope.projectId, toJsonb(error)],
  );
}
