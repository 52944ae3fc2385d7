import { readBodyJson } from "@/app/api/v1/body";
import { checkOrigin, json, route } from "@/lib/http";
import { getReviews, giveReview } from "@/lib/store/reviews";
import { projectOf } from "@/lib/store/session";

/** Four thousand characters, each an escape at worst. */
const BODY_MAX_BYTES = 30_000;

/**
 * Keeps what a person says about a verdict: `{ "analysisId": "...", "kind": "moved", "turn": 11, "reason": "..." }`, the turn
 * 0-based, null when it is rejected. Answers with all that was said, newest first.
 */
export const POST = route<{ id: string }>(async (request, { id }) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  await giveReview(scope, id, await readBodyJson(request, BODY_MAX_BYTES));
  return json({ reviews: await getReviews(scope, id) }, 201);
});
