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

/** A database beside its write-ahead log, as both lie on a disk while it is used. */
export interface LoggedDatabase {
  file: Uint8Array;
  log: Uint8Array;
}

/**
 * The two files that SQLite itself writes while these statements run with a write-ahead log, which is emptied by a
 * statement `PRAGMA wal_checkpoint` alone.
 */
export async function databaseWithLog(...statements: string[]): Promise<LoggedDatabase> {
  const sql = await initSqlJs();
  const files = new WrittenFiles();
  const database = files.watch(() => new sql.Database());
  // Without shared memory, which is not there, a log is only used by one who locks the file for himself.
  const settings = ["PRAGMA locking_mode = EXCLUSIVE", "PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0"];
  files.watch(() => {
    for (const statement of [...settings, ...statements]) database.run(statement);
  });
  // Before it is closed: that empties the log into the file.
  const both = { file: files.startingWith("SQLite format 3\u0000"), log: files.startingWith("\x37\x7f\x06") };
  database.close();
  return both;
}

type Bytes = Uint8Array | Int8Array;

/** What arrays of bytes inherit. */
interface ArrayMethods {
  set(this: Bytes, source: ArrayLike<number>, at?: number): void;
  slice(this: Bytes, start?: number, end?: number): Bytes;
}

/** The files that SQLite writes in memory: sql.js does not give them out, but sets their bytes piece by piece. */
class WrittenFiles {
  private readonly lengths = new Map<Bytes, number>();

  watch<T>(run: () => T): T {
    const { lengths } = this;
    const methods: ArrayMethods = Object.getPrototypeOf(Uint8Array.prototype);
    const { set, slice } = methods;
    methods.set = function (source, at = 0) {
      lengths.set(this, Math.max(lengths.get(this) ?? 0, at + source.length));
      set.call(this, source, at);
    };
    // What is written into an empty file becomes its array.
    methods.slice = function (start, end) {
      const copy = slice.call(this, start, end);
      lengths.set(copy, copy.length);
      return copy;
    };
    try {
      return run();
    } finally {
      Object.assign(methods, { set, slice });
    }
  }

  /** The last of those whose bytes begin so: a file that grows moves to another array. */
  startingWith(head: string): Uint8Array {
    const bytes = Buffer.from(head, "latin1");
    const found = [...this.lengths].filter(([array]) => bytes.every((byte, n) => array[n] === byte)).at(-1);
    if (found === undefined) throw new Error("SQLite wrote no such file");
    return new Uint8Array(found[0].subarray(0, found[1]));
  }
}
