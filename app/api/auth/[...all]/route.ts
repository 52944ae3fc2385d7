import { AppError } from "@/lib/errors";
import { checkOrigin, route } from "@/lib/http";
import { auth } from "@/lib/store/auth";

/** What of better-auth is open to the network: who am I, and sign out. Everything else it brings is not used here. */
const OPEN = new Set(["GET /api/auth/get-session", "POST /api/auth/sign-out"]);

const handler = route<{ all: string[] }>(async (request) => {
  if (!OPEN.has(`${request.method} ${new URL(request.url).pathname}`)) {
    throw new AppError("not_found", "There is no such thing here.");
  }
  if (request.method !== "GET") checkOrigin(request);
  return auth().handler(request);
});

export { handler as GET, handler as POST };
