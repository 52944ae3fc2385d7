import { json, route } from "@/lib/http";
import { getJudgeCall } from "@/lib/store/judge-calls";
import { projectOf } from "@/lib/store/session";

type Params = { id: string; analysis: string; judge: string; position: string };

/** A question of an investigation with its answer, in the words in which they went over the wire. */
export const GET = route<Params>(async (request, { id, analysis, judge, position }) => {
  const place = { judge: Number(judge), position: Number(position) };
  return json(await getJudgeCall(await projectOf(request), { trajectoryId: id, analysisId: analysis, ...place }));
});
