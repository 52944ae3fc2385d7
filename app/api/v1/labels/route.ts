import { attachment, route } from "@/lib/http";
import { exportLabels } from "@/lib/store/reviews";
import { projectOf } from "@/lib/store/session";

/** What people said last about each trajectory of the project, a line of JSON each. */
export const GET = route(async (request) => {
  const labels = exportLabels(await projectOf(request));
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await labels.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
    },
  });
  return attachment(body, "labels.jsonl", null);
});
