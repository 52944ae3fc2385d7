import { checkOrigin, json, route } from "@/lib/http";
import { checkModels } from "@/lib/llm/model-state";
import { projectOf } from "@/lib/store/session";

/** Asks the configured models a few small questions, and answers with what was found. Reads nothing of the request. */
export const POST = route(async (request) => {
  checkOrigin(request);
  await projectOf(request);
  return json(await checkModels());
});
