import { AppError } from "@/lib/errors";
import { database } from "./client";
import { secretsOfImport } from "./import-secrets";
import { checkId, checkReadScope, type ReadScope } from "./scope";
import { type Projection, projectionOf } from "./share-projection";

/** What one request reads: one import of one trajectory, through the projection of its scope. */
export interface Reading {
  scope: ReadScope;
  trajectoryId: string;
  importId: string;
  projection: Projection;
}

/**
 * Opens a trajectory for reading: its current import for a project, the pinned one for a share. Null when the scope has
 * no such trajectory or it has no import yet.
 * @throws AppError `not_found` for an identifier that can be nobody's, before any query.
 */
export async function openReading(scope: ReadScope, id: string): Promise<Reading | null> {
  checkReadScope(scope);
  const trajectoryId = checkId(id);
  if (scope.kind === "share") {
    if (trajectoryId !== scope.trajectoryId) return null;
    const projection = projectionOf(scope, await secretsOfImport(scope));
    return { scope, trajectoryId, importId: scope.importId, projection };
  }
  const projection = projectionOf(scope);
  const found = await database().trajectory.findFirst({
    where: { id: trajectoryId, projectId: scope.projectId },
    select: { currentImportId: true },
  });
  if (!found?.currentImportId) return null;
  return { scope, trajectoryId, importId: found.currentImportId, projection };
}

const POSTGRES_INTEGER_MAX = 2_147_483_647;

/**
 * A number that may go into a `where` (a turn, a file, a context item).
 * @throws AppError `not_found` for anything else.
 */
export function checkNumber(value: unknown): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > POSTGRES_INTEGER_MAX) {
    throw new AppError("not_found", "There is no such thing here.");
  }
  return value;
}
