import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { migrate } from "./migrate.mjs";
import { startPostgres } from "./postgres.mjs";

let folder = "";
let migrations = "";
let server: Awaited<ReturnType<typeof startPostgres>>;
let url = "";
let n = 0;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), "misstep-migrate-"));
  server = await startPostgres({ dataDir: path.join(folder, "postgres"), durable: false });
}, 60_000);
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  n += 1;
  migrations = path.join(folder, `migrations-${n}`);
  url = server.url.replace(/misstep$/, `test-${n}`);
  write("20260101000000_first", "CREATE TABLE a (x int);");
});

function write(name: string, sql: string): void {
  mkdirSync(path.join(migrations, name), { recursive: true });
  writeFileSync(path.join(migrations, name, "migration.sql"), sql);
}

const run = () => migrate(url, { folder: migrations });

async function rows(sql: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

describe("migrate", () => {
  it("makes the database, applies in order what is new, and nothing twice", async () => {
    expect(await run()).toEqual({ createdDatabase: true, applied: ["20260101000000_first"] });
    write("20260102000000_second", "ALTER TABLE a ADD y int;");
    expect(await run()).toEqual({ createdDatabase: false, applied: ["20260102000000_second"] });
    expect(await run()).toEqual({ createdDatabase: false, applied: [] });
  });

  it("keeps Prisma's books: name, SHA-256 of the script, one step, finished", async () => {
    await run();
    const checksum = createHash("sha256").update("CREATE TABLE a (x int);").digest("hex");
    expect(
      await rows(
        "SELECT migration_name, checksum, applied_steps_count, finished_at IS NULL AS open FROM _prisma_migrations",
      ),
    ).toEqual([{ migration_name: "20260101000000_first", checksum, applied_steps_count: 1, open: false }]);
  });

  it("lets several starts at once apply each migration once", async () => {
    write("20260102000000_slow", "SELECT pg_sleep(0.2); CREATE TABLE b (x int);");
    const results = await Promise.all([run(), run(), run()]);
    expect(results.flatMap(({ applied }) => applied).sort()).toEqual(["20260101000000_first", "20260102000000_slow"]);
    expect(results.filter(({ createdDatabase }) => createdDatabase)).toHaveLength(1);
  });

  it("undoes a migration that fails, names it, and can go on when it is mended", async () => {
    write("20260102000000_broken", "CREATE TABLE b (x int); SELECT no_such_column FROM b;");
    await expect(run()).rejects.toThrow(/^Migration 20260102000000_broken failed and was undone: .*no_such_column/);
    expect(await rows("SELECT to_regclass('b') AS b")).toEqual([{ b: null }]);
    write("20260102000000_broken", "CREATE TABLE b (x int);");
    expect((await run()).applied).toEqual(["20260102000000_broken"]);
  });

  it("refuses a script that was changed after it was applied, and a database of a newer version", async () => {
    await run();
    write("20260101000000_first", "CREATE TABLE a (x bigint);");
    await expect(run()).rejects.toThrow(/^Migration 20260101000000_first was changed after this database got it/);
    rmSync(path.join(migrations, "20260101000000_first"), { recursive: true });
    write("20251231000000_older", "SELECT 1;");
    await expect(run()).rejects.toThrow(
      /^The database was made by another version of Misstep \(it has 20260101000000_first\)/,
    );
  });

  it("says where no database answers, or which password is wrong, without the password", async () => {
    const wrong = new URL(url);
    wrong.password = ["not", "it"].join("-");
    const error = await migrate(wrong.toString(), { folder: migrations }).catch((caught: Error) => caught);
    expect(error).toMatchObject({
      name: "Refusal",
      message: `The database at 127.0.0.1:${server.port} cannot be used (wrong user or password): check DATABASE_URL, or unset it to use the built-in Postgres.`,
    });
  });
});
