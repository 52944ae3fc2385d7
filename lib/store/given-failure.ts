import type { ClientBase } from "pg";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { enqueueImport, fromClient, prepareQueue } from "@/lib/jobs";
import { type GivenFailure, givenFailureSchema, mergeFailure, NOTHING_GIVEN } from "@/lib/trajectory/given-failure";
import { failureContextSchema } from "@/lib/trajectory/schema";
import type { GivenChange, GivenSeen } from "@/lib/views/failure";
import { recordAudit } from "./audit";
import { inTransaction, pool } from "./client";
import { type CleanChange, cleanChange, PART_NAMES } from "./given-change";
import { taskLabel } from "./list-labels";
import { parseJson } from "./own-json";
import { checkId, checkProjectScope, checkReadScope, type ProjectScope, type ReadScope } from "./scope";
import { storedHeadSchema } from "./stored-import";

const partRowSchema = z.object({
  part: givenFailureSchema.keyof(),
  text: z.string(),
  givenByName: z.string(),
  givenAt: z.string(),
});

/**
 * What a person gave for a trajectory; for a share, what had been given when the link was made. Nothing given where the
 * scope has no such trajectory. By pg: a worker never loads the compiler of queries (import-status.ts).
 */
export async function getGivenFailure(scope: ReadScope, trajectoryId: string): Promise<GivenFailure> {
  checkReadScope(scope);
  const id = checkId(trajectoryId);
  if (scope.kind === "share") {
    const { rows } = await pool().query<{ given: string | null }>(
      'SELECT "given" FROM "Share" WHERE "id" = $1 AND "trajectoryId" = $2',
      [scope.shareId, id],
    );
    const given = rows[0]?.given ?? null;
    return given === null ? NOTHING_GIVEN : givenFailureSchema.parse(parseJson(given));
  }
  return readParts(pool(), scope, id);
}

async function readParts(
  within: Pick<ClientBase, "query">,
  { projectId }: ProjectScope,
  trajectoryId: string,
): Promise<GivenFailure> {
  const { rows } = await within.query(
    `SELECT g."part", g."text", g."givenByName",
       to_char(g."givenAt", 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "givenAt" FROM "GivenPart" g
     JOIN "Trajectory" t ON t."id" = g."trajectoryId" WHERE t."id" = $1 AND t."projectId" = $2`,
    [trajectoryId, projectId],
  );
  const given = z
    .array(partRowSchema)
    .parse(rows)
    .map(({ part, text, givenByName, givenAt }) => [part, { value: text, by: givenByName, at: givenAt }]);
  return givenFailureSchema.parse({ ...NOTHING_GIVEN, ...Object.fromEntries(given) });
}

/**
 * Stores what a person says about a failure, all of it or nothing. A part that is missing in `change` stays; null or an
 * empty text takes it back. Another outcome counts in the list at once and queues a reading, because the rule's verdict
 * hangs on it; everything else needs none.
 * @param seen when the parts were given that whoever sends this knows of; a missing part is not compared.
 * @returns whether a reading was queued.
 * @throws AppError `not_found`; `too_large` with the part and the limit; `conflict` for a file with several trajectories,
 *   for another outcome while the trajectory is being imported, and where somebody else gave a part since it was seen.
 */
export async function giveFailure(
  scope: ProjectScope,
  id: unknown,
  change: GivenChange,
  seen: GivenSeen = {},
): Promise<{ readsAgain: boolean }> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const clean = cleanChange(change);
  await prepareQueue();
  return inTransaction(async (client) => {
    // Held against the worker's step from queued to importing: it comes before this, or it sees this outcome.
    const locked = await client.query<LockedRow>(
      `SELECT "status", "partCount", "givenOutcome", "currentImportId" FROM "Trajectory"
       WHERE "id" = $1 AND "projectId" = $2 FOR UPDATE`,
      [trajectoryId, scope.projectId],
    );
    const row = locked.rows[0];
    if (row === undefined) throw new AppError("not_found", "There is no such trajectory.");
    if (row.partCount !== null) {
      throw new AppError("conflict", "The file holds several trajectories: say how each ended on its own page.");
    }
    const outcome = clean.given.get("outcome") ?? null;
    const saysOutcome = clean.given.has("outcome") || clean.cleared.includes("outcome");
    const changesOutcome = saysOutcome && outcome !== row.givenOutcome;
    if (changesOutcome && row.status === "importing") {
      const message = "The trajectory is being imported. Say how it ended when that is done.";
      throw new AppError("conflict", message);
    }
    refuseUnseen(clean, seen, await readParts(client, scope, trajectoryId));
    await client.query('DELETE FROM "GivenPart" WHERE "trajectoryId" = $1 AND "part" = ANY($2)', [
      trajectoryId,
      clean.cleared,
    ]);
    for (const [part, text] of clean.given) {
      await client.query(
        `INSERT INTO "GivenPart" AS g ("trajectoryId", "part", "text", "givenBy", "givenByName", "givenAt")
         VALUES ($1, $2, $3, $4, $5, now())
         ON CONFLICT ("trajectoryId", "part") DO UPDATE SET "text" = EXCLUDED."text", "givenBy" = EXCLUDED."givenBy",
           "givenByName" = EXCLUDED."givenByName", "givenAt" = EXCLUDED."givenAt"
         WHERE g."text" <> EXCLUDED."text"`,
        [trajectoryId, part, text, giverOf(scope), scope.actor.name],
      );
    }
    await showInList(client, scope, trajectoryId, { ...row, givenOutcome: saysOutcome ? outcome : row.givenOutcome });
    const data = { given: [...clean.given.keys()], cleared: [...clean.cleared] };
    await recordAudit(scope, { action: "failure.give", subject: trajectoryId, data }, client);
    // A queued row has its job already, and that one will find this outcome; so will the next try of a failed one.
    if (!changesOutcome || row.status !== "ready") return { readsAgain: false };
    await client.query(
      `UPDATE "Trajectory" SET "status" = 'queued', "failure" = NULL, "progress" = NULL, "updatedAt" = now()
       WHERE "id" = $1`,
      [trajectoryId],
    );
    await enqueueImport(fromClient(client), { projectId: scope.projectId, trajectoryId });
    return { readsAgain: true };
  });
}

/** What two people say at the same time is lost for neither: the second one is told what the first one said. */
function refuseUnseen({ given, cleared }: CleanChange, seen: GivenSeen, now: GivenFailure): void {
  for (const part of [...given.keys(), ...cleared]) {
    const [known, there] = [seen[part], now[part]];
    if (known === undefined || known === (there?.at ?? null) || (there?.value ?? null) === (given.get(part) ?? null)) {
      continue;
    }
    const what = `the ${PART_NAMES[part]}`;
    const who = there === null ? `Somebody has taken ${what} back` : `${there.by} has changed ${what}`;
    throw new AppError("conflict", `${who} since you opened it. Nothing of yours was saved yet.`);
  }
}

interface LockedRow {
  status: string;
  partCount: number | null;
  givenOutcome: string | null;
  currentImportId: string | null;
}

/** Brings the columns of the list in step with what is given now. */
async function showInList(
  client: ClientBase,
  scope: ProjectScope,
  trajectoryId: string,
  { givenOutcome, currentImportId }: LockedRow,
): Promise<void> {
  await client.query('UPDATE "Trajectory" SET "givenOutcome" = $2 WHERE "id" = $1', [trajectoryId, givenOutcome]);
  if (currentImportId === null) return;
  const found = await client.query<{ head: unknown; failureContext: unknown }>(
    'SELECT "head", "failureContext" FROM "Import" WHERE "id" = $1',
    [currentImportId],
  );
  const head = storedHeadSchema.parse(found.rows[0]?.head);
  const failure = failureContextSchema.parse(found.rows[0]?.failureContext);
  const given = await readParts(client, scope, trajectoryId);
  const known = mergeFailure({ failure, taskStatement: head.task.statement }, given);
  await client.query(
    `UPDATE "Trajectory" SET "outcome" = $3, "task" = $4, "updatedAt" = now() WHERE "id" = $1 AND "projectId" = $2`,
    [trajectoryId, scope.projectId, known.failure.outcome, taskLabel(head, known.taskStatement)],
  );
}

/** Who gives, as the audit record names actors. */
export function giverOf({ actor }: ProjectScope): string {
  return actor.kind === "system" ? "system" : `${actor.kind}:${actor.id}`;
}
