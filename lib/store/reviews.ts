import { z } from "zod";
import { AppError } from "@/lib/errors";
import { sourceStepSchema } from "@/lib/trajectory/schema";
import { type Review, reviewRequestSchema, reviewSchema } from "@/lib/views/investigation";
import { recordAudit } from "./audit";
import { toJsonb } from "./bulk-insert";
import { inTransaction, pool } from "./client";
import { giverOf } from "./given-failure";
import { newId } from "./identifiers";
import { ownedAnalysis } from "./owned-analysis";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";

/**
 * Keeps what a person says about a verdict: confirmed and moved name a turn of the analysis' import, rejected names none.
 * @throws AppError `not_found`; `bad_request` for a turn that there is not, or without a reason.
 */
export async function giveReview(scope: ProjectScope, id: unknown, given: unknown): Promise<void> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const parsed = reviewRequestSchema.safeParse(given);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new AppError("bad_request", `The review is wrong at ${issue?.path.join(".")}: ${issue?.message}.`);
  }
  const { analysisId, kind, turn, reason } = parsed.data;
  if ((kind === "rejected") !== (turn === null)) {
    throw new AppError("bad_request", "A confirmed or moved verdict names a turn; a rejected one names none.");
  }
  await inTransaction(async (client) => {
    const found = await client.query<{ importId: string; sourceSteps: unknown }>(
      `SELECT a."importId", n."sourceSteps" FROM "Analysis" a
       LEFT JOIN "Turn" n ON n."importId" = a."importId" AND n."index" = $4
       WHERE a."id" = $1 AND a."status" = 'done' AND ${ownedAnalysis({ trajectory: 2, project: 3 })}`,
      [checkId(analysisId), trajectoryId, scope.projectId, turn ?? -1],
    );
    const row = found.rows[0];
    if (row === undefined) throw new AppError("not_found", "There is no such verdict.");
    if (turn !== null && row.sourceSteps === null) {
      throw new AppError("bad_request", `There is no turn #${turn + 1} in this trajectory.`);
    }
    await client.query(
      `INSERT INTO "Review" ("id", "trajectoryId", "importId", "analysisId", "kind", "turn", "sourceSteps", "reason",
         "createdBy", "createdByName", "createdAt") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, now())`,
      [
        ...[newId(), trajectoryId, row.importId, analysisId, kind, turn, toJsonb(row.sourceSteps ?? [])],
        reason.toWellFormed().replaceAll("\u0000", "\ufffd"),
        giverOf(scope),
        scope.actor.name,
      ],
    );
    const data = { kind, analysisId, ...(turn === null ? {} : { turn }) };
    await recordAudit(scope, { action: "review.give", subject: trajectoryId, data }, client);
  });
}

const REVIEWS_MAX = 100;

/** What people said about the trajectory, newest first. */
export async function getReviews(scope: ProjectScope, id: unknown): Promise<Review[]> {
  checkProjectScope(scope);
  const { rows } = await pool().query<{ createdAt: Date } & Record<string, unknown>>(
    `SELECT r."id", r."kind", r."turn", r."reason", r."createdByName", r."createdAt", r."analysisId",
       r."importId" IS DISTINCT FROM t."currentImportId" AS "isOfOlderImport"
     FROM "Review" r JOIN "Trajectory" t ON t."id" = r."trajectoryId"
     WHERE t."id" = $1 AND t."projectId" = $2 ORDER BY r."createdAt" DESC, r."id" DESC LIMIT ${REVIEWS_MAX}`,
    [checkId(id), scope.projectId],
  );
  return rows.map(({ createdAt, createdByName, ...row }) =>
    reviewSchema.parse({ ...row, by: createdByName, at: createdAt.toISOString() }),
  );
}

/** A label as it is exported: one line of JSON each. */
export const exportedLabelSchema = z.object({
  trajectory: z.string(),
  name: z.string(),
  /** SHA-256 of the upload, in hex, and the part's key where the file holds several. */
  upload: z.string(),
  part: z.string().nullable(),
  format: z.string().nullable(),
  instance: z.string().nullable(),
  kind: z.enum(["confirmed", "moved", "rejected"]),
  /** 0-based in Misstep's count; `source_steps` are the numbers that the source gives it. */
  turn: z.number().nullable(),
  source_steps: z.array(sourceStepSchema),
  reason: z.string(),
  by: z.string(),
  at: z.string(),
  engine: z.string().nullable(),
  engine_version: z.string().nullable(),
  engine_turn: z.number().nullable(),
});
export type ExportedLabel = z.infer<typeof exportedLabelSchema>;

const EXPORT_PAGE = 500;

/** The last review of every trajectory of the project, by trajectory, with the verdict that it is about. */
export async function* exportLabels(scope: ProjectScope): AsyncGenerator<ExportedLabel> {
  checkProjectScope(scope);
  for (let after = ""; ; ) {
    const { rows } = await pool().query<{ at: Date; trajectory: string } & Record<string, unknown>>(
      `SELECT DISTINCT ON (t."id") t."id" AS "trajectory", t."name", u."sha256" AS "upload", t."part"->>'key' AS "part",
         t."format", i."head"->'task'->>'instance' AS "instance", r."kind", r."turn", r."sourceSteps" AS "source_steps",
         r."reason", r."createdByName" AS "by", r."createdAt" AS "at", a."engine", a."version" AS "engine_version",
         coalesce(a."result"->'finding'->'turn', CASE WHEN a."result"->>'status' = 'determined'
           THEN a."result"->'candidates'->0->'turn' END) AS "engine_turn"
       FROM "Review" r JOIN "Trajectory" t ON t."id" = r."trajectoryId" JOIN "Upload" u ON u."id" = t."uploadId"
       JOIN "Import" i ON i."id" = r."importId" LEFT JOIN "Analysis" a ON a."id" = r."analysisId"
       WHERE t."projectId" = $1 AND t."id" > $2 ORDER BY t."id", r."createdAt" DESC, r."id" DESC LIMIT ${EXPORT_PAGE}`,
      [scope.projectId, after],
    );
    for (const row of rows) {
      const engineTurn = typeof row.engine_turn === "number" ? row.engine_turn : null;
      yield exportedLabelSchema.parse({ ...row, engine_turn: engineTurn, at: row.at.toISOString() });
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < EXPORT_PAGE) return;
    after = last.trajectory;
  }
}
