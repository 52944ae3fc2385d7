import { pathNumber } from "@/app/api/v1/reads";
import { AppError } from "@/lib/errors";
import { json, route } from "@/lib/http";
import { getRaw } from "@/lib/store/raw";
import { projectOf } from "@/lib/store/session";

/** The records of the upload that a turn was made from. There is no such route for a share. */
export const GET = route(async (request, params: { id: string; index: string }) => {
  const raw = await getRaw(await projectOf(request), params.id, pathNumber(params.index));
  if (raw === null) throw new AppError("not_found", "There is no such thing here.");
  return json(raw);
});
