import { AppError } from "@/lib/errors";
import { attachment, route } from "@/lib/http";
import { projectOf } from "@/lib/store/session";
import { openUpload } from "@/lib/store/uploads";

/** The upload as it came, as a download. */
export const GET = route<{ id: string }>(async (request, { id }) => {
  const opened = await openUpload(await projectOf(request), id);
  if (opened === null) throw new AppError("not_found", "There is no such trajectory.");
  return attachment(opened.body, opened.name, opened.sizeBytes);
});
