import { Socket } from "node:net";
import pg from "pg";
import { env } from "@/lib/env";
import { database, pool } from "./client";

/** How often a worker says that it is alive, and how old that may be until it counts as dead. */
export const HEARTBEAT_EVERY_MS = 3_000;
export const HEARTBEAT_MAX_AGE_MS = 15_000;

/** Says that the worker process `id` is alive. Given up after a while: another sign follows, and none may pile up. */
export async function beat(id: string): Promise<void> {
  const sign: pg.QueryConfig & { query_timeout: number } = {
    text: `INSERT INTO "WorkerHeartbeat" ("id", "startedAt", "seenAt") VALUES ($1, $2, $2)
           ON CONFLICT ("id") DO UPDATE SET "seenAt" = EXCLUDED."seenAt"`,
    values: [id, new Date().toISOString()],
    query_timeout: 2 * HEARTBEAT_EVERY_MS,
  };
  await pool().query(sign);
}

/** Takes the worker off the list when it stops, and with it those that died without doing so long ago. */
export async function forgetWorker(id: string): Promise<void> {
  // By pg: a worker never loads the compiler of queries (import-status.ts).
  await pool().query('DELETE FROM "WorkerHeartbeat" WHERE "id" = $1 OR "seenAt" < $2', [
    id,
    new Date(Date.now() - 3_600_000).toISOString(),
  ]);
}

/** How many workers gave a sign of life within HEARTBEAT_MAX_AGE_MS. Throws when the database cannot be reached. */
export async function countLiveWorkers(): Promise<number> {
  return database().workerHeartbeat.count({ where: { seenAt: { gt: oldestSign() } } });
}

let probing: Promise<number> | null = null;

/**
 * As `countLiveWorkers`, for probes: on a connection of its own that is given up after `timeoutMs`. On the pool's, probes
 * would wait behind pages, and take connections away one by one while nothing answers. There is one at a time; who asks
 * meanwhile gets its answer.
 * @throws when there is no answer in time, or the database cannot be reached.
 */
export function probeWorkers(timeoutMs: number): Promise<number> {
  probing ??= probe(timeoutMs).finally(() => {
    probing = null;
  });
  return probing;
}

async function probe(timeoutMs: number): Promise<number> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: env().databaseUrl,
    stream: () => socket,
    connectionTimeoutMillis: timeoutMs,
    application_name: "misstep health",
  });
  // What is awaited says what went wrong; the event alone would end the process.
  client.on("error", () => undefined);
  const timer = setTimeout(() => socket.destroy(), timeoutMs);
  try {
    await client.connect();
    const { rows } = await client.query<{ count: string }>(
      'SELECT count(*) FROM "WorkerHeartbeat" WHERE "seenAt" > $1',
      [oldestSign().toISOString()],
    );
    await client.end();
    return Number(rows[0]?.count);
  } finally {
    clearTimeout(timer);
    // A server that does not answer does not say goodbye either.
    socket.destroy();
  }
}

function oldestSign(): Date {
  return new Date(Date.now() - HEARTBEAT_MAX_AGE_MS);
}
