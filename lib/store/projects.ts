import { AppError } from "@/lib/errors";
import { database } from "./client";
import { checkProjectScope, type ProjectScope } from "./scope";

/**
 * What the top bar shows: the project's name and who is signed in.
 * @throws AppError `not_found` when the project was removed since the session began.
 */
export async function getBar(scope: ProjectScope): Promise<{ project: string; account: { name: string } }> {
  checkProjectScope(scope);
  const project = await database().project.findFirst({ where: { id: scope.projectId }, select: { name: true } });
  if (project === null) throw new AppError("not_found", "There is no such project any more.");
  return { project: project.name, account: { name: scope.actor.name } };
}
