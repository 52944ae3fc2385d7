import { describe, expect, it, vi } from "vitest";
import { prepareSource } from "./prepare-source";
import type { HeldDatabase } from "./source";
import { openDatabase } from "./sqlite-database";
import { databaseOf } from "./test-support/test-database";

const refusal = async (bytes: Uint8Array): Promise<unknown> => openDatabase(bytes).catch((error: unknown) => error);
const rowsOf = (database: HeldDatabase, table: string): unknown[] => [...database.rows(table)];

describe("a database file", () => {
  it("gives its tables in order, and its rows as they are stored", async () => {
    const bytes = await databaseOf(
      "CREATE TABLE zebra (a)",
      `CREATE TABLE "odd ""name" (n INTEGER, big INTEGER, r REAL, t TEXT, b BLOB, "__proto__" TEXT)`,
      `INSERT INTO "odd ""name" VALUES (1, 9007199254740993, 0.5, 'ä', X'00ff', 'kept'), (2, NULL, 1e300, '', X'', NULL)`,
    );
    const database = await openDatabase(bytes);
    expect(database.tables).toEqual(['odd "name', "zebra"]);
    expect(database.rowCount('odd "name')).toBe(2);
    expect(database.rowCount("none")).toBe(0);
    const [first, second] = rowsOf(database, 'odd "name');
    expect(Object.entries(first ?? {})).toEqual([
      ["n", 1],
      ["big", 9007199254740993n],
      ["r", 0.5],
      ["t", "ä"],
      ["b", Uint8Array.of(0, 255)],
      ["__proto__", "kept"],
    ]);
    expect(second).toMatchObject({ n: 2, big: null, t: "" });
    expect(rowsOf(database, "zebra")).toEqual([]);
    expect(rowsOf(database, "none")).toEqual([]);
  });

  it("runs nothing that the file says: no view, no trigger, no computed column, no virtual table", async () => {
    const bytes = await databaseOf(
      "CREATE TABLE t (a)",
      "INSERT INTO t (a) VALUES (1), (2)",
      "CREATE VIEW v AS SELECT abs(-9223372036854775808) FROM t",
      "CREATE TRIGGER g BEFORE INSERT ON t BEGIN SELECT abs(-9223372036854775808); END",
      "PRAGMA writable_schema = ON",
      // Each expression overflows as soon as it is evaluated.
      "UPDATE sqlite_schema SET sql = 'CREATE TABLE t (a, computed AS (abs(-9223372036854775807 - a)), CHECK (abs(-9223372036854775807 - a) > 0))' WHERE name = 't'",
      "INSERT INTO sqlite_schema VALUES ('table', 'virtual', 'virtual', 0, 'CREATE VIRTUAL TABLE virtual USING fts3(x)')",
    );
    const database = await openDatabase(bytes);
    expect(database.tables).toEqual(["t"]);
    expect(rowsOf(database, "t")).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it("that was used with a write-ahead log is read without it when it is not here, and says so", async () => {
    const bytes = await databaseOf("CREATE TABLE t (a)", "INSERT INTO t VALUES (7)");
    bytes[18] = 2;
    bytes[19] = 2;
    const database = await openDatabase(bytes);
    expect(database.log).toBe("missing");
    expect(rowsOf(database, "t")).toEqual([{ a: 7 }]);
    // The bytes of the upload are not touched.
    expect(bytes[18]).toBe(2);
    expect((await openDatabase(await databaseOf("CREATE TABLE t (a)"))).log).toBe("none");
  });

  it("can be left in the middle of a table, and read again", async () => {
    const database = await openDatabase(await databaseOf("CREATE TABLE t (a)", "INSERT INTO t VALUES (1), (2)"));
    for (const row of database.rows("t")) {
      expect(row).toEqual({ a: 1 });
      break;
    }
    expect(rowsOf(database, "t")).toHaveLength(2);
  });

  it.each([[{ rows: 2, bytes: 1e6 }], [{ rows: 10, bytes: 2_500 }]])("is refused behind %j", async (limits) => {
    const bytes = await databaseOf(
      "CREATE TABLE t (a)",
      "INSERT INTO t VALUES (zeroblob(1000)), (zeroblob(1000)), (zeroblob(1000))",
    );
    const database = await openDatabase(bytes, null, limits);
    expect(() => rowsOf(database, "t")).toThrow(expect.objectContaining({ code: "too_large" }));
  });

  it("that has too many tables is refused", async () => {
    const many = Array.from({ length: 501 }, (_, n) => `CREATE TABLE t${n} (a)`);
    expect(await refusal(await databaseOf(...many))).toMatchObject({ code: "too_large" });
  });
});

describe("a damaged database file", () => {
  const filled = (): Promise<Uint8Array> =>
    databaseOf(
      "CREATE TABLE t (a TEXT)",
      "WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 3000) INSERT INTO t SELECT hex(i * 1000003) || i FROM n",
    );

  it.each([0.001, 0.3, 0.6, 0.99])("cut at %f of its length is refused with SQLite's words", async (share) => {
    const bytes = await filled();
    const cut = bytes.subarray(0, Math.max(20, Math.floor(bytes.length * share)));
    expect(await refusal(cut)).toMatchObject({ name: "IngestError", code: "malformed" });
  });

  /** Makes every child of an interior page the same page. */
  const leadTo = (bytes: Uint8Array, page: number, child: number): void => {
    const start = (page - 1) * 4096;
    expect(bytes[start]).toBe(5);
    const cells = ((bytes[start + 3] ?? 0) << 8) | (bytes[start + 4] ?? 0);
    for (let n = 0; n < cells; n++) {
      const at = start + (((bytes[start + 12 + 2 * n] ?? 0) << 8) | (bytes[start + 13 + 2 * n] ?? 0));
      bytes.set([0, 0, 0, child], at);
    }
    bytes.set([0, 0, 0, child], start + 8);
  };

  it("whose pages lead back to themselves is refused", async () => {
    const bytes = await filled();
    leadTo(bytes, 2, 2);
    expect(await refusal(bytes)).toMatchObject({ code: "malformed", message: expect.stringMatching(/two places/) });
  });

  it("whose pages hold the same pages many times over is refused before its rows are counted", async () => {
    const bytes = await filled();
    // Three levels of which each leads to the next from all of its cells: the rows are many times those of the file.
    const root = bytes.slice(4096, 8192);
    for (const page of [3, 4]) bytes.set(root, (page - 1) * 4096);
    leadTo(bytes, 2, 3);
    leadTo(bytes, 3, 4);
    leadTo(bytes, 4, 5);
    expect(await refusal(bytes)).toMatchObject({ code: "malformed", message: expect.stringMatching(/two places/) });
  });

  it("of which random bytes were turned gives rows or a refusal, nothing else", async () => {
    const bytes = await filled();
    let seed = 20_260_101;
    for (let n = 0; n < 60; n++) {
      const changed = bytes.slice();
      for (let k = 0; k < 8; k++) {
        seed = (seed * 48_271) % 2_147_483_647;
        changed[seed % bytes.length] = seed & 0xff;
      }
      changed.set(bytes.subarray(0, 16));
      try {
        const database = await openDatabase(changed);
        for (const table of database.tables) rowsOf(database, table);
      } catch (error) {
        expect(error).toMatchObject({ name: "IngestError" });
      }
    }
  });
});

describe("what opens databases", () => {
  it("is loaded for a database, and for nothing else", async () => {
    let loads = 0;
    vi.resetModules();
    vi.doMock("./sqlite-database", () => {
      loads++;
      return { openDatabase: async () => ({ tables: ["mocked"] }) };
    });
    const fresh = await import("./prepare-source");
    const text = { name: "x.db", bytes: new TextEncoder().encode('{"a": "SQLite format 3"}') };
    expect(await fresh.prepareSource(text)).toEqual(text);
    expect(await fresh.prepareSource({ name: "x", bytes: new Uint8Array() })).toMatchObject({ name: "x" });
    expect(loads).toBe(0);
    const database = { name: "x.txt", bytes: await databaseOf("CREATE TABLE t (a)") };
    expect(await fresh.prepareSource(database)).toMatchObject({ inside: { database: { tables: ["mocked"] } } });
    expect(loads).toBe(1);
    vi.doUnmock("./sqlite-database");
  });

  it("opens once, and a part of the upload not at all", async () => {
    const bytes = await databaseOf("CREATE TABLE t (a)");
    const prepared = await prepareSource({ name: "x", bytes });
    expect(prepared.inside?.kind).toBe("database");
    expect(await prepareSource(prepared)).toBe(prepared);
    const range = { start: 0, end: bytes.length, line: 1, pointer: "" };
    const part = { name: "x", bytes, part: { key: "k", name: "k", range } };
    expect(await prepareSource(part)).toEqual(part);
  });
});
