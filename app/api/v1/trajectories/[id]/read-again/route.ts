import { AppError } from "@/lib/errors";
import { checkOrigin, json, route } from "@/lib/http";
import { readAgain } from "@/lib/store/import-status";
import { projectOf } from "@/lib/store/session";
import { getRow } from "@/lib/store/trajectories";

/** Queues another import of an upload that was imported before, with the rules of today. */
export const POST = route<{ id: string }>(async (request, { id }) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  await readAgain(scope, id);
  const row = await getRow(scope, id);
  if (row === null) throw new AppError("not_found", "There is no such trajectory.");
  return json({ row }, 202);
});
