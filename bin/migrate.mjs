#!/usr/bin/env node
// Applies prisma/migrations/*/migration.sql in order and keeps Prisma's own books (_prisma_migrations, SHA-256 of each
// script), so that `prisma migrate` and this can be mixed. Needs `pg` alone, and 0.1 s where Prisma's command takes 2.
import { createHash, randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { readIfThere } from "./launch/private-file.mjs";
import { Refusal } from "./launch/refusal.mjs";

const MIGRATIONS = path.join(import.meta.dirname, "..", "prisma", "migrations");
const PRISMA_LOCK = 72707369; // the advisory lock that Prisma itself takes
const CONNECT_TIMEOUT_MS = 8_000;

const BOOKS = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL, finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0)`;

/**
 * Brings a database to the shape of this version: makes it when it is missing, then applies what is new, each migration
 * in a transaction of its own, under a lock that a second caller waits for.
 * @param {string} url of the database, with the password
 * @param {{ folder?: string }} [options] `folder` with the migrations
 * @returns {Promise<{ createdDatabase: boolean, applied: string[] }>} the names of the migrations applied now
 * @throws Refusal when the database cannot be reached, or a migration was changed, is unknown or fails
 */
export async function migrate(url, { folder = MIGRATIONS } = {}) {
  const { client, createdDatabase } = await connectOrCreate(url);
  try {
    await client.query("SELECT pg_advisory_lock($1)", [PRISMA_LOCK]);
    await client.query(BOOKS);
    const applied = await applyNew(client, folder);
    return { createdDatabase, applied };
  } finally {
    await client.end(); // gives the lock back
  }
}

/**
 * @param {pg.Client} client
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
async function applyNew(client, folder) {
  const { rows } = await client.query(
    "SELECT migration_name, checksum, finished_at FROM _prisma_migrations WHERE rolled_back_at IS NULL",
  );
  const books = new Map(rows.map((row) => [row.migration_name, row]));
  const migrations = readMigrations(folder);
  const known = new Set(migrations.map(({ name }) => name));
  const newer = rows.map((row) => row.migration_name).filter((name) => !known.has(name));
  if (newer.length > 0)
    throw new Refusal(
      `The database was made by another version of Misstep (it has ${newer.join(", ")}): start that version, or use another database.`,
    );
  const applied = [];
  for (const { name, sql, checksum } of migrations) {
    const row = books.get(name);
    if (row && !row.finished_at)
      throw new Refusal(
        `Migration ${name} failed here before: resolve it with "npx prisma migrate resolve", then start again.`,
      );
    if (row && row.checksum !== checksum)
      throw new Refusal(
        `Migration ${name} was changed after this database got it: restore the file, or use a new database.`,
      );
    if (row) continue;
    await applyOne(client, name, sql, checksum);
    applied.push(name);
  }
  return applied;
}

/**
 * @param {pg.Client} client
 * @param {string} name
 * @param {string} sql
 * @param {string} checksum
 */
async function applyOne(client, name, sql, checksum) {
  await client.query("BEGIN");
  try {
    await client.query(sql);
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count) VALUES ($1, $2, $3, now(), 1)",
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => undefined); // the connection itself may be what failed
    if (error.code === "53100")
      throw new Refusal("The disk of the database is full: free some space, then start again.", { cause: error });
    throw new Refusal(`Migration ${name} failed and was undone: ${error.message}`, { cause: error });
  }
}

/**
 * @param {string} folder
 * @returns {{ name: string, sql: string, checksum: string }[]} in the order of their names
 */
function readMigrations(folder) {
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => ({ name, file: path.join(folder, name, "migration.sql") }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, file }) => {
      const bytes = readFileSync(file);
      return { name, sql: bytes.toString("utf8"), checksum: createHash("sha256").update(bytes).digest("hex") };
    });
}

/** @param {string} url */
async function connectOrCreate(url) {
  try {
    return { client: await connect(url), createdDatabase: false };
  } catch (error) {
    if (error.code !== "3D000") throw unreachable(url, error);
  }
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const maintenance = new URL(url);
  maintenance.pathname = "/postgres";
  try {
    const admin = await connect(maintenance.toString());
    let createdDatabase = true;
    try {
      await admin.query(`CREATE DATABASE "${database.replaceAll('"', '""')}"`);
    } catch (error) {
      // Another start made it in the meantime (the second code: at the very same moment).
      if (error.code !== "42P04" && error.code !== "23505") throw error;
      createdDatabase = false;
    } finally {
      await admin.end();
    }
    return { client: await connect(url), createdDatabase };
  } catch (error) {
    throw new Refusal(`Database "${database}" does not exist and could not be made: ${error.message}`, {
      cause: error,
    });
  }
}

/** @param {string} url */
async function connect(url) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => undefined); // a lost connection is told by the query that needed it
  await client.connect();
  return client;
}

/**
 * @param {string} url
 * @param {Error & { code?: string }} error
 */
function unreachable(url, error) {
  const { hostname, port } = new URL(url);
  const reason = error.code ?? error.message;
  return new Refusal(
    `The database at ${hostname}:${port || 5432} cannot be used (${reason === "28P01" ? "wrong user or password" : reason}): check DATABASE_URL, or unset it to use the built-in Postgres.`,
    { cause: error },
  );
}

/** The address for the command line: DATABASE_URL, else the embedded server's when it runs on the default data folder. */
function urlFromEnvironment() {
  if (process.env.DATABASE_URL) return process.env.DATABASE_URL;
  const folder = path.resolve(
    process.env.MISSTEP_DATA_DIR ?? path.join(import.meta.dirname, "..", ".data"),
    "postgres",
  );
  const password = readIfThere(path.join(folder, "password"))?.trim();
  const port = readIfThere(path.join(folder, "port"))?.trim();
  if (!password || !port)
    throw new Refusal("There is no database to migrate yet: set DATABASE_URL, or run npm start once.");
  return `postgresql://misstep:${encodeURIComponent(password)}@127.0.0.1:${port}/misstep`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    const { applied } = await migrate(urlFromEnvironment());
    console.log(applied.length > 0 ? `Applied ${applied.join(", ")}` : "The database is up to date");
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
