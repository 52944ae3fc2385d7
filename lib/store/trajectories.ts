import { z } from "zod";
import {
  type ListPage,
  type ListQuery,
  OUTCOMES,
  STATUSES,
  type TrajectoryRow,
  trajectoryRowSchema,
} from "@/lib/views/trajectory-list";
import { database } from "./client";
import type { Prisma, Trajectory } from "./generated/client";
import { checkId, checkProjectScope, checkReadScope, type ProjectScope, type ReadScope } from "./scope";
import { countLiveWorkers } from "./workers";

/** Rows of work in progress and of failures that the list shows above its results. */
const PINNED_ROWS = 20;
/** An OFFSET costs what it skips; nobody pages by hand to here. */
const MAX_SKIPPED_ROWS = 100_000;

const WAITING_STATUSES = ["queued", "importing"];
const PINNED_STATUSES = [...WAITING_STATUSES, "failed"];

/** Whether a trajectory in this status waits for a worker while none gives a sign of life. */
export async function isWorkerAway(status: string): Promise<boolean> {
  return WAITING_STATUSES.includes(status) && (await countLiveWorkers()) === 0;
}

/**
 * A page of the list. `rows` are the ready trajectories that match the filters, sorted, nulls last, ties by id; a `status`
 * filter other than `all` and `ready` shows the rows of that status instead. Queued, importing and failed rows come in
 * `pinned` whatever the filters.
 */
export async function getListPage(scope: ProjectScope, query: ListQuery): Promise<ListPage> {
  checkProjectScope(scope);
  const projectId = scope.projectId;
  const where = listWhere(projectId, query);
  const pinnedWhere = { projectId, status: { in: PINNED_STATUSES } };
  const table = database().trajectory;
  const [rows, matching, pinned, pinnedTotal, total, undetermined, failedImports, frameworks] = await Promise.all([
    table.findMany({
      where,
      orderBy: listOrder(query),
      skip: Math.min((query.page - 1) * query.size, MAX_SKIPPED_ROWS),
      take: query.size,
    }),
    table.count({ where }),
    table.findMany({ where: pinnedWhere, orderBy: [{ createdAt: "desc" }, { id: "asc" }], take: PINNED_ROWS }),
    table.count({ where: pinnedWhere }),
    table.count({ where: { projectId } }),
    table.count({ where: { projectId, status: "ready", verdictStatus: "undetermined" } }),
    table.count({ where: { projectId, status: "failed" } }),
    table.findMany({
      where: { projectId, framework: { not: null } },
      distinct: ["framework"],
      select: { framework: true },
      orderBy: { framework: "asc" },
      take: 100,
    }),
  ]);
  const waiting = pinned.find(({ status }) => WAITING_STATUSES.includes(status));
  return {
    rows: rows.map(toRow),
    pinned: pinned.map(toRow),
    pinnedTotal,
    matching,
    total,
    counts: { undetermined, failedImports },
    frameworks: frameworks.flatMap((row) => (row.framework === null ? [] : [row.framework])),
    isWorkerAway: waiting !== undefined && (await isWorkerAway(waiting.status)),
  };
}

/** The list row of one trajectory; null when the scope has no such thing. */
export async function getRow(scope: ReadScope, id: unknown): Promise<TrajectoryRow | null> {
  checkReadScope(scope);
  const trajectoryId = checkId(id);
  if (scope.kind === "share" && scope.trajectoryId !== trajectoryId) return null;
  const row = await database().trajectory.findFirst({ where: { id: trajectoryId, projectId: scope.projectId } });
  return row ? toRow(row) : null;
}

function listWhere(projectId: string, query: ListQuery): Prisma.TrajectoryWhereInput {
  const where: Prisma.TrajectoryWhereInput = {
    projectId,
    status: query.status === "all" ? "ready" : query.status,
  };
  const words = query.q.replaceAll("\u0000", "").trim();
  if (words !== "") {
    // Prisma passes the text into LIKE as a pattern: what a person typed is meant literally.
    const contains = words.replaceAll(/[\\%_]/g, String.raw`\$&`);
    where.OR = [{ name: { contains, mode: "insensitive" } }, { task: { contains, mode: "insensitive" } }];
  }
  if (query.outcome !== "all") where.outcome = query.outcome;
  if (query.verdict !== "all") where.verdictStatus = query.verdict;
  if (query.framework !== "") where.framework = query.framework;
  if (query.minTurns > 0) where.turnCount = { gte: Math.min(query.minTurns, 2_147_483_647) };
  return where;
}

function listOrder(query: ListQuery): Prisma.TrajectoryOrderByWithRelationInput[] {
  const sort = query.direction === "ascending" ? ("asc" as const) : ("desc" as const);
  const nullable = { sort, nulls: "last" as const };
  const order: Record<ListQuery["sort"], Prisma.TrajectoryOrderByWithRelationInput> = {
    name: { name: sort },
    framework: { framework: nullable },
    task: { task: nullable },
    outcome: { outcome: nullable },
    turns: { turnCount: nullable },
    writes: { writeCount: nullable },
    verdict: { verdictTurn: nullable },
    status: { status: sort },
    uploaded: { createdAt: sort },
  };
  return [order[query.sort], { id: "asc" }];
}

const progressSchema = trajectoryRowSchema.shape.progress;

/** What `Trajectory.failure` holds. */
export const failureSchema = z.object({
  code: z.string(),
  message: z.string(),
  byte: z.number().nullable(),
  line: z.number().nullable(),
  pointer: z.string().nullable(),
});
export type Failure = z.infer<typeof failureSchema>;

/** A database row as the page gets it. */
export function toRow(row: Trajectory): TrajectoryRow {
  const failure = row.failure === null ? null : failureSchema.parse(row.failure);
  return {
    id: row.id,
    name: row.name,
    status: z.enum(STATUSES).parse(row.status),
    progress: row.status === "importing" ? progressSchema.parse(row.progress) : null,
    failure: failure && {
      code: failure.code,
      message: failure.message,
      at: { byte: failure.byte, line: failure.line, pointer: failure.pointer },
    },
    isDemo: row.isDemo,
    format:
      row.format === null
        ? null
        : {
            id: row.format,
            variant: row.formatVariant ?? "",
            score: row.formatScore ?? 0,
            reason: row.formatReason ?? "",
          },
    framework: row.framework,
    frameworkVersion: row.frameworkVersion,
    model: row.model,
    task: row.task,
    outcome: row.outcome === null ? null : z.enum(OUTCOMES).parse(row.outcome),
    exitStatus: row.exitStatus,
    turnCount: row.turnCount,
    writeCount: row.writeCount,
    notUnderstood: row.notUnderstood,
    runStrip: row.runStrip,
    verdict:
      row.verdictStatus === null
        ? null
        : {
            status: z.enum(["determined", "undetermined"]).parse(row.verdictStatus),
            turn: row.verdictTurn,
            engine: row.verdictEngine ?? "",
          },
    sizeBytes: Number(row.sizeBytes),
    uploadedAt: row.createdAt.toISOString(),
  };
}
