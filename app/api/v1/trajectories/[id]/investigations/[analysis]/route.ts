import { AppError } from "@/lib/errors";
import { checkOrigin, json, route } from "@/lib/http";
import { getInvestigation, getInvestigations } from "@/lib/store/investigation-reads";
import { cancelInvestigation } from "@/lib/store/investigations";
import { projectOf } from "@/lib/store/session";

/** One investigation, with its diagnosis when it is done. */
export const GET = route<{ id: string; analysis: string }>(async (request, { id, analysis }) => {
  const found = await getInvestigation(await projectOf(request), id, analysis);
  if (found === null) throw new AppError("not_found", "There is no such investigation.");
  return json(found);
});

/** Ends an investigation that is queued or running. What was asked and answered stays. */
export const DELETE = route<{ id: string; analysis: string }>(async (request, { id, analysis }) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  await cancelInvestigation(scope, id, analysis);
  return json(await getInvestigations(scope, id));
});
