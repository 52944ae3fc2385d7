import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { migrate } from "@/bin/migrate.mjs";
import { resetEnv } from "@/lib/env";
import { stopSender } from "@/lib/jobs";
import { listQuerySchema } from "@/lib/views/trajectory-list";
import { database, disconnect } from "./client";
import { getGivenFailure } from "./given-failure";
import { newId } from "./identifiers";
import { beginImport, readAgain } from "./import-status";
import { mintProjectScope, mintShareScope } from "./scope-mint";
import { getListPage, getRow } from "./trajectories";
import { receiveUpload } from "./uploads";

const MIGRATIONS = path.resolve("prisma/migrations");
const BEFORE = /^000[12]_/;
const { serverUrl } = inject("testDatabase");
const name = `misstep_test_older_${newId().toLowerCase()}`;
const folder = mkdtempSync(path.join(os.tmpdir(), "misstep-migrations-"));
const url = new URL(serverUrl);
url.pathname = `/${name}`;

/** What a database of the version before files with several trajectories holds: one row an upload. */
const OLDER = `
  INSERT INTO "User" ("id", "name", "email", "updatedAt") VALUES ('u', 'Owner', 'owner@localhost', now());
  INSERT INTO "Project" ("id", "name", "slug") VALUES ('p', 'Older', 'older');
  INSERT INTO "Upload" ("id", "projectId", "sha256", "name", "sizeBytes", "complete")
    VALUES ('up1', 'p', encode(sha256('older'), 'hex'), 'ready.traj', 5, true),
      ('up2', 'p', repeat('b', 64), 'failed.traj', 1, true);
  INSERT INTO "Trajectory" ("id", "projectId", "uploadId", "name", "status", "sizeBytes", "updatedAt", "failure")
    VALUES ('t1', 'p', 'up1', 'ready.traj', 'queued', 5, now(), NULL),
      ('t2', 'p', 'up2', 'failed.traj', 'failed', 1, now(),
       '{"code": "malformed", "message": "cut", "byte": 1, "line": 1, "pointer": null}');
  INSERT INTO "Import" ("id", "trajectoryId", "parserVersion", "trajectoryVersion", "head", "failureContext", "strip",
      "codeSummary", "turnCount") VALUES ('i1', 't1', '1', 1, '{}', '{}', '{}', '{}', 3);
  UPDATE "Trajectory" SET "status" = 'ready', "currentImportId" = 'i1', "turnCount" = 3, "givenOutcome" = 'resolved'
    WHERE "id" = 't1';
  INSERT INTO "Share" ("id", "projectId", "trajectoryId", "importId", "tokenHash", "maskKey", "createdBy", "expiresAt")
    VALUES ('s1', 'p', 't1', 'i1', 'hash', 'key', 'Owner', now() + interval '1 day');`;

beforeAll(async () => {
  for (const one of readdirSync(MIGRATIONS).filter((file) => BEFORE.test(file))) {
    cpSync(path.join(MIGRATIONS, one), path.join(folder, one), { recursive: true });
  }
  expect((await migrate(url.href, { folder })).applied).toHaveLength(2);
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  await client.query(OLDER);
  await client.end();
  await migrate(url.href);
  process.env.DATABASE_URL = url.href;
  resetEnv();
});

afterAll(async () => {
  await stopSender();
  await disconnect();
  rmSync(folder, { recursive: true });
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`DROP DATABASE "${name}" WITH (FORCE)`);
  await client.end();
});

test("rows of the version before are rows of whole files: they are listed, open, can be read again, and stay alone", async () => {
  const scope = mintProjectScope("p", { kind: "user", id: "u", name: "Owner" });
  const page = await getListPage(scope, listQuerySchema.parse({}));
  expect(page.rows.map(({ name: of, turnCount, parts, file }) => [of, turnCount, parts, file])).toEqual([
    ["ready.traj", 3, null, null],
  ]);
  expect(page.pinned.map(({ name: of }) => of)).toEqual(["failed.traj"]);
  expect(page).toMatchObject({ total: 2, insideFiles: 0, pinnedFailed: 1 });
  expect(await getRow(scope, "t1")).toMatchObject({ status: "ready" });

  const body = new Blob(["older"]).stream();
  const again = await receiveUpload(scope, { name: "again", body, contentLength: 5, sha256: null });
  expect(again).toMatchObject({ id: "t1", duplicate: true, partCount: null });
  await readAgain(scope, "t1");
  expect(await beginImport(scope, "t1")).toMatchObject({ uploadId: "up1", part: null, sizeBytes: 5 });
  const data = { id: newId(), projectId: "p", uploadId: "up1", name: "second", status: "queued", sizeBytes: 1 };
  await expect(database().trajectory.create({ data })).rejects.toMatchObject({ code: "P2002" });
});

test("an outcome that was given before is a part of its own now, for the project and for the links that were made", async () => {
  const scope = mintProjectScope("p", { kind: "user", id: "u", name: "Owner" });
  const share = { shareId: "s1", projectId: "p", trajectoryId: "t1", importId: "i1", analysisId: null, maskKey: "key" };
  for (const reader of [scope, mintShareScope(share)]) {
    const given = await getGivenFailure(reader, "t1");
    expect(given).toMatchObject({ outcome: { value: "resolved", by: "Misstep" }, errorReport: null });
    expect(Date.now() - Date.parse(given.outcome?.at ?? "")).toBeLessThan(600_000);
  }
  expect((await getGivenFailure(scope, "t2")).outcome).toBeNull();
});
