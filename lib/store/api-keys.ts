import { AppError } from "@/lib/errors";
import { recordAudit } from "./audit";
import { database } from "./client";
import { hashSecret, newId, newSecret } from "./identifiers";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";
import { mintProjectScope } from "./scope-mint";

/** Makes a key recognisable in a leak, and by scanners for secrets. */
const PREFIX = "misstep_";

/** Makes an API key for the project. The token is shown once; only its SHA-256 is stored. */
export async function createApiKey(scope: ProjectScope, name: string): Promise<{ id: string; token: string }> {
  checkProjectScope(scope);
  const label = name.trim().slice(0, 100);
  if (label === "") throw new AppError("bad_request", "An API key needs a name.");
  const id = newId();
  const token = PREFIX + newSecret(24);
  await database().$transaction(async (tx) => {
    await tx.apiKey.create({ data: { id, projectId: scope.projectId, name: label, tokenHash: hashSecret(token) } });
    await recordAudit(scope, { action: "key.create", subject: id }, tx);
  });
  return { id, token };
}

/** Revokes a key at once. @throws AppError `not_found` when the project has no such key. */
export async function revokeApiKey(scope: ProjectScope, id: unknown): Promise<void> {
  checkProjectScope(scope);
  const keyId = checkId(id);
  await database().$transaction(async (tx) => {
    const { count } = await tx.apiKey.updateMany({
      where: { id: keyId, projectId: scope.projectId, revokedAt: null },
      data: { revokedAt: new Date() },
    });
    if (count === 0) throw new AppError("not_found", "There is no such key.");
    await recordAudit(scope, { action: "key.revoke", subject: keyId }, tx);
  });
}

/** What a key gives the right to; null when it is unknown or revoked. */
export async function scopeOfApiKey(token: string): Promise<ProjectScope | null> {
  if (!token.startsWith(PREFIX) || token.length > 128) return null;
  const key = await database().apiKey.findUnique({ where: { tokenHash: hashSecret(token) } });
  if (!key || key.revokedAt !== null) return null;
  // Once a minute is enough for "last used", and spares a write on every request of a script.
  if (key.lastUsedAt === null || Date.now() - key.lastUsedAt.getTime() > 60_000) {
    await database().apiKey.updateMany({ where: { id: key.id }, data: { lastUsedAt: new Date() } });
  }
  return mintProjectScope(key.projectId, { kind: "key", id: key.id, name: key.name });
}
