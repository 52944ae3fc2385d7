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
  const asked = shareRequestSchema.safeParse(await bodyOf(request));
  if (!asked.success) throw new AppError("bad_request", "A link lasts from 1 to 31 days.");
  return json(await createShare(scope, params.id, asked.data), 201);
});

const BODY_MAX_CHARS = 1_000;

async function bodyOf(request: Request): Promise<unknown> {
  if (Number(request.headers.get("content-length") ?? "0") > BODY_MAX_CHARS) {
    throw new AppError("too_large", "The request is larger than it can be.");
  }
  const text = await request.text();
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new AppError("bad_request", "The request is not JSON.", { cause: error });
  }
}
