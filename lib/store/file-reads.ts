import type { Neighbours, PartCounts } from "@/lib/views/trajectory-list";
import { database } from "./client";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";

/** How far the trajectories of files are, by the ids of the files' rows. The caller has checked the right to read those. */
export async function countParts(ids: readonly string[]): Promise<Map<string, PartCounts>> {
  const counts = new Map<string, PartCounts>(ids.map((id) => [id, { total: 0, ready: 0, failed: 0, waiting: 0 }]));
  if (ids.length === 0) return counts;
  const groups = await database().trajectory.groupBy({
    by: ["parentId", "status"],
    where: { parentId: { in: [...ids] }, partIndex: { not: null } },
    _count: true,
  });
  for (const { parentId, status, _count } of groups) {
    const of = counts.get(parentId ?? "");
    if (of === undefined) continue;
    of.total += _count;
    if (status === "ready") of.ready += _count;
    else if (status === "failed") of.failed += _count;
    else of.waiting += _count;
  }
  return counts;
}

/** The files of a project of which trajectories wait for a worker or are in one's hands. */
export async function filesInProgress(scope: ProjectScope): Promise<string[]> {
  checkProjectScope(scope);
  const found = await database().trajectory.groupBy({
    by: ["parentId"],
    where: {
      projectId: scope.projectId,
      status: { in: ["queued", "importing"] },
      parentId: { not: null },
      partIndex: { not: null },
    },
  });
  return found.flatMap(({ parentId }) => parentId ?? []);
}

/** The trajectories before and behind one in its file; null for what is no part of a file. */
export async function getNeighbours(scope: ProjectScope, id: unknown): Promise<Neighbours | null> {
  checkProjectScope(scope);
  const part = await database().trajectory.findFirst({
    where: { id: checkId(id), projectId: scope.projectId },
    select: { parentId: true, partIndex: true },
  });
  if (part === null || part.parentId === null || part.partIndex === null) return null;
  const { parentId, partIndex } = part;
  const at = (index: number) =>
    database().trajectory.findFirst({ where: { parentId, partIndex: index }, select: { id: true } });
  const [previous, next] = await Promise.all([at(partIndex - 1), at(partIndex + 1)]);
  return { previous: previous?.id ?? null, next: next?.id ?? null };
}
