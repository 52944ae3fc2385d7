import type { ClientBase } from "pg";
import { toJsonb } from "./bulk-insert";
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
  | "failure.give"
  | "investigation.start"
  | "investigation.cancel"
  | "review.give"
  | "import.retry"
  | "import.again"
  | "share.create"
  | "share.revoke";

export interface AuditEntry {
  action: AuditAction;
  subject: string | null;
  data?: Prisma.InputJsonObject;
}

/** A connection with an open transaction, of either kind. */
type Writer = Pick<Prisma.TransactionClient, "auditEvent"> | ClientBase;

/**
 * Records that the actor of the scope did something. What changes something is recorded in the transaction of the change:
 * there is no change without its record, and no record of what did not happen.
 */
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
  const event = {
    id: newId(),
    projectId,
    actor: actor.kind === "system" ? "system" : `${actor.kind}:${actor.id}`,
    action: entry.action,
    subject: entry.subject,
  };
  if ("auditEvent" in within) {
    await within.auditEvent.create({ data: { ...event, ...(entry.data ? { data: entry.data } : {}) } });
    return;
  }
  await within.query(
    `INSERT INTO "AuditEvent" ("id", "projectId", "actor", "action", "subject", "data")
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [...Object.values(event), entry.data ? toJsonb(entry.data) : null],
  );
}
