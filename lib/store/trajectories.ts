import { z } from "zod";
import { noteSchema } from "@/lib/trajectory/schema";
import {
  type FileView,
  type ListPage,
  type ListQuery,
  OUTCOMES,
  type PartCounts,
  STATUSES,
  type TrajectoryRow,
  trajectoryRowSchema,
} from "@/lib/views/trajectory-list";
import { database } from "./client";
import { countParts, filesInProgress } from "./file-reads";
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

/** What a row is drawn from: itself, and for a trajectory of a file with several the file. */
const WITH_FILE = { parent: { select: { id: true, name: true, partCount: true } } } as const;
type FoundRow = Trajectory & { parent: { id: string; name: string; partCount: number | null } | null };

/**
 * A page of the list. `rows` are the ready trajectories that match the filters, sorted, nulls last, ties in the order of
 * their file; a `status` filter other than `all` and `ready` shows the rows of that status instead. Queued, importing and
 * failed rows come in `pinned` whatever the filters.
 *
 * A file with several trajectories is one row, and they are not rows beside it until something is asked for that they can
 * match: words, a filter, or the file itself. So that a file of a thousand does not push everything else off the page.
 */
export async function getListPage(scope: ProjectScope, query: ListQuery): Promise<ListPage> {
  checkProjectScope(scope);
  const projectId = scope.projectId;
  const moving = await filesInProgress(scope);
  const within = query.file === "" ? { projectId } : { projectId, parentId: query.file };
  const where = listWhere(within, query, moving);
  const pinnedWhere = pinnedWhereOf(within, query, moving);
  const isTrajectory = { partCount: null };
  const table = database().trajectory;
  const [rows, matching, pinned, pinnedTotal, pinnedFailed, total, undetermined, failedImports, inside, frameworks] =
    await Promise.all([
      table.findMany({
        where,
        include: WITH_FILE,
        orderBy: listOrder(query),
        skip: Math.min((query.page - 1) * query.size, MAX_SKIPPED_ROWS),
        take: query.size,
      }),
      table.count({ where }),
      table.findMany({
        where: pinnedWhere,
        include: WITH_FILE,
        orderBy: [{ createdAt: "desc" }, { partIndex: "asc" }, { id: "asc" }],
        take: PINNED_ROWS,
      }),
      table.count({ where: pinnedWhere }),
      table.count({ where: { AND: [pinnedWhere, { status: "failed" }] } }),
      table.count({ where: { ...within, ...isTrajectory } }),
      table.count({ where: { ...within, status: "ready", verdictStatus: "undetermined" } }),
      table.count({ where: { ...within, status: "failed" } }),
      hidesParts(query) ? table.count({ where: { projectId, partIndex: { not: null } } }) : 0,
      // By groups: a `distinct` of Prisma fetches every row (at 15,000 rows 16 ms of the process instead of 1).
      table.groupBy({
        by: ["framework"],
        where: { ...within, framework: { not: null } },
        orderBy: { framework: "asc" },
        take: 100,
      }),
    ]);
  const waiting = pinned.some(({ status, id }) => WAITING_STATUSES.includes(status) || moving.includes(id));
  return {
    rows: await toRows(rows),
    pinned: await toRows(pinned),
    pinnedTotal,
    pinnedFailed,
    matching,
    total,
    insideFiles: inside,
    counts: { undetermined, failedImports },
    file: query.file === "" ? null : await findRow(scope, query.file),
    frameworks: frameworks.flatMap((row) => (row.framework === null ? [] : [row.framework])),
    isWorkerAway: waiting && (await countLiveWorkers()) === 0,
  };
}

/** The list row of one trajectory; null when the scope has no such thing. */
export async function getRow(scope: ReadScope, id: unknown): Promise<TrajectoryRow | null> {
  checkReadScope(scope);
  const trajectoryId = checkId(id);
  if (scope.kind === "share" && scope.trajectoryId !== trajectoryId) return null;
  return findRow(scope, trajectoryId);
}

async function findRow(scope: ReadScope, id: string): Promise<TrajectoryRow | null> {
  const where = { id, projectId: scope.projectId };
  const row = await database().trajectory.findFirst({ where, include: WITH_FILE });
  return row === null ? null : ((await toRows([row]))[0] ?? null);
}

/** A file with several trajectories; null for everything that is none. */
export async function getFile(scope: ProjectScope, id: unknown): Promise<FileView | null> {
  checkProjectScope(scope);
  const row = await getRow(scope, id);
  if (row === null || row.parts === null) return null;
  const found = await database().trajectory.findFirst({
    where: { id: row.id, projectId: scope.projectId },
    select: { fileNotes: true, _count: { select: { given: true } } },
  });
  const notes = z.array(noteSchema).parse(found?.fileNotes ?? []);
  return { row, notes, givenParts: found?._count.given ?? 0 };
}

/** Whether the trajectories of files with several stand under their file: while nothing is asked for. */
function hidesParts(query: ListQuery): boolean {
  const isPlain = query.status === "all" && query.outcome === "all" && query.verdict === "all";
  return isPlain && query.file === "" && query.q.trim() === "" && query.framework === "" && query.minTurns === 0;
}

function listWhere(
  within: Prisma.TrajectoryWhereInput,
  query: ListQuery,
  moving: string[],
): Prisma.TrajectoryWhereInput {
  const where: Prisma.TrajectoryWhereInput = {
    ...within,
    status: query.status === "all" ? { in: ["ready", "several"] } : query.status,
    ...(hidesParts(query) ? { partIndex: null } : {}),
    // A file whose trajectories are being imported stands above the results, unless it is what is asked for.
    ...(moving.length > 0 && query.status === "all" ? { id: { notIn: moving } } : {}),
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

function pinnedWhereOf(
  within: Prisma.TrajectoryWhereInput,
  query: ListQuery,
  moving: string[],
): Prisma.TrajectoryWhereInput {
  // Of a file that is being imported the most wait: they are counted, not listed.
  if (query.file !== "") return { ...within, status: { in: ["importing", "failed"] } };
  return {
    ...within,
    OR: [
      { partIndex: null, status: { in: PINNED_STATUSES } },
      { id: { in: moving }, status: "several" },
    ],
  };
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
  // A file stands before what it holds.
  return [order[query.sort], { partIndex: { sort: "asc", nulls: "first" } }, { id: "asc" }];
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

/** Database rows as the page gets them. */
async function toRows(rows: FoundRow[]): Promise<TrajectoryRow[]> {
  const counts = await countParts(rows.filter(({ partCount }) => partCount !== null).map(({ id }) => id));
  return rows.map((row) => toRow(row, counts.get(row.id) ?? null));
}

function toRow(row: FoundRow, parts: PartCounts | null): TrajectoryRow {
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
    parts,
    file:
      row.parent === null
        ? null
        : { id: row.parent.id, name: row.parent.name, index: row.partIndex, total: row.parent.partCount },
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
