import { checkOrigin, json, route } from "@/lib/http";
import { projectOf } from "@/lib/store/session";
import { revokeShare } from "@/lib/store/shares";

/** Ends a link at once. */
export const DELETE = route(async (request, params: { id: string; share: string }) => {
  checkOrigin(request);
  return json({ share: await revokeShare(await projectOf(request), params.id, params.share) });
});
