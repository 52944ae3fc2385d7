import pg from "pg";
import { database, pool } from "@/lib/store/client";
import type { ProjectScope } from "@/lib/store/scope";
import { receiveUpload } from "@/lib/store/uploads";

/** Long enough for a busy machine; the conditions come true as soon as they do. */
export const PATIENT = { timeout: 100_000, interval: 100 };

/** Uploads bytes. Returns the trajectory's id. */
export async function send(scope: ProjectScope, bytes: Uint8Array, name = "run.traj"): Promise<string> {
  const body = new Blob([new Uint8Array(bytes)]).stream();
  return (await receiveUpload(scope, { name, body, contentLength: bytes.length, sha256: null })).id;
}

export async function statusOf(id: string): Promise<string> {
  return (await database().trajectory.findUniqueOrThrow({ where: { id } })).status;
}

export async function countRows(table: string): Promise<number> {
  const { rows } = await pool().query<{ count: string }>(`SELECT count(*) FROM "${table}"`);
  return Number(rows[0]?.count);
}

export interface QueuedJob {
  state: string;
  /** How often it was tried again. */
  retries: number;
  startedAt: Date | null;
}

/** The import job of a trajectory as the queue sees it; the last one when there were several. */
export async function jobOf(trajectoryId: string): Promise<QueuedJob | null> {
  const { rows } = await pool().query<QueuedJob>(
    `SELECT "state"::text, "retry_count" AS "retries", "started_on" AS "startedAt" FROM pgboss.job
     WHERE "name" = 'import-upload' AND "data"->>'trajectoryId' = $1 ORDER BY "created_on" DESC LIMIT 1`,
    [trajectoryId],
  );
  return rows[0] ?? null;
}

/**
 * As if time had passed for the jobs of a trajectory: the last sign of life of who holds one is too old, and one that
 * waits to be tried again may be.
 */
export async function passTime(trajectoryId: string): Promise<void> {
  await pool().query(
    `UPDATE pgboss.job SET "heartbeat_on" = "heartbeat_on" - interval '1 hour', "start_after" = LEAST("start_after", now())
     WHERE "data"->>'trajectoryId' = $1`,
    [trajectoryId],
  );
}

/** As if workers had died of a job that nobody has taken yet, so many times. */
export async function spendAttempts(trajectoryId: string, count: number): Promise<void> {
  await pool().query(
    `UPDATE pgboss.job SET "state" = 'retry', "started_on" = now(), "retry_count" = $2::int - 1
     WHERE "data"->>'trajectoryId' = $1`,
    [trajectoryId, count],
  );
}

export interface Held {
  release: () => Promise<void>;
  /** How many connections wait for what is held. */
  waiting: () => Promise<number>;
}

/** Keeps a table (or rows) of the database from everybody until released: what needs it stops there, in mid-work. */
export async function hold(databaseUrl: string, statement: string): Promise<Held> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query("BEGIN");
  await client.query(statement);
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  const pid = rows[0]?.pid;
  return {
    release: async () => {
      await client.query("ROLLBACK");
      await client.end();
    },
    waiting: async () => {
      const found = await pool().query<{ count: string }>(
        "SELECT count(DISTINCT pid) FROM pg_locks WHERE NOT granted AND $1 = ANY(pg_blocking_pids(pid))",
        [pid],
      );
      return Number(found.rows[0]?.count);
    },
  };
}

/** Every worker stops in the middle of the transaction that stores an import. */
export const holdStoring = (databaseUrl: string): Promise<Held> =>
  hold(databaseUrl, 'LOCK TABLE "FileVersion" IN SHARE ROW EXCLUSIVE MODE');

/** Every worker stops before it reads the bytes of an upload. */
export const holdReading = (databaseUrl: string): Promise<Held> =>
  hold(databaseUrl, 'LOCK TABLE "UploadChunk" IN ACCESS EXCLUSIVE MODE');

/** A worker that takes the job of this trajectory (an id of ours) stops at its first step. */
export const holdOne = (databaseUrl: string, trajectoryId: string): Promise<Held> =>
  hold(databaseUrl, `SELECT 1 FROM "Trajectory" WHERE "id" = '${trajectoryId}' FOR UPDATE`);

const STORED: [table: string, order: string][] = [
  ["Turn", '"index"'],
  ["Context", '"n"'],
  ["ItemText", '"itemId", "field", "piece"'],
  ["File", '"n"'],
  ["FileVersion", '"fileN", "n"'],
  ["Write", '"n"'],
  ["Analysis", '"kind", "engine"'],
];

/** What differs between two imports of the same bytes: who and when. */
const OWN = new Set(["id", "importId", "jobId", "trajectoryId", "projectId", "uploadId", "currentImportId"]);
const TIMES = new Set(["createdAt", "updatedAt"]);

/** Everything that an import stored, its list row included, without ids and times. */
export async function storedUnder(id: string): Promise<Record<string, unknown[]>> {
  const row = await database().trajectory.findUniqueOrThrow({ where: { id } });
  const result: Record<string, unknown[]> = {};
  const read = async (table: string, key: string, value: string | null, order: string): Promise<void> => {
    const { rows } = await pool().query<Record<string, unknown>>(
      `SELECT * FROM "${table}" WHERE "${key}" = $1 ORDER BY ${order}`,
      [value],
    );
    result[table] = rows.map((cells) =>
      Object.fromEntries(Object.entries(cells).filter(([name]) => !OWN.has(name) && !TIMES.has(name))),
    );
  };
  await read("Trajectory", "id", id, '"id"');
  await read("Import", "id", row.currentImportId, '"id"');
  for (const [table, order] of STORED) await read(table, "importId", row.currentImportId, order);
  return result;
}
