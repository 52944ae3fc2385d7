import { AppError } from "@/lib/errors";
import { SHARE_DAYS_DEFAULT, type ShareCreated, type ShareRow, shareRequestSchema } from "@/lib/views/share";
import { recordAudit } from "./audit";
import { database } from "./client";
import { errorForLog } from "./error-log";
import type { Share } from "./generated/client";
import { getGivenFailure } from "./given-failure";
import { hashSecret, newId, newSecret } from "./identifiers";
import { secretsOfImport } from "./import-secrets";
import { checkId, checkProjectScope, type ProjectScope, type ShareScope } from "./scope";
import { mintShareScope } from "./scope-mint";

const DAY_MS = 86_400_000;

/** What is read of a share by the way: it can hold megabytes, which only the page about the failure needs. */
const WITHOUT_TEXTS = { given: true } as const;
type LightShare = Omit<Share, keyof typeof WITHOUT_TEXTS>;

/**
 * Makes a read-only link to a trajectory, pinned to its current import and that import's last analysis. The token is in
 * the answer's `path` and nowhere else: the database keeps its SHA-256.
 * @param request `days` from 1 to 31, 7 when missing.
 * @throws AppError `not_found` when the project has no such trajectory, `conflict` when it is not imported yet
 *   or a file with several trajectories, `bad_request` for other numbers of days.
 */
export async function createShare(
  scope: ProjectScope,
  id: string,
  request: { days?: number | undefined } = { days: SHARE_DAYS_DEFAULT },
): Promise<ShareCreated> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const parsed = shareRequestSchema.safeParse(request);
  if (!parsed.success) throw new AppError("bad_request", "A link lasts from 1 to 31 days.");
  const { days } = parsed.data;
  const token = newSecret(16);
  const given = await getGivenFailure(scope, trajectoryId);
  const share = await database().$transaction(async (tx) => {
    const trajectory = await tx.trajectory.findFirst({
      where: { id: trajectoryId, projectId: scope.projectId },
      select: { currentImportId: true, partCount: true },
    });
    if (trajectory === null) throw new AppError("not_found", "There is no such thing here.");
    if (trajectory.partCount !== null) {
      const message = `This file holds ${trajectory.partCount} trajectories. A link shows one: share it from its own page.`;
      throw new AppError("conflict", message);
    }
    const importId = trajectory.currentImportId;
    if (importId === null)
      throw new AppError("conflict", "This trajectory is not imported yet, so there is nothing to share.");
    const analysis = await tx.analysis.findFirst({
      where: { importId, kind: "localization", status: "done" },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      select: { id: true },
    });
    const now = new Date();
    const made = await tx.share.create({
      data: {
        id: newId(),
        projectId: scope.projectId,
        trajectoryId,
        importId,
        analysisId: analysis?.id ?? null,
        tokenHash: hashSecret(token),
        maskKey: newSecret(32),
        given: JSON.stringify(given),
        createdBy: shownCreator(scope),
        createdAt: now,
        expiresAt: new Date(now.getTime() + days * DAY_MS),
      },
      omit: WITHOUT_TEXTS,
    });
    await recordAudit(scope, { action: "share.create", subject: made.id, data: { trajectoryId, importId, days } }, tx);
    return made;
  });
  // The link opens at once: what its masks have to know is found now. If that fails it is found at the first opening; the
  // link is made, and only this answer says what it is.
  await secretsOfImport(scopeOf(share)).catch((error: unknown) =>
    console.error("[share] secrets not found yet:", errorForLog(error)),
  );
  return { share: rowOf(share, new Date()), path: `/s/${token}` };
}

/** Who made a link, as its readers see it: the name of an API key is the project's own business. The audit record has it. */
function shownCreator({ actor }: ProjectScope): string {
  return actor.kind === "key" ? "a script" : actor.name;
}

/** The links to a trajectory, newest first, also those that no longer open. Null when the project has no such trajectory. */
export async function listShares(scope: ProjectScope, id: string): Promise<ShareRow[] | null> {
  checkProjectScope(scope);
  const trajectory = await database().trajectory.findFirst({
    where: { id: checkId(id), projectId: scope.projectId },
    select: { id: true, shares: { orderBy: [{ createdAt: "desc" }, { id: "desc" }], omit: WITHOUT_TEXTS } },
  });
  if (trajectory === null) return null;
  const now = new Date();
  return trajectory.shares.map((share) => rowOf(share, now));
}

/**
 * Ends a link at once. Ending it again changes nothing.
 * @throws AppError `not_found` when the trajectory of this project has no such link.
 */
export async function revokeShare(scope: ProjectScope, id: string, shareId: string): Promise<ShareRow> {
  checkProjectScope(scope);
  const where = { id: checkId(shareId), trajectoryId: checkId(id), projectId: scope.projectId };
  return database().$transaction(async (tx) => {
    const { count } = await tx.share.updateMany({
      where: { ...where, revokedAt: null },
      data: { revokedAt: new Date(), given: null },
    });
    const share = await tx.share.findFirst({ where, omit: WITHOUT_TEXTS });
    if (share === null) throw new AppError("not_found", "There is no such thing here.");
    if (count > 0)
      await recordAudit(scope, { action: "share.revoke", subject: share.id, data: { trajectoryId: id } }, tx);
    return rowOf(share, new Date());
  });
}

/** 16 bytes as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{22}$/;

/**
 * Opens a link. Null for every token that opens nothing (unknown, expired, revoked, no token at all), after the same
 * hash and the same query, so that neither the answer nor its time tells which it was.
 */
export async function openShare(token: unknown): Promise<{ scope: ShareScope; trajectoryId: string } | null> {
  const given = typeof token === "string" ? token : "";
  const share = await database().share.findUnique({ where: { tokenHash: hashSecret(given) }, omit: WITHOUT_TEXTS });
  const isOpen =
    TOKEN.test(given) && share !== null && share.revokedAt === null && share.expiresAt.getTime() > Date.now();
  if (!isOpen) return null;
  return { scope: scopeOf(share), trajectoryId: share.trajectoryId };
}

function scopeOf(share: LightShare): ShareScope {
  const { id: shareId, projectId, trajectoryId, importId, analysisId, maskKey } = share;
  return mintShareScope({ shareId, projectId, trajectoryId, importId, analysisId, maskKey });
}

function rowOf(share: LightShare, now: Date): ShareRow {
  return {
    id: share.id,
    createdAt: share.createdAt.toISOString(),
    createdBy: share.createdBy,
    expiresAt: share.expiresAt.toISOString(),
    revokedAt: share.revokedAt?.toISOString() ?? null,
    state: share.revokedAt !== null ? "revoked" : share.expiresAt <= now ? "expired" : "active",
  };
}
