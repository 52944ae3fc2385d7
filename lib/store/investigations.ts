import { randomBytes } from "node:crypto";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { enqueueInvestigation, fromClient, prepareQueue } from "@/lib/jobs";
import { mergeFailure } from "@/lib/trajectory/given-failure";
import { failureContextSchema } from "@/lib/trajectory/schema";
import { type InvestigationSettings, investigationSettingsSchema } from "@/lib/views/investigation";
import { recordAudit } from "./audit";
import { toJsonb } from "./bulk-insert";
import { inTransaction, pool } from "./client";
import { getGivenFailure, giverOf } from "./given-failure";
import { newId } from "./identifiers";
import { tokensToday } from "./judge-calls";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";
import { storedHeadSchema } from "./stored-import";

/** Postgres' code of a unique index that is hurt. */
const UNIQUE_VIOLATION = "23505";

/** What has to be there before a model is asked about a trajectory. */
export interface Startable {
  importId: string;
  parserVersion: string;
  hasReference: boolean;
  /** Why none may be started, in words; null when one may. */
  refusal: string | null;
}

/**
 * Whether an investigation of a trajectory may be started, and if not, why.
 * @throws AppError `not_found` when the project has no such trajectory or it has no import yet.
 */
export async function canInvestigate(scope: ProjectScope, id: unknown): Promise<Startable> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const { rows } = await pool().query<
    Pick<Startable, "importId" | "parserVersion"> & { failureContext: unknown; head: unknown; turnCount: number }
  >(
    `SELECT i."id" AS "importId", i."parserVersion", i."failureContext", i."head", i."turnCount" FROM "Trajectory" t
     JOIN "Import" i ON i."id" = t."currentImportId" WHERE t."id" = $1 AND t."projectId" = $2`,
    [trajectoryId, scope.projectId],
  );
  const row = rows[0];
  if (row === undefined) throw new AppError("not_found", "There is no such trajectory, or it is not imported yet.");
  const taskStatement = storedHeadSchema.parse(row.head).task.statement;
  const trace = { failure: failureContextSchema.parse(row.failureContext), taskStatement };
  const { failure } = mergeFailure(trace, await getGivenFailure(scope, trajectoryId));
  const { importId, parserVersion } = row;
  const hasReference = failure.referencePatch !== null;
  const refusal =
    refusalOfModel() ??
    (row.turnCount === 0 ? "The trajectory holds no turns." : null) ??
    (failure.outcome === "resolved" ? "The run is known to have succeeded: there is no error to look for." : null) ??
    (await refusalOfLimit(scope));
  return { importId, parserVersion, hasReference, refusal };
}

function refusalOfModel(): string | null {
  const { model } = env();
  if (model === null) return "No model is configured. The settings page says how to add one.";
  return model.model === null ? "OPENAI_MODEL is missing: name the model to ask." : null;
}

async function refusalOfLimit(scope: ProjectScope): Promise<string | null> {
  const limit = env().model?.tokensPerDay ?? 0;
  const used = await tokensToday(scope);
  return used >= limit ? `The limit of ${limit} tokens a day is reached. It is counted over the last 24 hours.` : null;
}

/**
 * Starts an investigation of the current import: a row and its job, or neither.
 * @returns its identifier.
 * @throws AppError `not_found`; `bad_request` for other settings; `conflict` when one may not be started, or one is running.
 */
export async function startInvestigation(scope: ProjectScope, id: unknown, given: unknown): Promise<string> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const settings = readSettings(given);
  const { importId, refusal } = await canInvestigate(scope, trajectoryId);
  if (refusal !== null) throw new AppError("conflict", refusal);
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
  await inTransaction(async (client) => {
    const ended = await client.query(
      `UPDATE "Analysis" a SET "status" = 'cancelled', "endedAt" = now() FROM "Import" i, "Trajectory" t
       WHERE a."id" = $1 AND a."kind" = 'investigation' AND a."status" IN ('queued', 'running')
         AND i."id" = a."importId" AND t."id" = i."trajectoryId" AND t."id" = $2 AND t."projectId" = $3`,
      [analysisId, trajectoryId, scope.projectId],
    );
    if (ended.rowCount === 0) {
      const there = await client.query(
        `SELECT 1 FROM "Analysis" a JOIN "Import" i ON i."id" = a."importId" JOIN "Trajectory" t ON t."id" = i."trajectoryId"
         WHERE a."id" = $1 AND a."kind" = 'investigation' AND t."id" = $2 AND t."projectId" = $3`,
        [analysisId, trajectoryId, scope.projectId],
      );
      throw there.rowCount === 0
        ? new AppError("not_found", "There is no such investigation.")
        : new AppError("conflict", "The investigation has ended.");
    }
    await recordAudit(scope, { action: "investigation.cancel", subject: trajectoryId, data: { analysisId } }, client);
  });
}
