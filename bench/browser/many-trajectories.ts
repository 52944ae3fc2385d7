import pg from "pg";

/**
 * Fills a product's list with copies of one trajectory that was imported for real: the rows that the table reads, sorts
 * and counts, without the turns behind them.
 * @param id of the trajectory that is copied
 * @param count of rows that are added, each a minute older than the one before and of another name, size and verdict
 */
export async function addTrajectories(databaseUrl: string, id: string, count: number): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    const uploadOf = `"id" = (SELECT "uploadId" FROM "Trajectory" WHERE "id" = $1)`;
    const uploadId = "'bench-u' || n";
    await copyRows(client, "Upload", { id: uploadId, sha256: "md5(n::text) || md5(n::text)" }, uploadOf, [id, count]);
    await copyReady(client, "bench", id, count, {
      uploadId,
      name: "'run-' || lpad(n::text, 6, '0') || '.traj'",
      turnCount: "n % 900",
      verdictStatus: "CASE n % 3 WHEN 0 THEN 'undetermined' ELSE 'determined' END",
      createdAt: "t.\"createdAt\" - n * interval '1 minute'",
    });
  });
}

/** The name of a copy in a file, by its place from 0. */
export function nameOfPart(index: number): string {
  return `part-${String(index).padStart(6, "0")}`;
}

/**
 * Makes a file with several trajectories, which was imported for real, hold `count` of them by copies of its last one.
 * @param fileId of the file
 * @param count of trajectories that it has afterwards
 */
export async function fillFile(databaseUrl: string, fileId: string, count: number): Promise<void> {
  await withDatabase(databaseUrl, async (client) => {
    const { rows } = await client.query<{ id: string; index: number }>(
      `SELECT "id", "partIndex" AS index FROM "Trajectory" WHERE "parentId" = $1 ORDER BY "partIndex" DESC LIMIT 1`,
      [fileId],
    );
    const [last] = rows;
    if (last === undefined) throw new Error("the file holds no trajectories");
    const index = `${last.index} + n`;
    await copyReady(client, "bench-part", last.id, count - 1 - last.index, {
      name: `'part-' || lpad((${index})::text, 6, '0')`,
      partIndex: index,
      part: `jsonb_set(t."part", '{key}', to_jsonb(n::text))`,
      turnCount: "n % 900",
    });
    await client.query(`UPDATE "Trajectory" SET "partCount" = $2 WHERE "id" = $1`, [fileId, count]);
  });
}

async function withDatabase(databaseUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await work(client);
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}

/** Copies a ready trajectory and its import, `n` from 1 to `count`; `own` are the expressions of columns that differ. */
async function copyReady(
  client: pg.Client,
  prefix: string,
  id: string,
  count: number,
  own: Record<string, string>,
): Promise<void> {
  // Row and import point at each other: ready only when both are there.
  const row = { ...own, id: `'${prefix}-t' || n`, status: "'queued'", currentImportId: "NULL" };
  await copyRows(client, "Trajectory", row, `"id" = $1`, [id, count]);
  await copyRows(
    client,
    "Import",
    { id: `'${prefix}-i' || n`, trajectoryId: `'${prefix}-t' || n`, jobId: "NULL" },
    `"id" = (SELECT "currentImportId" FROM "Trajectory" WHERE "id" = $1)`,
    [id, count],
  );
  await client.query(
    `UPDATE "Trajectory" t SET "status" = 'ready', "currentImportId" = i."id"
     FROM "Import" i WHERE i."trajectoryId" = t."id" AND i."id" LIKE '${prefix}-i%'`,
  );
}

async function copyRows(
  client: pg.Client,
  table: string,
  own: Record<string, string>,
  from: string,
  values: [id: string, count: number],
): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  const columns = rows.map(({ name }) => own[name] ?? `t."${name}"`);
  await client.query(
    `INSERT INTO "${table}" (${rows.map(({ name }) => `"${name}"`).join(", ")})
     SELECT ${columns.join(", ")} FROM "${table}" t CROSS JOIN generate_series(1, $2::int) n WHERE t.${from}`,
    values,
  );
}
