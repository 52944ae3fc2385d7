import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { AppError } from "@/lib/errors";
import { bearerToken } from "@/lib/http";
import { scopeOfApiKey } from "./api-keys";
import { auth } from "./auth";
import { database } from "./client";
import type { ProjectScope } from "./scope";
import { mintProjectScope } from "./scope-mint";

/** The project of the signed-in person, for pages; sends everybody else to the sign-in page. */
export async function requireProject(): Promise<ProjectScope> {
  const scope = await scopeOfSession(await headers());
  if (scope === null) redirect("/sign-in");
  return scope;
}

/**
 * The project that a request may act for: by its API key when it carries one, and then by nothing else, otherwise by the
 * session's cookie.
 * @throws AppError `unauthenticated`.
 */
export async function projectOf(request: Request): Promise<ProjectScope> {
  const token = bearerToken(request);
  const scope = token === null ? await scopeOfSession(request.headers) : await scopeOfApiKey(token);
  if (scope === null) throw new AppError("unauthenticated", "Sign in first, or send a valid API key.");
  return scope;
}

async function scopeOfSession(requestHeaders: Headers): Promise<ProjectScope | null> {
  const session = await auth().api.getSession({ headers: requestHeaders });
  if (!session) return null;
  // A person sees one project; the oldest membership is the stable answer.
  const membership = await database().membership.findFirst({
    where: { userId: session.user.id },
    orderBy: [{ createdAt: "asc" }, { projectId: "asc" }],
  });
  if (!membership) return null;
  return mintProjectScope(membership.projectId, { kind: "user", id: session.user.id, name: session.user.name });
}
