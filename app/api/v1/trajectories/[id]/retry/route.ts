import { AppError } from "@/lib/errors";
import { checkOrigin, json, route } from "@/lib/http";
import { retryImport } from "@/lib/store/import-status";
import { projectOf } from "@/lib/store/session";
import { getRow } from "@/lib/store/trajectories";

/** Queues a failed import again. */
export const POST = route<{ id: string }>(async (request, { id }) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  await retryImport(scope, id);
  const row = await getRow(scope, id);
  if (row === null) throw new AppError("not_found", "There is no such trajectory.");
  return json({ row }, 202);
});
