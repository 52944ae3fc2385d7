import type { ClientBase } from "pg";

/** A column of a bulk insert: its name and its array's element type. */
export interface Column {
  name: string;
  type: "text" | "int4" | "int8" | "float8" | "bool" | "json" | "jsonb" | "bytea";
}

export type Cell = string | number | bigint | boolean | Buffer | null;

/** A statement carries at most this much, so that neither side holds a second copy of a whole import. */
const MAX_ROWS = 2_000;
const MAX_CHARS = 4_000_000;

/**
 * Inserts rows by `unnest`, one array a column: about three times as fast as one statement a row. `rows` is read as it is
 * written; every row has one cell a column.
 * @returns how many rows were inserted.
 */
export async function insertRows(
  client: ClientBase,
  table: string,
  columns: readonly Column[],
  rows: Iterable<readonly Cell[]>,
): Promise<number> {
  const names = columns.map((column) => `"${column.name}"`).join(", ");
  const arrays = columns.map((column, i) => `$${i + 1}::${column.type}[]`).join(", ");
  const statement = `INSERT INTO "${table}" (${names}) SELECT * FROM unnest(${arrays})`;
  let batch: Cell[][] = columns.map(() => []);
  let size = 0;
  let count = 0;
  let total = 0;
  const flush = async (): Promise<void> => {
    if (count === 0) return;
    await client.query(statement, batch);
    total += count;
    batch = columns.map(() => []);
    size = 0;
    count = 0;
  };
  for (const row of rows) {
    row.forEach((cell, i) => {
      batch[i]?.push(typeof cell === "string" ? storable(cell) : cell);
      if (typeof cell === "string" || Buffer.isBuffer(cell)) size += cell.length;
    });
    count += 1;
    if (count >= MAX_ROWS || size >= MAX_CHARS) await flush();
  }
  await flush();
  return total;
}

/** Postgres stores every character but NUL. Ingest has replaced those; a text that was made since gets the same mark. */
function storable(text: string): string {
  return text.includes("\u0000") ? text.replaceAll("\u0000", "\ufffd") : text;
}

/** Escapes that jsonb refuses: NUL, and half of a surrogate pair (JSON.stringify escapes no whole ones). */
const REFUSED = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** JSON that jsonb takes, whatever strings the value holds. Ingest has cleaned the trace; this holds for texts cut since. */
export function toJsonb(value: unknown): string {
  const json = JSON.stringify(value);
  return json.includes("\\u") ? json.replaceAll(REFUSED, "$1\\ufffd") : json;
}
