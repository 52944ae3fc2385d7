import { readBodyJson } from "@/app/api/v1/body";
import { AppError } from "@/lib/errors";
import { checkOrigin, json, route } from "@/lib/http";
import { projectOf } from "@/lib/store/session";
import { createShare, listShares } from "@/lib/store/shares";
import { shareRequestSchema } from "@/lib/views/share";

/** The links to a trajectory. */
export const GET = route(async (request, params: { id: string }) => {
  const shares = await listShares(await projectOf(request), params.id);
  if (shares === null) throw new AppError("not_found", "There is no such thing here.");
  return json({ shares });
});

/** Makes a link: `{ "days": 7 }`, or no body. The token is in this answer and nowhere else. */
export const POST = route(async (request, params: { id: string }) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  const asked = shareRequestSchema.safeParse(await readBodyJson(request, BODY_MAX_BYTES));
  if (!asked.success) throw new AppError("bad_request", "A link lasts from 1 to 31 days.");
  return json(await createShare(scope, params.id, asked.data), 201);
});

const BODY_MAX_BYTES = 1_000;
