import type { ClientBase } from "pg";
import { enqueueImports, fromClient, prepareQueue } from "@/lib/jobs";
import type { Note } from "@/lib/trajectory/schema";
import { toJsonb } from "./bulk-insert";
import { inTransaction } from "./client";
import { newId } from "./identifiers";
import type { StoreOutcome } from "./imports";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";
import type { StoredPart } from "./stored-part";
import { cleanName } from "./uploads";

/** A file that turned out to hold several trajectories: what the worker hands to the store. */
export interface FileSplit {
  detection: { format: string; score: number; reason: string };
  /** In the order of the file. */
  parts: readonly StoredPart[];
  /** What of the file no part holds. */
  notes: readonly Note[];
}

/** A part and the row that it gets. */
interface Placed {
  id: string;
  index: number;
  part: StoredPart;
}

/**
 * Makes a row of every trajectory of a file, each with its import job, and the file's own row their parent, in one
 * transaction. Of a file that was taken apart before, a part with a known key keeps its row and all that hangs on it, and
 * is read again; a part that is not found any more keeps its row as well, but stands in the list by itself from then on
 * (`partIndex` null).
 * @param target `attempt` is the one that began the file's row (`beginImport`)
 * @returns `stored`; `gone` when the row was removed meanwhile; `lost` when another attempt has it by now, or had and is
 *   done: then nothing is stored.
 */
export async function storeParts(
  scope: ProjectScope,
  target: { trajectoryId: string; attempt: string },
  split: FileSplit,
): Promise<StoreOutcome> {
  checkProjectScope(scope);
  const parentId = checkId(target.trajectoryId);
  const attempt = checkId(target.attempt);
  await prepareQueue();
  return inTransaction(async (client) => {
    if (!(await becomeParent(client, scope, { parentId, attempt }, split))) {
      const there = await client.query('SELECT 1 FROM "Trajectory" WHERE "id" = $1', [parentId]);
      return there.rowCount === 0 ? "gone" : "lost";
    }
    const { kept, added, waiting } = await placeParts(client, parentId, split.parts);
    await moveParts(client, kept);
    await addParts(client, parentId, added);
    const jobs = [...kept.filter(({ id }) => !waiting.has(id)), ...added].sort((a, b) => a.index - b.index);
    await enqueueImports(
      fromClient(client),
      jobs.map(({ id }) => ({ projectId: scope.projectId, trajectoryId: id })),
    );
    return "stored" as const;
  });
}

/** What a reading of the whole as one trajectory left on the row says nothing of a file with several. */
const OF_ONE_RUN = [
  ...["progress", "failure", "currentImportId", "formatVariant", "framework", "frameworkVersion", "model", "task"],
  ...["outcome", "exitStatus", "turnCount", "callCount", "writeCount", "inputTokens", "outputTokens", "costUsd"],
  ...["durationMs", "runStrip", "verdictStatus", "verdictTurn", "verdictEngine"],
];

async function becomeParent(
  client: ClientBase,
  scope: ProjectScope,
  { parentId, attempt }: { parentId: string; attempt: string },
  { detection, parts, notes }: FileSplit,
): Promise<boolean> {
  const notUnderstood = notes
    .filter((note) => note.level === "not_understood")
    .reduce((sum, note) => sum + note.count, 0);
  const { rowCount } = await client.query(
    `UPDATE "Trajectory" SET "status" = 'several', "partCount" = $4, "fileNotes" = $5, "notUnderstood" = $6,
       "format" = $7, "formatScore" = $8, "formatReason" = $9, "updatedAt" = now(),
       ${OF_ONE_RUN.map((name) => `"${name}" = NULL`).join(", ")}
     WHERE "id" = $1 AND "projectId" = $2 AND "parentId" IS NULL AND "progress"->>'attempt' = $3`,
    [
      parentId,
      scope.projectId,
      attempt,
      parts.length,
      toJsonb(notes),
      notUnderstood,
      detection.format,
      detection.score,
      detection.reason,
    ],
  );
  return rowCount === 1;
}

/** Which parts have a row already, by their keys, and which of those rows wait for a worker or are in one's hands. */
async function placeParts(
  client: ClientBase,
  parentId: string,
  parts: readonly StoredPart[],
): Promise<{ kept: Placed[]; added: Placed[]; waiting: Set<string> }> {
  const { rows } = await client.query<{ id: string; key: string; status: string }>(
    `SELECT "id", "part"->>'key' AS "key", "status" FROM "Trajectory" WHERE "parentId" = $1 FOR UPDATE`,
    [parentId],
  );
  const known = new Map(rows.map(({ key, id }) => [key, id]));
  const kept: Placed[] = [];
  const added: Placed[] = [];
  for (const [index, part] of parts.entries()) {
    const id = known.get(part.key);
    // Each row is taken once, so that no key, given twice against the rules, takes two parts into one row.
    known.delete(part.key);
    if (id === undefined) added.push({ id: newId(), index, part });
    else kept.push({ id, index, part });
  }
  const waiting = new Set(
    rows.filter(({ status }) => status === "queued" || status === "importing").map(({ id }) => id),
  );
  if (rows.length > 0) {
    // First out of the way: two parts may have changed places, and no two rows may have one place in between.
    await client.query('UPDATE "Trajectory" SET "partIndex" = NULL WHERE "parentId" = $1', [parentId]);
  }
  return { kept, added, waiting };
}

/** Rows of parts that were there: their place, and that they are read again unless somebody is about to. */
async function moveParts(client: ClientBase, kept: Placed[]): Promise<void> {
  if (kept.length === 0) return;
  await client.query(
    `UPDATE "Trajectory" t SET "partIndex" = p."index", "part" = p."part", "name" = p."name",
       "sizeBytes" = COALESCE(p."size", t."sizeBytes"), "updatedAt" = now(),
       "status" = CASE WHEN t."status" = 'importing' THEN t."status" ELSE 'queued' END, "failure" = NULL,
       "progress" = CASE WHEN t."status" = 'importing' THEN t."progress" END
     FROM unnest($1::text[], $2::int4[], $3::text[], $4::int8[], $5::jsonb[]) AS p("id", "index", "name", "size", "part")
     WHERE t."id" = p."id"`,
    columnsOf(kept),
  );
}

async function addParts(client: ClientBase, parentId: string, added: Placed[]): Promise<void> {
  if (added.length === 0) return;
  await client.query(
    `INSERT INTO "Trajectory" ("id", "partIndex", "name", "sizeBytes", "part", "parentId", "projectId", "uploadId",
       "status", "isDemo", "createdAt", "updatedAt")
     SELECT p."id", p."index", p."name", COALESCE(p."size", t."sizeBytes"), p."part", t."id", t."projectId", t."uploadId",
       'queued', t."isDemo", t."createdAt", now()
     FROM unnest($1::text[], $2::int4[], $3::text[], $4::int8[], $5::jsonb[]) AS p("id", "index", "name", "size", "part"),
       "Trajectory" t WHERE t."id" = $6`,
    [...columnsOf(added), parentId],
  );
}

/** The parts as columns: id, index, name, bytes (null for a part without a range), part. */
function columnsOf(placed: Placed[]): unknown[][] {
  return [
    placed.map(({ id }) => id),
    placed.map(({ index }) => index),
    placed.map(({ part }) => cleanName(part.name)),
    placed.map(({ part: { range } }) => (range === null ? null : range.end - range.start)),
    placed.map(({ part }) => toJsonb(part)),
  ];
}
