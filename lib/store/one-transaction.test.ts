import { beforeAll, describe, expect, test } from "vitest";
import { readSource } from "@/workers/import-pipeline";
import { makeTrace } from "@/workers/test-trace";
import { attachBaseline } from "./baselines";
import { database, pool } from "./client";
import { newId } from "./identifiers";
import { beginImport, failImport, retryImport } from "./import-status";
import { storeImport } from "./imports";
import type { ProjectScope } from "./scope";
import { makeProject, withTestDatabase } from "./test-database";
import { receiveUpload } from "./uploads";

withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
  // The queue's tables are made on first use.
  await upload("first");
});

function upload(seed: string): Promise<{ id: string }> {
  const bytes = makeTrace(seed, 3);
  const body = new Blob([new Uint8Array(bytes)]).stream();
  return receiveUpload(scope, { name: seed, body, contentLength: bytes.length, sha256: null });
}

/** A statement that a person or program gives, and what its transaction changes. */
interface Change {
  /** Makes what is changed. */
  prepare: () => Promise<string>;
  change: (prepared: string) => Promise<unknown>;
}

const CHANGES: Record<string, Change> = {
  "an upload": { prepare: async () => `upload ${newId()}`, change: upload },
  "trying an import again": {
    prepare: async () => {
      const { id } = await upload(newId());
      const attempt = (await beginImport(scope, id))?.attempt ?? null;
      await failImport(scope, id, attempt, { code: "x", message: "x", byte: null, line: null, pointer: null });
      return id;
    },
    change: (id) => retryImport(scope, id),
  },
  "attaching the input of a run": {
    prepare: async () => {
      const seed = newId();
      const { id } = await upload(seed);
      const given = { baseline: null, outcome: null };
      const result = await readSource({ name: seed, bytes: makeTrace(seed, 3) }, given, () => undefined);
      await storeImport(scope, { trajectoryId: id, jobId: newId() }, result);
      return id;
    },
    change: (id) =>
      attachBaseline(scope, id, {
        name: "a.py",
        body: new Blob(["a = 1\n"]).stream(),
        contentLength: null,
        contentType: null,
      }),
  },
};

/** Every row of everything that a change may touch. */
async function everything(): Promise<Record<string, unknown[]>> {
  const tables = ['"Upload"', '"Trajectory"', '"BaselineFile"', '"AuditEvent"', "pgboss.job"];
  const found: Record<string, unknown[]> = {};
  for (const table of tables) found[table] = (await pool().query(`SELECT * FROM ${table} AS t ORDER BY t::text`)).rows;
  return found;
}

const countJobs = (state: Record<string, unknown[]>): number => state["pgboss.job"]?.length ?? 0;

/** Refuses the commit of every transaction that queued a job, after all of its statements went well. */
async function refuseCommits(): Promise<() => Promise<unknown>> {
  await pool().query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused at commit'; END $$;
    CREATE CONSTRAINT TRIGGER refuse AFTER INSERT ON pgboss.job_common DEFERRABLE INITIALLY DEFERRED
      FOR EACH ROW EXECUTE FUNCTION refuse();`);
  return () => pool().query("DROP FUNCTION refuse CASCADE");
}

describe("R2: a change and its job are one transaction", () => {
  test.each(Object.entries(CHANGES))(
    "R2: %s, ended before its commit, leaves neither; committed, both",
    async (_, it) => {
      const prepared = await it.prepare();
      const before = await everything();
      const allow = await refuseCommits();
      await expect(it.change(prepared)).rejects.toThrow(/refused at commit/);
      await allow();
      expect(await everything()).toEqual(before);

      await it.change(prepared);
      const after = await everything();
      expect(countJobs(after)).toBe(countJobs(before) + 1);
      const job = await pool().query(
        `SELECT "data"->>'trajectoryId' AS id FROM pgboss.job WHERE "name" = 'import-upload' ORDER BY "created_on" DESC LIMIT 1`,
      );
      const row = await database().trajectory.findUniqueOrThrow({ where: { id: String(job.rows[0]?.id) } });
      expect(row.status).toBe("queued");
      expect(after['"AuditEvent"']).toHaveLength((before['"AuditEvent"']?.length ?? 0) + 1);
    },
  );
});
