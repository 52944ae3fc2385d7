import { database } from "./client";

/** How often a worker says that it is alive, and how old that may be until it counts as dead. */
export const HEARTBEAT_EVERY_MS = 3_000;
export const HEARTBEAT_MAX_AGE_MS = 15_000;

/** Says that the worker process `id` is alive. */
export async function beat(id: string): Promise<void> {
  const now = new Date();
  await database().workerHeartbeat.upsert({
    where: { id },
    create: { id, startedAt: now, seenAt: now },
    update: { seenAt: now },
  });
}

/** Takes the worker off the list when it stops, and with it those that died without doing so long ago. */
export async function forgetWorker(id: string): Promise<void> {
  await database().workerHeartbeat.deleteMany({
    where: { OR: [{ id }, { seenAt: { lt: new Date(Date.now() - 3_600_000) } }] },
  });
}

/** How many workers gave a sign of life within HEARTBEAT_MAX_AGE_MS. Throws when the database cannot be reached. */
export async function countLiveWorkers(): Promise<number> {
  return database().workerHeartbeat.count({
    where: { seenAt: { gt: new Date(Date.now() - HEARTBEAT_MAX_AGE_MS) } },
  });
}
