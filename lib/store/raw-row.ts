import type { RawSpan } from "@/lib/trajectory/schema";

/**
 * What the pane of raw records says of a row of a database, which has no bytes of its own in the file and is not text:
 * which row it is. Null for a span that is none.
 */
export function rowText({ file, start, pointer }: RawSpan): string | null {
  const [, table, row] = /^(.+)\/(\d+)$/s.exec(file ?? "") ?? [];
  if (start !== null || table === undefined) return null;
  const inside = pointer === null || pointer === "" ? "" : `, at ${pointer}`;
  return `Row ${row} of the table ${table}${inside}. A row of a database is not text and cannot be shown here; the upload holds it.`;
}
