import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";

// The set-up of the `store` tests: one server for the run (MISSTEP_TEST_DATABASE_URL, or an embedded one of our own in a
// temporary folder), and in it one migrated database that every test file gets a copy of (lib/store/test-database.ts).

/** Starts the server when none is given, makes the template, and gives back what undoes both. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const { migrate } = await import("./migrate.mjs");
  const given = process.env.MISSTEP_TEST_DATABASE_URL;
  const server = given ? { url: given, stop: async () => undefined } : await startOwnServer();
  const template = `misstep_test_${randomBytes(6).toString("hex")}`;
  const templateUrl = databaseUrl(server.url, template);
  await migrate(templateUrl);
  project.provide("testDatabase", { serverUrl: server.url, template });
  return async () => {
    await dropDatabase(server.url, template);
    await server.stop();
  };
}

async function startOwnServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  const { startPostgres } = await import("./postgres.mjs");
  const folder = await mkdtemp(path.join(os.tmpdir(), "misstep-test-"));
  const server = await startPostgres({ dataDir: path.join(folder, "postgres"), durable: false, ownFolders: [folder] });
  return {
    // The server's own database does not exist before it is migrated, and is not needed here.
    url: databaseUrl(server.url, "postgres"),
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  } finally {
    await client.end();
  }
}
