import { randomBytes } from "node:crypto";
import pg from "pg";
import { afterAll, beforeAll, inject } from "vitest";
import { resetEnv } from "@/lib/env";
import { stopSender } from "@/lib/jobs";
import { database, disconnect } from "./client";
import type { ProjectScope } from "./scope";
import { mintProjectScope } from "./scope-mint";

declare module "vitest" {
  export interface ProvidedContext {
    testDatabase: { serverUrl: string; template: string };
  }
}

/**
 * Gives the tests of a file a database of their own: a copy of the run's migrated template, made before the first test and
 * dropped after the last. `DATABASE_URL` of this process points to it.
 * @returns the address, for processes that a test starts; empty before the first test.
 */
export function withTestDatabase(): { url: () => string } {
  let url = "";
  const name = `misstep_test_${randomBytes(6).toString("hex")}`;
  const { serverUrl, template } = inject("testDatabase");

  beforeAll(async () => {
    await onServer(serverUrl, `CREATE DATABASE "${name}" TEMPLATE "${template}"`);
    const address = new URL(serverUrl);
    address.pathname = `/${name}`;
    url = address.href;
    process.env.DATABASE_URL = url;
    process.env.MISSTEP_SECRET = "tests only ".repeat(4);
    process.env.MISSTEP_ORIGIN = "http://127.0.0.1:3210";
    resetEnv();
  });

  afterAll(async () => {
    await stopSender();
    await disconnect();
    await onServer(serverUrl, `DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
  });

  return { url: () => url };
}

/** CREATE DATABASE refuses a template that somebody is copying at that moment; two test files start at once. */
const TEMPLATE_BUSY = "55006";

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    // One at a time over all test processes: the lock makes them queue instead of failing.
    await client.query("SELECT pg_advisory_lock(hashtext('misstep test databases'))");
    await client.query(statement).catch(async (error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === TEMPLATE_BUSY)) throw error;
      await client.query(statement);
    });
  } finally {
    await client.end();
  }
}

/** A project with one owner, made directly in the tables. Every call makes another. */
export async function makeProject(name = "test"): Promise<ProjectScope> {
  const id = `p${randomBytes(6).toString("hex")}`;
  const userId = `u${randomBytes(6).toString("hex")}`;
  await database().user.create({ data: { id: userId, name, email: `${userId}@localhost`, emailVerified: true } });
  await database().project.create({
    data: { id, name, slug: id, memberships: { create: { userId, role: "owner" } } },
  });
  return mintProjectScope(id, { kind: "user", id: userId, name });
}
