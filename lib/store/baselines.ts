import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants } from "node:zlib";
import { BASELINE_MAX_BYTES, BASELINE_MAX_FILES } from "@/lib/catalogue/limits";
import { AppError } from "@/lib/errors";
import { enqueueImport, fromClient, prepareQueue } from "@/lib/jobs";
import { recordAudit } from "./audit";
import { type Part, type SkipReason, unpack } from "./baseline-archive";
import { type Cell, type Column, insertRows } from "./bulk-insert";
import { database, inTransaction, pool } from "./client";
import { checkId, checkProjectScope, type ProjectScope } from "./scope";

const compress = promisify(brotliCompress);
const decompress = promisify(brotliDecompress);

export interface BaselineAnswer {
  /** How many files were attached. */
  files: number;
  /** What the archive held besides, by reason. */
  skipped: { reason: SkipReason; count: number }[];
  /** The folder that all names began with and that was taken off, null when there was none. */
  strippedFolder: string | null;
}

export interface Attachment {
  name: string;
  body: ReadableStream<Uint8Array> | null;
  contentLength: number | null;
  /** `multipart/form-data` holds several files, each under its path in the repository; anything else is one file. */
  contentType: string | null;
}

const COLUMNS: Column[] = [
  { name: "trajectoryId", type: "text" },
  { name: "path", type: "text" },
  { name: "hash", type: "text" },
  { name: "data", type: "bytea" },
  { name: "sizeBytes", type: "int4" },
];

/**
 * Attaches the input of the run, files or archives, and queues an import that uses it. A file of the same path that was
 * attached before is replaced; the others stay.
 * @throws AppError `not_found`; `conflict` while it is being imported, or for a file with several trajectories; `too_large`;
 *   `bad_request` for a damaged archive or one without a single text file.
 */
export async function attachBaseline(
  scope: ProjectScope,
  id: unknown,
  attachment: Attachment,
): Promise<BaselineAnswer> {
  checkProjectScope(scope);
  const trajectoryId = checkId(id);
  const there = await database().trajectory.count({ where: { id: trajectoryId, projectId: scope.projectId } });
  if (there === 0) throw new AppError("not_found", "There is no such trajectory.");
  const bytes = await readAttachment(attachment);
  const unpacked = await unpack(await partsOf(attachment, bytes));
  const skipped = [...unpacked.skipped].map(([reason, count]) => ({ reason, count }));
  if (unpacked.files.size === 0) throw new AppError("bad_request", "There is no text file in what was attached.");
  // A person who names the files says where they are; only an archive brings a folder of its own.
  const folder = unpacked.isArchive ? await folderToStrip(scope, trajectoryId, [...unpacked.files.keys()]) : null;
  const rows: Cell[][] = [];
  for (const [path, text] of unpacked.files) {
    rows.push(await baselineRow(trajectoryId, folder === null ? path : path.slice(folder.length + 1), text));
  }
  await prepareQueue();
  await inTransaction(async (client) => {
    // Held against the worker's step from queued to importing: it comes before this, or it sees these files.
    const locked = await client.query<{ status: string; partCount: number | null }>(
      'SELECT "status", "partCount" FROM "Trajectory" WHERE "id" = $1 AND "projectId" = $2 FOR UPDATE',
      [trajectoryId, scope.projectId],
    );
    const status = locked.rows[0]?.status;
    if (status === undefined) throw new AppError("not_found", "There is no such trajectory.");
    if (locked.rows[0]?.partCount) {
      throw new AppError("conflict", "The file holds several trajectories: attach the input of each to that one.");
    }
    if (status === "importing") {
      throw new AppError("conflict", "The trajectory is being imported. Attach its input when that is done.");
    }
    await client.query('DELETE FROM "BaselineFile" WHERE "trajectoryId" = $1 AND "path" = ANY($2)', [
      trajectoryId,
      rows.map((row) => row[1]),
    ]);
    await insertRows(client, "BaselineFile", COLUMNS, rows);
    const sum = await client.query<{ files: string; bytes: string }>(
      'SELECT count(*) AS files, coalesce(sum("sizeBytes"), 0) AS bytes FROM "BaselineFile" WHERE "trajectoryId" = $1',
      [trajectoryId],
    );
    const total = sum.rows[0];
    if (Number(total?.files) > BASELINE_MAX_FILES || Number(total?.bytes) > BASELINE_MAX_BYTES) {
      throw new AppError("too_large", "Together with what was attached before this is too much.");
    }
    const data = { files: rows.length };
    await recordAudit(scope, { action: "baseline.attach", subject: trajectoryId, data }, client);
    // A queued row has its job already, and that one will find these files.
    if (status === "queued") return;
    await client.query(
      `UPDATE "Trajectory" SET "status" = 'queued', "failure" = NULL, "progress" = NULL, "updatedAt" = now()
       WHERE "id" = $1`,
      [trajectoryId],
    );
    await enqueueImport(fromClient(client), { projectId: scope.projectId, trajectoryId });
  });
  return { files: rows.length, skipped, strippedFolder: folder };
}

async function readAttachment(attachment: Attachment): Promise<Uint8Array> {
  const limit = BASELINE_MAX_BYTES;
  const refused = (): AppError => new AppError("too_large", `At most ${limit / 1_048_576} MiB can be attached.`);
  if (attachment.contentLength !== null && attachment.contentLength > limit) throw refused();
  const pieces: Uint8Array[] = [];
  let size = 0;
  const reader = attachment.body?.getReader();
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read()) {
    size += next.value.length;
    if (size > limit) {
      await reader?.cancel().catch(() => undefined);
      throw refused();
    }
    pieces.push(next.value);
  }
  if (attachment.contentLength !== null && size !== attachment.contentLength) {
    throw new AppError("integrity", `It did not arrive whole: ${size} of ${attachment.contentLength} bytes.`);
  }
  return Buffer.concat(pieces);
}

/** What arrived as named parts: the files of a form, or the body itself. */
async function partsOf(attachment: Attachment, bytes: Uint8Array): Promise<Part[]> {
  const contentType = attachment.contentType ?? "";
  if (!/^multipart\/form-data\b/i.test(contentType)) return [{ name: attachment.name, bytes }];
  const body = new Response(new Uint8Array(bytes), { headers: { "content-type": contentType } });
  const form = await body.formData().catch((error: unknown) => {
    throw new AppError("bad_request", "The form with the files cannot be read.", { cause: error });
  });
  const parts: Part[] = [];
  for (const [path, value] of form) {
    if (typeof value === "string") continue;
    parts.push({ name: path, bytes: new Uint8Array(await value.arrayBuffer()) });
  }
  return parts;
}

async function baselineRow(trajectoryId: string, path: string, text: string): Promise<Cell[]> {
  const bytes = Buffer.from(text, "utf8");
  const data = await compress(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  });
  return [trajectoryId, path, createHash("sha256").update(bytes).digest("hex"), data, bytes.length];
}

/**
 * The folder that an archive of a repository usually has around everything (`name-commit/`). It is taken off unless the
 * names as they are fit the files of the trace better: an archive of only `src/` has a common folder too, and needs it.
 */
async function folderToStrip(scope: ProjectScope, trajectoryId: string, paths: string[]): Promise<string | null> {
  const folder = commonFolder(paths);
  if (folder === null) return null;
  const known = await database().file.findMany({
    where: { import: { currentOf: { id: trajectoryId, projectId: scope.projectId } } },
    select: { display: true },
  });
  const names = new Set(known.map((file) => file.display));
  const fits = (spelled: (path: string) => string): number => paths.filter((path) => names.has(spelled(path))).length;
  const asTheyAre = fits((path) => path);
  return asTheyAre > fits((path) => path.slice(folder.length + 1)) ? null : folder;
}

/** The first folder of all paths when it is the same one, else null. */
export function commonFolder(paths: readonly string[]): string | null {
  const first = paths[0]?.split("/");
  const folder = first !== undefined && first.length > 1 ? first[0] : undefined;
  if (folder === undefined) return null;
  return paths.every((path) => path.startsWith(`${folder}/`)) ? folder : null;
}

/** The attached input of a run for the importer; null when nothing is attached. */
export async function loadBaseline(scope: ProjectScope, id: string): Promise<{ files: Map<string, string> } | null> {
  checkProjectScope(scope);
  // By pg and not by Prisma: a worker never loads the compiler of queries (import-status.ts).
  const { rows } = await pool().query<{ path: string; data: Buffer; sizeBytes: number }>(
    `SELECT b."path", b."data", b."sizeBytes" FROM "BaselineFile" b JOIN "Trajectory" t ON t."id" = b."trajectoryId"
     WHERE t."id" = $1 AND t."projectId" = $2 ORDER BY b."path"`,
    [checkId(id), scope.projectId],
  );
  if (rows.length === 0) return null;
  const files = new Map<string, string>();
  for (const row of rows) {
    const bytes = await decompress(row.data, { maxOutputLength: Math.max(1, row.sizeBytes) });
    files.set(row.path, bytes.toString("utf8"));
  }
  return { files };
}
