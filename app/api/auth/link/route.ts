import { AppError } from "@/lib/errors";
import { checkOrigin, route } from "@/lib/http";
import { auth } from "@/lib/store/auth";

/** Uses a one-time sign-in link up and opens the session (lib/store/sign-in-links.ts says how the page and this go together). */
export const POST = route(async (request) => {
  checkOrigin(request);
  const token = await readToken(request);
  try {
    const opened = await auth().api.signInWithLink({ body: { token }, headers: request.headers, returnHeaders: true });
    const headers = new Headers({ location: "/", "cache-control": "no-store" });
    for (const cookie of opened.headers.getSetCookie()) headers.append("set-cookie", cookie);
    return new Response(null, { status: 303, headers });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== "unauthenticated") throw error;
    return new Response(null, {
      status: 303,
      headers: { location: "/sign-in?reason=link", "cache-control": "no-store" },
    });
  }
});

async function readToken(request: Request): Promise<string> {
  const type = request.headers.get("content-type") ?? "";
  if (!type.startsWith("application/x-www-form-urlencoded")) throw new AppError("bad_request", "Expected a form.");
  if (Number(request.headers.get("content-length") ?? 0) > 4_096)
    throw new AppError("too_large", "The form is too large.");
  return new URLSearchParams(await request.text()).get("token") ?? "";
}
