import initSqlJs, { type Database, type SqlJs, type Statement } from "sql.js/dist/sql-wasm-inline.js";
import { IngestError } from "@/lib/errors";
import type { DatabaseLog, HeldDatabase, HeldValue } from "./source";
import { withLog } from "./sqlite-log";
import { PageWalk } from "./sqlite-pages";

/** Rows and bytes of values that one pass over a table gives. A crafted file can hold far more than it has bytes. */
export const DATABASE_MAX_ROWS = 2_000_000;
export const DATABASE_MAX_BYTES = 1024 * 1024 * 1024;
/** Tables that are opened; sessions are kept in a handful. */
export const DATABASE_MAX_TABLES = 500;

/** Bytes of the header that say how the file is written and read: 2 is a write-ahead log, 1 none. */
const [WRITE_VERSION, READ_VERSION] = [18, 19];
const SCHEMA_PAGE = 1;

/** Limits of one pass; tests give smaller ones. */
export interface DatabaseLimits {
  rows: number;
  bytes: number;
}

/**
 * Opens the bytes of an SQLite file in memory. Only rows of real tables are read, each column as it is stored: no view,
 * no trigger, no virtual table and no computed column of the file is ever evaluated. The file is opened anew for each
 * table that is read and closed behind it, so nothing has to be closed by who asks.
 * @param log the bytes of the write-ahead log beside it; null when there is none
 * @throws IngestError `malformed` when the file is damaged or encrypted, `too_large` with too many tables or rows.
 */
export async function openDatabase(
  bytes: Uint8Array,
  log: Uint8Array | null = null,
  limits: DatabaseLimits = { rows: DATABASE_MAX_ROWS, bytes: DATABASE_MAX_BYTES },
): Promise<HeldDatabase> {
  const sql = await initSqlJs();
  const { file, state } = fileWithLog(bytes, log);
  const walk = new PageWalk(file);
  // The schema is a table as well, and read as soon as the file is opened.
  walk.check(SCHEMA_PAGE);
  const tables = withDatabase(sql, file, (database) => readTables(database, walk));
  return {
    tables: [...tables.keys()].sort(),
    log: state,
    rowCount: (table) => tables.get(table)?.rows ?? 0,
    *rows(table) {
      const known = tables.get(table);
      if (known === undefined) return;
      const database = openFile(sql, file);
      try {
        yield* readRows(database, table, known.columns, limits);
      } catch (error) {
        throw asIngestError(error, `the table ${table} cannot be read`);
      } finally {
        database.close();
      }
    },
  };
}

interface Table {
  columns: string[];
  rows: number;
}

/** The file as one that has no log beside it, in a copy where it had one; and what came of the log. */
function fileWithLog(bytes: Uint8Array, log: Uint8Array | null): { file: Uint8Array; state: DatabaseLog } {
  const isUsedWithLog = bytes[WRITE_VERSION] === 2 || bytes[READ_VERSION] === 2;
  // Emptied when it was done with: nothing stood in it.
  const isEmpty = log !== null && log.length === 0;
  const merged = log === null || isEmpty ? null : withLog(bytes, log);
  if (log === null && !isUsedWithLog) return { file: bytes, state: "none" };
  const file = merged ?? bytes.slice();
  file[WRITE_VERSION] = 1;
  file[READ_VERSION] = 1;
  if (merged !== null || isEmpty) return { file, state: "read" };
  return { file, state: log === null ? "missing" : "unusable" };
}

function openFile(sql: SqlJs, bytes: Uint8Array): Database {
  const database = new sql.Database(bytes);
  // What the file's own schema says is never trusted to run: nothing of it that has an effect.
  for (const setting of ["trusted_schema = OFF", "query_only = ON"]) database.run(`PRAGMA ${setting}`);
  return database;
}

function withDatabase<T>(sql: SqlJs, bytes: Uint8Array, read: (database: Database) => T): T {
  let database: Database | null = null;
  try {
    database = openFile(sql, bytes);
    return read(database);
  } catch (error) {
    throw asIngestError(error, "this SQLite database cannot be opened");
  } finally {
    database?.close();
  }
}

/** The real tables with the columns that are stored and how many rows each has, after a walk through their pages. */
function readTables(database: Database, walk: PageWalk): Map<string, Table> {
  const found = selectAll(
    database,
    "SELECT name, rootpage FROM sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
  );
  if (found.length > DATABASE_MAX_TABLES) {
    const message = `the database has ${found.length} tables, more than ${DATABASE_MAX_TABLES}`;
    throw new IngestError("too_large", message);
  }
  const tables = new Map<string, Table>();
  for (const [name, root] of found) {
    if (typeof name !== "string" || typeof root !== "number") continue;
    walk.check(root);
    // Column 1 is the name; column 6 says that a column is hidden or computed.
    const columns = selectAll(database, `PRAGMA table_xinfo(${quoted(name)})`).flatMap((column) =>
      typeof column[1] === "string" && column[6] === 0 ? [column[1]] : [],
    );
    const [[rows] = []] = selectAll(database, `SELECT count(*) FROM ${quoted(name)} NOT INDEXED`);
    tables.set(name, { columns, rows: typeof rows === "number" ? rows : 0 });
  }
  return tables;
}

function* readRows(
  database: Database,
  table: string,
  columns: string[],
  limits: DatabaseLimits,
): Generator<Record<string, HeldValue>> {
  // Not out of an index: its pages were not walked, and its order is another.
  const names = columns.map(quoted).join(", ");
  const statement = database.prepare(`SELECT ${names} FROM ${quoted(table)} NOT INDEXED`);
  try {
    let rows = 0;
    let bytes = 0;
    while (statement.step()) {
      const values = statement.get(null, { useBigInt: true }).map(plainNumber);
      rows++;
      for (const value of values) bytes += typeof value === "string" || value instanceof Uint8Array ? value.length : 8;
      if (rows > limits.rows || bytes > limits.bytes) {
        const message = `the table ${table} holds more than ${limits.rows} rows or ${limits.bytes} bytes`;
        throw new IngestError("too_large", message);
      }
      yield Object.fromEntries(columns.map((column, n) => [column, values[n] ?? null]));
    }
  } finally {
    statement.free();
  }
}

/** Whole numbers come as bigint, so that none loses digits; those that a number holds exactly become one. */
function plainNumber(value: HeldValue): HeldValue {
  if (typeof value !== "bigint") return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function selectAll(database: Database, sql: string): HeldValue[][] {
  const found: HeldValue[][] = [];
  const statement: Statement = database.prepare(sql);
  try {
    while (statement.step()) found.push(statement.get());
  } finally {
    statement.free();
  }
  return found;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** What sql.js throws are errors with SQLite's words, or WASM traps; none of it is a fault of ours. */
function asIngestError(error: unknown, what: string): IngestError {
  if (error instanceof IngestError) return error;
  const words = error instanceof Error ? error.message : String(error);
  const at = { byte: 0, line: null, pointer: null };
  return new IngestError("malformed", `${what}: ${words}`, at, { cause: error });
}
