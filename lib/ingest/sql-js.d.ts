/** As much of sql.js as is used here. Its own file with the WASM inside reads nothing from disk. */
declare module "sql.js/dist/sql-wasm-inline.js" {
  export type SqlValue = string | number | bigint | Uint8Array | null;

  export interface Statement {
    step(): boolean;
    get(params?: null, config?: { useBigInt?: boolean }): SqlValue[];
    getColumnNames(): string[];
    free(): boolean;
  }

  export interface Database {
    run(sql: string): Database;
    prepare(sql: string): Statement;
    export(): Uint8Array;
    close(): void;
  }

  export interface SqlJs {
    Database: new (bytes?: Uint8Array) => Database;
  }

  export default function initSqlJs(): Promise<SqlJs>;
}
