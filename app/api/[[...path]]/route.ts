import { AppError } from "@/lib/errors";
import { route } from "@/lib/http";

/** Addresses under `/api` that no route has: an answer like the others, in place of a page without their headers. */
const handler = route<{ path?: string[] }>(async () => {
  throw new AppError("not_found", "There is no such thing here.");
});

export { handler as DELETE, handler as GET, handler as PATCH, handler as POST, handler as PUT };
