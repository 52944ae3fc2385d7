import { AppError } from "@/lib/errors";
import { checkOrigin, route } from "@/lib/http";
import { auth } from "@/lib/store/auth";

/**
 * What of better-auth is open to the network: signing out. Nothing else that it brings is used here; its answer to "who am
 * I" would even hold the session's token, which pages must not be able to read.
 */
const handler = route<{ all: string[] }>(async (request) => {
  if (request.method !== "POST" || new URL(request.url).pathname !== "/api/auth/sign-out") {
    throw new AppError("not_found", "There is no such thing here.");
  }
  checkOrigin(request);
  return auth().handler(request);
});

export { handler as GET, handler as POST };
