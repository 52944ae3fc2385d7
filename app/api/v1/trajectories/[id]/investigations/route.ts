import { readBodyJson } from "@/app/api/v1/body";
import { checkOrigin, json, route } from "@/lib/http";
import { getInvestigations } from "@/lib/store/investigation-reads";
import { startInvestigation } from "@/lib/store/investigations";
import { projectOf } from "@/lib/store/session";

/** The investigations of a trajectory, whether one may be started, and what people said about it. */
export const GET = route<{ id: string }>(async (request, { id }) =>
  json(await getInvestigations(await projectOf(request), id)),
);

const BODY_MAX_BYTES = 4_000;

/** Starts an investigation with the settings of the body (`investigationSettingsSchema`). */
export const POST = route<{ id: string }>(async (request, { id }) => {
  checkOrigin(request);
  const scope = await projectOf(request);
  await startInvestigation(scope, id, await readBodyJson(request, BODY_MAX_BYTES));
  return json(await getInvestigations(scope, id), 202);
});
