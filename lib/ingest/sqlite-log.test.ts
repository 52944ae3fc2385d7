import { describe, expect, it } from "vitest";
import type { HeldDatabase } from "./source";
import { openDatabase } from "./sqlite-database";
import { isLog, withLog } from "./sqlite-log";
import { databaseOf, databaseWithLog } from "./test-support/test-database";

const rowsOf = (database: HeldDatabase, table: string): unknown[] => [...database.rows(table)].map(({ a }) => a);
const MANY =
  "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300) INSERT INTO t SELECT printf('%.200c', i) FROM n";

describe("a database beside its write-ahead log", () => {
  it("has what stands in the file, what stands in the log only, and what the log changes", async () => {
    const { file, log } = await databaseWithLog(
      "CREATE TABLE t (a)",
      "INSERT INTO t VALUES (1), (2)",
      "PRAGMA wal_checkpoint",
      "UPDATE t SET a = 20 WHERE a = 2",
      "CREATE TABLE u (a)",
      "INSERT INTO u VALUES (3)",
    );
    expect(isLog(log)).toBe(true);
    const alone = await openDatabase(file);
    expect([alone.log, alone.tables, rowsOf(alone, "t")]).toEqual(["missing", ["t"], [1, 2]]);
    const both = await openDatabase(file, log);
    expect([both.log, both.tables, rowsOf(both, "t"), rowsOf(both, "u")]).toEqual(["read", ["t", "u"], [1, 20], [3]]);
    // The bytes of the upload are not touched.
    expect(file[18]).toBe(2);
  });

  it("is read when all of it stands in the log, and when it shrank there", async () => {
    const grown = await databaseWithLog("CREATE TABLE t (a)", MANY);
    const read = await openDatabase(grown.file, grown.log);
    expect(rowsOf(read, "t")).toHaveLength(300);
    const shrunk = await databaseWithLog(
      "CREATE TABLE t (a)",
      MANY,
      "PRAGMA wal_checkpoint",
      "DELETE FROM t WHERE rowid > 1",
      "VACUUM",
    );
    expect(withLog(shrunk.file, shrunk.log)?.length).toBeLessThan(shrunk.file.length);
    expect(rowsOf(await openDatabase(shrunk.file, shrunk.log), "t")).toHaveLength(1);
  });

  it("does not have what a log holds of the time before it was last emptied", async () => {
    const { file, log } = await databaseWithLog(
      "CREATE TABLE t (a)",
      MANY,
      "DELETE FROM t",
      "PRAGMA wal_checkpoint(RESTART)",
      "INSERT INTO t VALUES (7)",
    );
    // The log is longer than the one transaction that counts.
    expect(log.length).toBeGreaterThan(10 * 4096);
    expect(rowsOf(await openDatabase(file, log), "t")).toEqual([7]);
  });

  it("does not have a transaction that was not finished, or of which a part is damaged", async () => {
    const statements = ["CREATE TABLE t (a)", "INSERT INTO t VALUES (1)", "PRAGMA wal_checkpoint"];
    const before = await databaseWithLog(...statements, "INSERT INTO t VALUES (2)");
    const after = await databaseWithLog(...statements, "INSERT INTO t VALUES (2)", MANY);
    const cut = after.log.subarray(0, after.log.length - 4096);
    expect(rowsOf(await openDatabase(after.file, cut), "t")).toEqual([1, 2]);
    const turned = after.log.slice();
    const at = before.log.length + 2_000;
    turned[at] = (turned[at] ?? 0) ^ 1;
    expect(rowsOf(await openDatabase(after.file, turned), "t")).toEqual([1, 2]);
  });

  it("is read alone, and says so, when the log is another's or damaged at its head", async () => {
    const { file, log } = await databaseWithLog(
      "CREATE TABLE t (a)",
      "PRAGMA wal_checkpoint",
      "INSERT INTO t VALUES (1)",
    );
    const turned = log.slice();
    turned[20] = (turned[20] ?? 0) ^ 1;
    const small = await databaseOf("PRAGMA page_size = 1024", "VACUUM", "CREATE TABLE t (a)");
    for (const [held, beside] of [
      [file, turned],
      [file, log.subarray(0, 20)],
      [small, log],
      [file, new TextEncoder().encode("no log")],
    ] as const) {
      const opened = await openDatabase(held, beside);
      expect([opened.log, opened.tables, rowsOf(opened, "t")]).toEqual(["unusable", ["t"], []]);
    }
  });

  it("with an empty log is complete", async () => {
    const { file } = await databaseWithLog("CREATE TABLE t (a)", "PRAGMA wal_checkpoint");
    expect(await openDatabase(file, new Uint8Array())).toMatchObject({ log: "read", tables: ["t"] });
    expect((await openDatabase(await databaseOf("CREATE TABLE t (a)"), new Uint8Array())).log).toBe("read");
  });

  it("never becomes larger than both files, whatever the log says", async () => {
    const { file, log } = await databaseWithLog(
      "CREATE TABLE t (a)",
      "PRAGMA wal_checkpoint",
      "INSERT INTO t VALUES (1)",
    );
    expect(withLog(file, withPages(log, 0x7fff_ffff))).toBeNull();
    expect(withLog(file, withPages(log, 2))).not.toBeNull();
  });

  it("of which random bytes of the log were turned gives rows or a refusal, nothing else", async () => {
    const { file, log } = await databaseWithLog("CREATE TABLE t (a)", "PRAGMA wal_checkpoint", MANY);
    let seed = 20_260_101;
    for (let n = 0; n < 60; n++) {
      const changed = log.slice(0, n % 2 === 0 ? log.length : seed % log.length);
      seed = (seed * 48_271) % 2_147_483_647;
      changed[seed % 200] = seed & 0xff;
      const opened = await openDatabase(file, changed).catch((error: unknown) => error);
      if (opened instanceof Error) expect(opened).toMatchObject({ name: "IngestError" });
      else expect(opened).toMatchObject({ tables: ["t"] });
    }
  });
});

/** The log of one frame with another number of pages and the sums that it then has. */
function withPages(log: Uint8Array, pages: number): Uint8Array {
  const changed = log.slice(0, 32 + 24 + 4096);
  const view = new DataView(changed.buffer);
  const isLittle = view.getUint32(0) % 2 === 0;
  view.setUint32(32 + 4, pages);
  let [a, b] = [0, 0];
  const sum = (start: number, length: number): void => {
    for (let at = start; at < start + length; at += 8) {
      a = (a + view.getUint32(at, isLittle) + b) >>> 0;
      b = (b + view.getUint32(at + 4, isLittle) + a) >>> 0;
    }
  };
  sum(0, 24);
  sum(32, 8);
  sum(56, 4096);
  view.setUint32(32 + 16, a);
  view.setUint32(32 + 20, b);
  return changed;
}
