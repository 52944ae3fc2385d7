import initSqlJs from "sql.js/dist/sql-wasm-inline.js";

/** The bytes of a database that these statements make. */
export async function databaseOf(...statements: string[]): Promise<Uint8Array> {
  const sql = await initSqlJs();
  const database = new sql.Database();
  for (const statement of statements) database.run(statement);
  const bytes = database.export();
  database.close();
  return bytes;
}

/** A byte string as SQL writes it. */
export const blob = (bytes: Uint8Array): string => `X'${Buffer.from(bytes).toString("hex")}'`;
