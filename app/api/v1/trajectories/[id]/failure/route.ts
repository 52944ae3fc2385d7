import { readBodyJson } from "@/app/api/v1/body";
import { forProject, readFailure } from "@/app/api/v1/reads";
import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import { AppError } from "@/lib/errors";
import { checkOrigin, json, route } from "@/lib/http";
import { getFailure } from "@/lib/store/failure";
import { giveFailure } from "@/lib/store/given-failure";
import { projectOf } from "@/lib/store/session";
import { type GivenAnswer, givenUpdateSchema } from "@/lib/views/failure";

export const GET = readFailure(forProject);

/** Four texts and their escapes; each text has a limit of its own. */
const BODY_MAX_BYTES = 4 * 2 * GIVEN_TEXT_MAX_BYTES;

/**
 * Stores what a person says about the failure: `{ "outcome": "failed", "errorReport": "..." }`. A part that is missing stays
 * as it is, null takes it back. With `seen` (when each part was given that the sender knows of) it is refused where somebody
 * else has given a part since. Answers with what is known now, and whether the run is read again.
 */
export const PUT = route<{ id: string }>(async (request, { id }) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  const update = givenUpdateSchema.safeParse(await readBodyJson(request, BODY_MAX_BYTES));
  if (!update.success) {
    const [first] = update.error.issues;
    throw new AppError("bad_request", `This cannot be said about a failure: ${first?.message ?? "unknown parts"}.`);
  }
  const { seen, ...change } = update.data;
  const { readsAgain } = await giveFailure(scope, id, change, seen);
  const answer: GivenAnswer = { failure: await getFailure(scope, id), readsAgain };
  return json(answer);
});
