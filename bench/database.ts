import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { resetEnv } from "@/lib/env";
import { stopSender } from "@/lib/jobs";
import { database, disconnect } from "@/lib/store/client";
import type { ProjectScope } from "@/lib/store/scope";
import { mintProjectScope } from "@/lib/store/scope-mint";

/**
 * Gives `work` an empty, migrated database on an embedded Postgres of its own, in a temporary folder, with a project in it;
 * `DATABASE_URL` of this process points to it. Everything is gone afterwards.
 */
export async function withDatabase<T>(work: (scope: ProjectScope, url: string) => Promise<T>): Promise<T> {
  const { startPostgres } = await import("../bin/postgres.mjs");
  const { migrate } = await import("../bin/migrate.mjs");
  const folder = await mkdtemp(path.join(os.tmpdir(), "misstep-bench-"));
  const server = await startPostgres({ dataDir: path.join(folder, "postgres"), durable: false, ownFolders: [folder] });
  const before = process.env.DATABASE_URL;
  try {
    await migrate(server.url);
    process.env.DATABASE_URL = server.url;
    resetEnv();
    return await work(await makeProject(), server.url);
  } finally {
    await stopSender();
    await disconnect();
    if (before === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = before;
    resetEnv();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function makeProject(): Promise<ProjectScope> {
  const id = `p${randomBytes(6).toString("hex")}`;
  await database().project.create({ data: { id, name: "bench", slug: id } });
  return mintProjectScope(id, { kind: "system", id: "bench", name: "Bench" });
}
