import { json, route } from "@/lib/http";
import { projectOf } from "@/lib/store/session";
import { getListPage } from "@/lib/store/trajectories";
import { listQuerySchema } from "@/lib/views/trajectory-list";

/** A page of the list. Takes the same query as the address of `/`. */
export const GET = route(async (request) => {
  const scope = await projectOf(request);
  const query = listQuerySchema.parse(Object.fromEntries(new URL(request.url).searchParams));
  return json(await getListPage(scope, query));
});
