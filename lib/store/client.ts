import { PrismaPg } from "@prisma/adapter-pg";
import pg from "pg";
import { env } from "@/lib/env";
import { PrismaClient } from "./generated/client";

interface Connection {
  pool: pg.Pool;
  prisma: PrismaClient;
}

/** Next loads this module more than once (pages, routes, reloads); the connection is one a process all the same. */
const KEY = Symbol.for("misstep.database");
type Holder = typeof globalThis & { [KEY]?: Connection };

function connection(): Connection {
  const holder: Holder = globalThis;
  holder[KEY] ??= connect(env().databaseUrl);
  return holder[KEY];
}

/** A busy machine makes a batch of rows in seconds; a lost job is given to another worker after about a quarter minute. */
const IDLE_IN_TRANSACTION_MS = 30_000;
/** How long anybody waits for a connection, of the pool's own statements and of Prisma's transactions alike. */
const CONNECT_MS = 10_000;
/** No statement takes this long; a connection that was cut off without a word would be waited for for ever. */
const ANSWER_MS = 120_000;

/** Postgres' number of the type TIMESTAMP without a zone. */
const TIMESTAMP = 1114;

/** As node-postgres reads a column, but for timestamps without a zone: it takes those for the process's own, and ours mean UTC. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: "text" | "binary") =>
  oid === TIMESTAMP && format !== "binary"
    ? (text: string): Date => new Date(`${text.replace(" ", "T")}Z`)
    : pg.types.getTypeParser(oid, format);

function connect(connectionString: string): Connection {
  const pool = new pg.Pool({
    connectionString,
    max: 10,
    connectionTimeoutMillis: CONNECT_MS,
    // A process that stands still in the middle of a transaction (stopped, or cut off without a word) holds locks that the
    // next one waits for. The server ends such a transaction; no statement of ours waits this long for the one before it.
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    query_timeout: ANSWER_MS,
    types: { getTypeParser },
    // Timestamps are kept without a zone and mean UTC; a server that runs in another zone would fill defaults with its own.
    options: "-c TimeZone=UTC",
    application_name: "misstep",
  });
  // An idle connection that the server closes is not an error of anybody's request; the next one opens another.
  pool.on("error", (error) => console.error(`[database] idle connection lost: ${error.message}`));
  // By itself Prisma gives a transaction two seconds to get a connection and five for all of its statements, which a busy
  // machine exceeds: somebody would be refused for no reason. The server ends a transaction that stands still.
  const transactionOptions = { maxWait: CONNECT_MS, timeout: IDLE_IN_TRANSACTION_MS };
  return { pool, prisma: new PrismaClient({ adapter: new PrismaPg(pool), transactionOptions }) };
}

/** The Prisma client of this process, connected on first use. */
export function database(): PrismaClient {
  return connection().prisma;
}

/** The pool under `database()`, for bulk writes and for statements that Prisma has no words for. */
export function pool(): pg.Pool {
  return connection().pool;
}

/** Runs `work` in one transaction on one connection of the pool; rolls back when it throws. */
export async function inTransaction<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool().connect();
  let failure: Error | undefined;
  // The pool listens only to idle connections. One that ends between two statements says why by an event (which ends the
  // process when nobody hears it); the next statement only says that there is no connection.
  let lost: Error | undefined;
  const onError = (error: Error): void => {
    lost ??= error;
  };
  client.on("error", onError);
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    failure = error instanceof Error ? error : new Error("transaction failed");
    // The connection itself may be what failed: then there is nothing to roll back, and it is thrown away below.
    await client.query("ROLLBACK").then(
      () => {
        failure = undefined;
      },
      () => undefined,
    );
    throw lost ?? error;
  } finally {
    client.release(failure);
    client.off("error", onError);
  }
}

/** Closes the connections of this process. */
export async function disconnect(): Promise<void> {
  const holder: Holder = globalThis;
  const open = holder[KEY];
  if (!open) return;
  delete holder[KEY];
  await open.prisma.$disconnect();
  if (!open.pool.ended) await open.pool.end();
}
