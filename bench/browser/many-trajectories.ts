import pg from "pg";

/**
 * Fills a product's list with copies of one trajectory that was imported for real: the rows that the table reads, sorts
 * and counts, without the turns behind them.
 * @param id of the trajectory that is copied
 * @param count of rows that are added, each a minute older than the one before and of another name, size and verdict
 */
export async function addTrajectories(databaseUrl: string, id: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const copy = async (table: string, own: Record<string, string>, from: string): Promise<void> => {
      const { rows } = await client.query<{ name: string }>(
        `SELECT column_name AS name FROM information_schema.columns
         WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
        [table],
      );
      const values = rows.map(({ name }) => own[name] ?? `t."${name}"`);
      await client.query(
        `INSERT INTO "${table}" (${rows.map(({ name }) => `"${name}"`).join(", ")})
         SELECT ${values.join(", ")} FROM "${table}" t CROSS JOIN generate_series(1, $2::int) n WHERE t.${from}`,
        [id, count],
      );
    };
    const uploadOf = `"id" = (SELECT "uploadId" FROM "Trajectory" WHERE "id" = $1)`;
    await copy("Upload", { id: "'bench-u' || n", sha256: "md5(n::text) || md5(n::text)" }, uploadOf);
    await copy(
      "Trajectory",
      {
        id: "'bench-t' || n",
        uploadId: "'bench-u' || n",
        // Row and import point at each other: ready only when both are there.
        status: "'queued'",
        currentImportId: "NULL",
        name: "'run-' || lpad(n::text, 6, '0') || '.traj'",
        turnCount: "n % 900",
        verdictStatus: "CASE n % 3 WHEN 0 THEN 'undetermined' ELSE 'determined' END",
        createdAt: "t.\"createdAt\" - n * interval '1 minute'",
      },
      `"id" = $1`,
    );
    await copy(
      "Import",
      { id: "'bench-i' || n", trajectoryId: "'bench-t' || n", jobId: "NULL" },
      `"id" = (SELECT "currentImportId" FROM "Trajectory" WHERE "id" = $1)`,
    );
    await client.query(
      `UPDATE "Trajectory" t SET "status" = 'ready', "currentImportId" = i."id"
       FROM "Import" i WHERE i."trajectoryId" = t."id" AND i."id" LIKE 'bench-i%'`,
    );
    await client.query("VACUUM ANALYZE");
  } finally {
    await client.end();
  }
}
