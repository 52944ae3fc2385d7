import { database } from "./client";
import type { Prisma } from "./generated/client";
import { newId } from "./identifiers";
import { type Actor, checkProjectScope, type ProjectScope } from "./scope";

/** What is recorded. A closed list, so that a reader of the record knows what can be in it. */
export type AuditAction =
  | "link.create"
  | "link.use"
  | "key.create"
  | "key.revoke"
  | "upload.create"
  | "upload.download"
  | "baseline.attach"
  | "import.retry"
  | "share.create"
  | "share.revoke";

export interface AuditEntry {
  action: AuditAction;
  subject: string | null;
  data?: Prisma.InputJsonObject;
}

type Writer = Pick<Prisma.TransactionClient, "auditEvent">;

/** Records that the actor of the scope did something; inside a transaction when one is given. */
export async function recordAudit(scope: ProjectScope, entry: AuditEntry, within: Writer = database()): Promise<void> {
  checkProjectScope(scope);
  await write(within, scope.projectId, scope.actor, entry);
}

/** As `recordAudit`, for what happens before there is a scope: using up a sign-in link. */
export async function recordAuditWithoutScope(
  projectId: string | null,
  actor: Actor,
  entry: AuditEntry,
  within: Writer = database(),
): Promise<void> {
  await write(within, projectId, actor, entry);
}

async function write(within: Writer, projectId: string | null, actor: Actor, entry: AuditEntry): Promise<void> {
  await within.auditEvent.create({
    data: {
      id: newId(),
      projectId,
      actor: actor.kind === "system" ? "system" : `${actor.kind}:${actor.id}`,
      action: entry.action,
      subject: entry.subject,
      ...(entry.data ? { data: entry.data } : {}),
    },
  });
}
