import { env } from "@/lib/env";
import {
  type Investigation,
  type InvestigationRow,
  type Investigations,
  investigationRowSchema,
  investigationSchema,
} from "@/lib/views/investigation";
import { fitStrings } from "./answer-size";
import { pool } from "./client";
import { getStartable, refusalOf } from "./investigations";
import { getReviews } from "./reviews";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";
import { countLiveWorkers } from "./workers";

const ROWS_MAX = 50;
/** The model and the turn alone are taken out of a diagnosis, in the database: it may be of any length. */
const ROW_COLUMNS = `a."id", a."status", a."version", a."createdByName", a."createdAt", a."endedAt",
  a."result"->>'model' AS "model", a."result"->'finding'->'turn' AS "turn",
  a."importId" IS DISTINCT FROM t."currentImportId" AS "isOfOlderImport"`;
const OF_TRAJECTORY = `FROM "Trajectory" t JOIN "Import" i ON i."trajectoryId" = t."id" JOIN "Analysis" a ON a."importId" = i."id"
  WHERE t."id" = $1 AND t."projectId" = $2 AND a."kind" = 'investigation'`;

interface StoredRow {
  createdByName: string | null;
  createdAt: Date;
  endedAt: Date | null;
}

/**
 * The investigations of a trajectory, and what people said about it. Those of an import that other rules made are only
 * listed: their turns may have other numbers. A page asks for it every second while one runs: of the others only what a
 * list shows is read.
 * @throws AppError `not_found`
 */
export async function getInvestigations(scope: ProjectScope, id: unknown): Promise<Investigations> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const startable = await getStartable(scope, trajectoryId);
  const { rows: found } = await pool().query<StoredRow & { parserVersion: string }>(
    `SELECT ${ROW_COLUMNS}, i."parserVersion" ${OF_TRAJECTORY}
     ORDER BY a."createdAt" DESC, a."id" DESC LIMIT ${ROWS_MAX}`,
    [trajectoryId, scope.projectId],
  );
  const ofSameRules = found.filter(({ parserVersion }) => parserVersion === startable.parserVersion).map(rowOf);
  const last = ofSameRules.find(({ status }) => status === "queued" || status === "running") ?? ofSameRules[0];
  const latest = last === undefined ? null : await readInvestigation(scope, trajectoryId, last.id);
  const isOpen = latest?.status === "queued" || latest?.status === "running";
  const model = env().model;
  return fitStrings({
    refusal: isOpen ? "An investigation is running." : await refusalOf(scope, startable),
    model: model?.model == null ? null : { name: model.model, second: model.secondModel },
    hasReference: startable.hasReference,
    latest,
    ahead: latest?.status === "queued" ? await countAhead(latest.id) : 0,
    hasWorker: (await countLiveWorkers()) > 0,
    // It may have ended since the list was read: both say the same.
    rows: found.map(rowOf).map((row) => (row.id === latest?.id ? investigationRowSchema.parse(latest) : row)),
    reviews: await getReviews(scope, trajectoryId),
  });
}

/** One investigation of a trajectory, whichever import it is about. Null when there is none. */
export async function getInvestigation(
  scope: ProjectScope,
  id: unknown,
  analysis: unknown,
): Promise<Investigation | null> {
  checkProjectScope(scope);
  const found = await readInvestigation(scope, checkId(id), checkId(analysis));
  return found === null ? null : fitStrings(found);
}

async function readInvestigation(
  scope: ProjectScope,
  trajectoryId: string,
  analysisId: string,
): Promise<Investigation | null> {
  const { rows } = await pool().query<
    StoredRow & { startedAt: Date | null; settings: unknown; progress: unknown; result: unknown; error: unknown }
  >(
    `SELECT ${ROW_COLUMNS}, a."startedAt", a."settings", a."progress", a."result", a."error" ${OF_TRAJECTORY}
       AND a."id" = $3`,
    [trajectoryId, scope.projectId, analysisId],
  );
  const found = rows[0];
  if (found === undefined) return null;
  const parsed = investigationSchema.parse({
    ...rowOf(found),
    settings: found.settings,
    startedAt: found.startedAt?.toISOString() ?? null,
    trail: found.progress ?? [],
    diagnosis: found.result,
    error: found.error,
  });
  return { ...parsed, trail: parsed.diagnosis?.trail ?? parsed.trail };
}

function rowOf({ createdByName, createdAt, endedAt, ...row }: StoredRow): InvestigationRow {
  return investigationRowSchema.parse({
    ...row,
    createdBy: createdByName ?? "",
    createdAt: createdAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  });
}

/** How many investigations, of whichever project, were started before a queued one and have not ended: workers take them in this order. */
async function countAhead(analysisId: string): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS "count" FROM "Analysis" a JOIN "Analysis" own ON own."id" = $1
     WHERE a."kind" = 'investigation' AND a."status" IN ('queued', 'running')
       AND (a."createdAt", a."id") < (own."createdAt", own."id")`,
    [analysisId],
  );
  return rows[0]?.count ?? 0;
}
