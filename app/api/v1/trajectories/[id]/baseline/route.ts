import { AppError } from "@/lib/errors";
import { checkOrigin, json, route } from "@/lib/http";
import { attachBaseline } from "@/lib/store/baselines";
import { projectOf } from "@/lib/store/session";

/**
 * Attaches the input of the run and queues an import that uses it: a zip, a tar, a tar.gz or one file as the raw body (the
 * file under `?name=`, its path in the repository), or a form with one file a path.
 */
export const POST = route<{ id: string }>(async (request, { id }) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  const length = request.headers.get("content-length");
  if (length !== null && !/^\d{1,15}$/.test(length))
    throw new AppError("bad_request", "content-length is not a number.");
  const answer = await attachBaseline(scope, id, {
    name: new URL(request.url).searchParams.get("name") ?? "",
    body: request.body,
    contentLength: length === null ? null : Number(length),
    contentType: request.headers.get("content-type"),
  });
  return json(answer, 202);
});
