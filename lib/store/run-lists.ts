import type { ContextRow, FileRow } from "@/lib/views/run";
import { database } from "./client";
import { meetSecrets } from "./item-texts";
import type { Reading } from "./reading";
import { storedContextSchema } from "./stored-item";

/** More rows than one answer can hold are not read; `total` counts all. */
const ROWS_MAX = 5_000;

/** The files of an import by first appearance. Not masked yet. */
export async function fileRows(importId: string): Promise<{ rows: FileRow[]; total: number }> {
  const rows = await database().file.findMany({
    where: { importId },
    orderBy: { n: "asc" },
    take: ROWS_MAX,
    select: {
      n: true,
      path: true,
      display: true,
      versionCount: true,
      writeCount: true,
      isScratch: true,
      lastCertainty: true,
    },
  });
  return { rows, total: rows.length < ROWS_MAX ? rows.length : await database().file.count({ where: { importId } }) };
}

/** What stands between the turns of an import, in order; titles masked with what the texts hold. */
export async function contextRows(reading: Reading): Promise<{ rows: ContextRow[]; total: number }> {
  const { importId, projection } = reading;
  const rows = projection.isShared ? await maskedRows(reading) : await ownRows(importId);
  return {
    rows,
    total: rows.length < ROWS_MAX ? rows.length : await database().context.count({ where: { importId } }),
  };
}

async function ownRows(importId: string): Promise<ContextRow[]> {
  return database().$queryRaw<ContextRow[]>`
    SELECT "n", "beforeTurn", "contextKind", "sizeChars", "data"->>'title' AS "title"
    FROM "Context" WHERE "importId" = ${importId} ORDER BY "n" LIMIT ${ROWS_MAX}`;
}

async function maskedRows(reading: Reading): Promise<ContextRow[]> {
  const contexts = await database().context.findMany({
    where: { importId: reading.importId },
    orderBy: { n: "asc" },
    take: ROWS_MAX,
    select: { n: true, beforeTurn: true, contextKind: true, sizeChars: true, data: true },
  });
  const stored = contexts.map((context) => storedContextSchema.parse(context.data));
  await meetSecrets(reading, stored);
  return contexts.map(({ data: _, ...context }, at) => ({
    ...context,
    title: reading.projection.part(stored[at]?.title ?? ""),
  }));
}
