import type { Part } from "./parts";

/** One file of an archive or a folder. `path` is a label in the spelling of the archive with `/`, never a path of ours. */
export interface HeldFile {
  path: string;
  bytes: Uint8Array;
  /** What is inside this file, where it is a database. */
  inside?: Inside;
}

/** Rows of a database file: `columns` in the order of the select, values as SQLite gives them. */
export interface HeldDatabase {
  /** The names of its real tables, sorted. */
  tables: string[];
  log: DatabaseLog;
  /** How many rows a table has; none when there is no such table. */
  rowCount(table: string): number;
  /**
   * All rows of a table in the order of their row numbers, as objects by column.
   * @throws IngestError `malformed` when the table cannot be read.
   */
  rows(table: string): Iterable<Record<string, HeldValue>>;
}
/**
 * What came of the write-ahead log beside a database. `none`: the file was used without one; `read`: the rows are those
 * of the file and its log; `missing`: it was used with one that is not here; `unusable`: the one that is here is damaged
 * or another database's. In the last two what stood only in its own log is not there.
 */
export type DatabaseLog = "none" | "read" | "missing" | "unusable";
export type HeldValue = string | number | bigint | Uint8Array | null;

/** What is inside bytes that are not text: opened before anyone asks whose they are, because opening takes its time. */
export type Inside =
  /** `skipped` counts the entries that are no files of it, by the reason in words. */
  | { kind: "files"; files: HeldFile[]; skipped?: ReadonlyMap<string, number> }
  | { kind: "database"; database: HeldDatabase };

/** The bytes of one upload and the name that the client gave it. The name is a hint for people, never a path. */
export interface Source {
  name: string;
  bytes: Uint8Array;
  inside?: Inside;
  /** Which trajectory of an upload that holds several these bytes are, or are to be read for. */
  part?: Part;
}
