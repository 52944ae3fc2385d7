import { AppError } from "@/lib/errors";
import { recordAudit, recordAuditWithoutScope } from "./audit";
import { database } from "./client";
import { hashSecret, newId, newSecret } from "./identifiers";
import { ownerUserId } from "./owner";
import { checkProjectScope, type ProjectScope } from "./scope";

/**
 * One-time sign-in links.
 *
 * `misstep link` prints `{origin}/sign-in/link?token={token}`. A GET of that page changes nothing (previews and prefetches
 * open links too): it shows a button, a form that POSTs the field `token` to `/api/auth/link`. That route uses the link
 * up, opens the session and answers 303 to `/`, an address without the token; a wrong, used or expired link answers 303 to
 * `/sign-in?reason=link`, the same for all three. Only the SHA-256 of the token is stored.
 */
export const SIGN_IN_LINK_MINUTES = 15;

/** Makes a sign-in link for the first user. Returns its path with the token, which is not stored and cannot be shown again. */
export async function createSignInLink(scope: ProjectScope): Promise<{ path: string; expiresAt: Date }> {
  checkProjectScope(scope);
  const token = newSecret(16);
  const expiresAt = new Date(Date.now() + SIGN_IN_LINK_MINUTES * 60_000);
  await database().$transaction(async (tx) => {
    // Spent and expired links say nothing that the audit record does not.
    await tx.signInLink.deleteMany({ where: { expiresAt: { lt: new Date(Date.now() - 24 * 3_600_000) } } });
    await tx.signInLink.create({
      data: { id: newId(), tokenHash: hashSecret(token), userId: ownerUserId(), expiresAt },
    });
    await recordAudit(scope, { action: "link.create", subject: null }, tx);
  });
  return { path: `/sign-in/link?token=${token}`, expiresAt };
}

/**
 * Uses a link up: one atomic update, so that of any number of simultaneous attempts exactly one succeeds.
 * @returns the user to sign in.
 * @throws AppError `unauthenticated` for a link that is wrong, used or expired, without saying which.
 */
export async function consumeSignInLink(token: unknown): Promise<string> {
  const refused = (): AppError => new AppError("unauthenticated", "This sign-in link does not work (any more).");
  if (typeof token !== "string" || token.length < 16 || token.length > 128) throw refused();
  const now = new Date();
  return database().$transaction(async (tx) => {
    const [used] = await tx.signInLink.updateManyAndReturn({
      where: { tokenHash: hashSecret(token), usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
      select: { userId: true },
    });
    if (!used) throw refused();
    const actor = { kind: "user" as const, id: used.userId, name: "" };
    await recordAuditWithoutScope(null, actor, { action: "link.use", subject: null }, tx);
    return used.userId;
  });
}
