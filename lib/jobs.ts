import { type ConstructorOptions, type Db, fromPrisma, type Job, type JobWithMetadata, PgBoss } from "pg-boss";
import { z } from "zod";
import { env } from "@/lib/env";
import { AppError } from "@/lib/errors";

/** The queues. A name is a file of workers/handlers. */
export const QUEUE = {
  importUpload: "import-upload",
  importAbandoned: "import-abandoned",
  investigate: "investigate",
  investigateAbandoned: "investigate-abandoned",
} as const;

/** Import the upload of this trajectory (again). Says which row, never what is in it: the handler reads the rest. */
export const importUploadSchema = z.object({ projectId: z.string().min(1), trajectoryId: z.string().min(1) });
export type ImportUploadJob = z.infer<typeof importUploadSchema>;

/** Ask a model about this trajectory, as the row of the analysis says. */
export const investigateSchema = importUploadSchema.extend({ analysisId: z.string().min(1) });
export type InvestigateJob = z.infer<typeof investigateSchema>;

/** An attempt of a job whose worker died is seen as lost this long after its last sign of life. */
export const JOB_HEARTBEAT_SECONDS = 12;
/** How often a worker says that it still holds a job. */
export const JOB_REFRESH_SECONDS = 4;
/** How often a job is tried again after the first attempt; only for what trying again can mend. */
export const JOB_RETRIES = 3;

interface Senders {
  boss: PgBoss;
  started: Promise<PgBoss>;
}
const KEY = Symbol.for("misstep.jobs");
type Holder = typeof globalThis & { [KEY]?: Senders };

/** A connection that was cut off without a word would be waited for until the worker is started again. */
const ANSWER_MS = 15_000;

/** The queue's pool is one of node-postgres and takes its settings, also those that the queue does not know. */
function common(): ConstructorOptions & { query_timeout: number } {
  return {
    connectionString: env().databaseUrl,
    schema: "pgboss",
    application_name: "misstep jobs",
    connectionTimeoutMillis: ANSWER_MS,
    query_timeout: ANSWER_MS,
  };
}

async function start(boss: PgBoss): Promise<PgBoss> {
  boss.on("error", (error) => console.error(`[jobs] ${error.message}`));
  await boss.start();
  await boss.createQueue(QUEUE.importAbandoned, { retryLimit: 5, retryDelay: 1, retryBackoff: true });
  await boss.createQueue(QUEUE.importUpload, {
    retryLimit: JOB_RETRIES,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    heartbeatSeconds: JOB_HEARTBEAT_SECONDS,
    expireInSeconds: 3_600,
    deadLetter: QUEUE.importAbandoned,
    notify: true,
  });
  await boss.createQueue(QUEUE.investigateAbandoned, { retryLimit: 5, retryDelay: 1, retryBackoff: true });
  await boss.createQueue(QUEUE.investigate, {
    retryLimit: JOB_RETRIES,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 30,
    heartbeatSeconds: JOB_HEARTBEAT_SECONDS,
    expireInSeconds: 3 * 3_600,
    deadLetter: QUEUE.investigateAbandoned,
    notify: true,
  });
  return boss;
}

/**
 * The queue for processes that only send (web and commands): no supervision, no schedules, two connections. Started on
 * first use.
 */
async function sender(): Promise<PgBoss> {
  const holder: Holder = globalThis;
  if (!holder[KEY]) {
    const boss = new PgBoss({ ...common(), max: 2, supervise: false, schedule: false });
    holder[KEY] = { boss, started: start(boss) };
    // A failed start is not kept: the next request tries again.
    holder[KEY].started.catch(() => {
      delete holder[KEY];
    });
  }
  return holder[KEY].started;
}

/** The queue for the worker: it supervises (finds lost jobs, retries, buries), and hears of new jobs by NOTIFY. */
export async function startWorkerQueue(): Promise<PgBoss> {
  return start(
    new PgBoss({
      ...common(),
      max: 6,
      supervise: true,
      schedule: false,
      superviseIntervalSeconds: 2,
      monitorIntervalSeconds: 2,
      queueCacheIntervalSeconds: 2,
      useListenNotify: true,
    }),
  );
}

/** A job as the worker that holds it knows it. */
export type HeldJob = Job<unknown> & Pick<JobWithMetadata, "retryLimit">;

/** How often a job was tried before and its worker did not survive it, or met a database that was away. */
export function failedAttempts({ retryCount, retryLimit }: HeldJob): number {
  return retryCount - (retryLimit - JOB_RETRIES);
}

/**
 * Makes the attempt that holds a job not count, because its worker was asked to stop: the job may be tried once more. The
 * queue counts by itself who took a job, and tells attempts apart by it; so the limit moves and not the count.
 */
export async function excuseAttempt(boss: Pick<PgBoss, "getDb">, { name, id, retryCount }: HeldJob): Promise<void> {
  await boss.getDb().executeSql(
    `UPDATE pgboss.job SET "retry_limit" = "retry_limit" + 1
     WHERE "name" = $1 AND "id" = $2 AND "state" = 'active' AND "retry_count" = $3`,
    [name, id, retryCount],
  );
}

/** A connection with an open transaction: `fromPrisma(tx)`, or `fromClient(client)` for a bare one. */
export type JobConnection = Pick<Db, "executeSql">;
export { fromPrisma };

/** A connection of node-postgres as the queue wants it. */
export function fromClient(client: {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}): JobConnection {
  return { executeSql: (text, values) => client.query(text, values) };
}

/**
 * Queues the import of a trajectory inside the caller's transaction: the job exists if and only if the change to the row
 * does.
 * @throws AppError `unavailable` when the queue did not take it.
 */
export async function enqueueImport(within: JobConnection, job: ImportUploadJob): Promise<string> {
  const boss = await sender();
  const id = await boss.send(QUEUE.importUpload, importUploadSchema.parse(job), { db: within });
  if (id === null) throw new AppError("unavailable", "The import could not be queued. Try again.");
  return id;
}

/** Parts of one file come by the thousand: whoever uploads a file of their own meanwhile does not wait behind them. */
const PARTS_PRIORITY = -1;

/**
 * Queues the imports of many trajectories of one file inside the caller's transaction, as `enqueueImport` does one, behind
 * those that were uploaded by themselves.
 */
export async function enqueueImports(within: JobConnection, jobs: ImportUploadJob[]): Promise<void> {
  if (jobs.length === 0) return;
  const boss = await sender();
  const rows = jobs.map((job) => ({ data: importUploadSchema.parse(job), priority: PARTS_PRIORITY }));
  await boss.insert(QUEUE.importUpload, rows, { db: within });
}

/**
 * Queues an investigation inside the caller's transaction, as `enqueueImport` does an import.
 * @throws AppError `unavailable` when the queue did not take it.
 */
export async function enqueueInvestigation(within: JobConnection, job: InvestigateJob): Promise<void> {
  const boss = await sender();
  const id = await boss.send(QUEUE.investigate, investigateSchema.parse(job), { db: within });
  if (id === null) throw new AppError("unavailable", "The investigation could not be queued. Try again.");
}

/** Makes sure that the queue is there before a transaction is opened, so that no transaction waits for it. */
export async function prepareQueue(): Promise<void> {
  await sender();
}

/** Closes the sending side of this process. */
export async function stopSender(): Promise<void> {
  const holder: Holder = globalThis;
  const open = holder[KEY];
  if (!open) return;
  delete holder[KEY];
  await open.boss.stop({ graceful: false });
}
