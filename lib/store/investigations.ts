import { randomBytes } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { enqueueInvestigation, fromClient, prepareQueue } from "@/lib/jobs";
import { type InvestigationSettings, investigationSettingsSchema } from "@/lib/views/investigation";
import { recordAudit } from "./audit";
import { toJsonb } from "./bulk-insert";
import { inTransaction, pool } from "./client";
import { giverOf } from "./given-failure";
import { newId } from "./identifiers";
import { refusalOfDay } from "./judge-calls";
import { ownedAnalysis } from "./owned-analysis";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";

/** Postgres' code of a unique index that is hurt. */
const UNIQUE_VIOLATION = "23505";

/** What starting an investigation hangs on. */
export interface Startable {
  importId: string;
  parserVersion: string;
  hasReference: boolean;
  turnCount: number;
  /** As the list shows it: a person's word, else the trace's. */
  outcome: string | null;
}

/**
 * What a trajectory's investigations hang on. It is asked for every second while one runs: the texts of the failure stay in
 * the database.
 * @throws AppError `not_found` when the project has no such trajectory or it has no import yet.
 */
export async function getStartable(scope: ProjectScope, id: unknown): Promise<Startable> {
  checkProjectScope(scope);
  const { rows } = await pool().query<Startable>(
    `SELECT i."id" AS "importId", i."parserVersion", i."turnCount", t."outcome",
       EXISTS (SELECT 1 FROM "GivenPart" g WHERE g."trajectoryId" = t."id" AND g."part" = 'referencePatch')
         OR coalesce(i."failureContext"->>'referencePatch', '') ~ '\\S' AS "hasReference"
     FROM "Trajectory" t JOIN "Import" i ON i."id" = t."currentImportId" WHERE t."id" = $1 AND t."projectId" = $2`,
    [checkId(id), scope.projectId],
  );
  const row = rows[0];
  if (row === undefined) throw new AppError("not_found", "There is no such trajectory, or it is not imported yet.");
  return row;
}

/** Why an investigation may not be started, in words; null when it may. */
export async function refusalOf(scope: ProjectScope, { turnCount, outcome }: Startable): Promise<string | null> {
  return (
    refusalOfModel() ??
    (turnCount === 0 ? "The trajectory holds no turns." : null) ??
    (outcome === "resolved" ? "The run is known to have succeeded: there is no error to look for." : null) ??
    (await refusalOfDay(scope))
  );
}

function refusalOfModel(): string | null {
  const { model } = env();
  if (model === null) return "No model is configured. The settings page says how to add one.";
  return model.model === null ? "OPENAI_MODEL is missing: name the model to ask." : null;
}

/**
 * Starts an investigation of the current import: a row and its job, or neither.
 * @returns its identifier.
 * @throws AppError `not_found`; `bad_request` for other settings, and for a second judge where none is configured; `conflict` when one may not be started, or one is running.
 */
export async function startInvestigation(scope: ProjectScope, id: unknown, given: unknown): Promise<string> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const settings = readSettings(given);
  const startable = await getStartable(scope, trajectoryId);
  const { importId } = startable;
  const refusal = await refusalOf(scope, startable);
  if (refusal !== null) throw new AppError("conflict", refusal);
  if (settings.secondJudge && env().model?.secondModel == null) {
    throw new AppError("bad_request", "There is no second judge: OPENAI_SECOND_MODEL names none.");
  }
  await prepareQueue();
  const analysisId = newId();
  try {
    await inTransaction(async (client) => {
      await client.query(
        `INSERT INTO "Analysis" ("id", "importId", "kind", "engine", "version", "status", "settings", "secret",
           "createdBy", "createdByName", "createdAt")
         VALUES ($1, $2, 'investigation', 'investigator', '', 'queued', $3, $4, $5, $6, now())`,
        [
          analysisId,
          importId,
          toJsonb(settings),
          randomBytes(32).toString("base64url"),
          giverOf(scope),
          scope.actor.name,
        ],
      );
      const data = { analysisId, importId };
      await recordAudit(scope, { action: "investigation.start", subject: trajectoryId, data }, client);
      await enqueueInvestigation(fromClient(client), { projectId: scope.projectId, trajectoryId, analysisId });
    });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === UNIQUE_VIOLATION) {
      throw new AppError("conflict", "An investigation of this trajectory is running already.");
    }
    throw error;
  }
  return analysisId;
}

function readSettings(given: unknown): InvestigationSettings {
  const parsed = investigationSettingsSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError("bad_request", `The settings are wrong at ${issue?.path.join(".")}: ${issue?.message}.`);
}

/**
 * Ends an investigation that is queued or running. A question that is under way is given up within seconds; what was
 * answered stays in the log of calls.
 * @throws AppError `not_found`, or `conflict` when it has ended.
 */
export async function cancelInvestigation(scope: ProjectScope, id: unknown, analysis: unknown): Promise<void> {
  checkProjectScope(scope);
  const [trajectoryId, analysisId] = [checkId(id), checkId(analysis)];
  const owned = ownedAnalysis({ trajectory: 2, project: 3 });
  await inTransaction(async (client) => {
    const ended = await client.query(
      `UPDATE "Analysis" a SET "status" = 'cancelled', "endedAt" = now()
       WHERE a."id" = $1 AND a."kind" = 'investigation' AND a."status" IN ('queued', 'running') AND ${owned}`,
      [analysisId, trajectoryId, scope.projectId],
    );
    if (ended.rowCount === 0) {
      const there = await client.query(
        `SELECT 1 FROM "Analysis" a WHERE a."id" = $1 AND a."kind" = 'investigation' AND ${owned}`,
        [analysisId, trajectoryId, scope.projectId],
      );
      throw there.rowCount === 0
        ? new AppError("not_found", "There is no such investigation.")
        : new AppError("conflict", "The investigation has ended.");
    }
    await recordAudit(scope, { action: "investigation.cancel", subject: trajectoryId, data: { analysisId } }, client);
  });
}
