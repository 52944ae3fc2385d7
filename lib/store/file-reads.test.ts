import { beforeAll, describe, expect, test } from "vitest";
import { type ListQuery, listQuerySchema } from "@/lib/views/trajectory-list";
import { database } from "./client";
import { storeParts } from "./file-parts";
import { getNeighbours } from "./file-reads";
import { newId } from "./identifiers";
import { beginImport, failImport } from "./import-status";
import type { ProjectScope } from "./scope";
import { makeProject, withTestDatabase } from "./test-database";
import { createsFile, importAgain, storeRun } from "./test-runs";
import { getFile, getListPage, getRow } from "./trajectories";
import { receiveUpload } from "./uploads";

withTestDatabase();
let scope: ProjectScope;
/** The row of a file of four, and those of its parts: `ready 0`, `ready 1`, `failed`, `waiting`. */
let file: string;
let parts: string[];
let alone: string;

const RUN = { entries: [createsFile(0, "/repo/a.py", "a = 1\n")] };
const NOTE = { code: "not_read", level: "not_understood" as const, message: "Left over", count: 2, positions: [] };

async function takeApart(as: ProjectScope, names: string[]): Promise<string> {
  const bytes = new TextEncoder().encode(newId());
  const incoming = { name: "rows.jsonl", body: new Blob([bytes]).stream(), contentLength: bytes.length, sha256: null };
  const { id } = await receiveUpload(as, incoming);
  const attempt = (await beginImport(as, id))?.attempt ?? "";
  const split = {
    detection: { format: "chat-messages", score: 0.6, reason: "lines" },
    notes: [NOTE],
    parts: names.map((name, n) => ({ key: name, name, range: { start: n, end: n + 1, line: n + 1, pointer: "" } })),
  };
  expect(await storeParts(as, { trajectoryId: id, attempt }, split)).toBe("stored");
  return id;
}

beforeAll(async () => {
  scope = await makeProject();
  alone = (await storeRun(scope, { ...RUN, name: "alone.traj" })).id;
  file = await takeApart(scope, ["ready 0", "ready 1", "failed", "waiting"]);
  const rows = await database().trajectory.findMany({ where: { parentId: file }, orderBy: { partIndex: "asc" } });
  parts = rows.map(({ id }) => id);
  for (const id of parts.slice(0, 2)) await importAgain(scope, id, RUN);
  const failure = { code: "malformed", message: "cut", byte: 2, line: 3, pointer: null };
  await failImport(scope, parts[2] ?? "", null, failure);
});

const list = (change: Partial<ListQuery> = {}, as = scope) =>
  getListPage(as, { ...listQuerySchema.parse({}), ...change });
const names = (rows: { name: string }[]): string[] => rows.map(({ name }) => name);

describe("a file with several trajectories in the list", () => {
  test("is one row above the results while they are imported, and its trajectories are not", async () => {
    const page = await list();
    expect(names(page.rows)).toEqual(["alone.traj"]);
    expect(names(page.pinned)).toEqual(["rows.jsonl"]);
    expect(page.pinned[0]).toMatchObject({
      status: "several",
      parts: { total: 4, ready: 2, failed: 1, waiting: 1 },
      file: null,
      notUnderstood: 2,
    });
    expect(page).toMatchObject({ pinnedTotal: 1, pinnedFailed: 0, matching: 1, total: 5, insideFiles: 4, file: null });
    expect(page.counts).toEqual({ undetermined: 0, failedImports: 1 });
    expect(page.isWorkerAway).toBe(true);
  });

  test("is one of the results when none of them is left to do", async () => {
    const as = await makeProject();
    const { id } = await storeRun(as, { ...RUN, name: "older.traj" });
    const parent = await takeApart(as, ["a", "b"]);
    await database().trajectory.updateMany({
      where: { parentId: parent },
      data: { status: "failed", failure: { code: "malformed", message: "", byte: null, line: null, pointer: null } },
    });
    const page = await list({}, as);
    expect(page.rows.map((row) => row.id)).toEqual([parent, id]);
    // And before what it holds, where both are found.
    const [a] = await database().trajectory.findMany({ where: { parentId: parent, name: "a" } });
    await importAgain(as, a?.id ?? "", RUN);
    await database().trajectory.update({ where: { id: a?.id ?? "" }, data: { name: "a of rows.jsonl" } });
    for (const direction of ["ascending", "descending"] as const) {
      const found = await list({ q: "rows.jsonl", direction }, as);
      expect(names(found.rows)).toEqual(["rows.jsonl", "a of rows.jsonl"]);
    }
    expect(page).toMatchObject({ pinned: [], matching: 2, total: 3, insideFiles: 2 });
  });

  test("lists its own when it is asked for, in its order whatever the direction of time, with counts of its own", async () => {
    for (const direction of ["ascending", "descending"] as const) {
      const page = await list({ file, direction });
      expect(names(page.rows)).toEqual(["ready 0", "ready 1"]);
      // Those that wait are counted with the file, not listed.
      expect(names(page.pinned)).toEqual(["failed"]);
      expect(page.file?.parts?.waiting).toBe(1);
      expect(page).toMatchObject({ total: 4, matching: 2, insideFiles: 0, pinnedFailed: 1, file: { id: file } });
      expect(page.counts).toEqual({ undetermined: 0, failedImports: 1 });
      expect(page.rows[1]?.file).toEqual({ id: file, name: "rows.jsonl", index: 1, total: 4 });
    }
    expect(names((await list({ file, size: 25, page: 2 })).rows)).toEqual([]);
    expect(names((await list({ file, status: "failed" })).rows)).toEqual(["failed"]);
    expect(names((await list({ file, status: "queued" })).rows)).toEqual(["waiting"]);
    expect(names((await list({ file, q: "ready 1" })).rows)).toEqual(["ready 1"]);
  });

  test("gives its own away to words and filters", async () => {
    expect(names((await list({ q: "READY 0" })).rows)).toEqual(["ready 0"]);
    expect(names((await list({ q: "r", status: "several" })).rows)).toEqual(["rows.jsonl"]);
    expect(names((await list({ outcome: "failed", sort: "name", direction: "ascending" })).rows)).toEqual([
      "alone.traj",
      "ready 0",
      "ready 1",
    ]);
    expect((await list({ outcome: "failed" })).insideFiles).toBe(0);
    expect(names((await list({ status: "failed" })).rows)).toEqual(["failed"]);
    expect(names((await list({ status: "several" })).rows)).toEqual(["rows.jsonl"]);
    expect(names((await list({ minTurns: 1, sort: "name", direction: "ascending" })).rows)).toHaveLength(3);
  });

  test("is nothing to another project, nor is what it holds", async () => {
    const other = await makeProject();
    const page = await list({ file }, other);
    expect(page).toMatchObject({ rows: [], pinned: [], total: 0, matching: 0, file: null });
    expect(await getFile(other, file)).toBeNull();
    expect(await getNeighbours(other, parts[0])).toBeNull();
    expect((await list({}, other)).insideFiles).toBe(0);
  });
});

describe("one trajectory of a file", () => {
  test("knows its file, its place, and what stands before and behind it", async () => {
    expect(await getRow(scope, parts[3])).toMatchObject({ file: { id: file, index: 3, total: 4 }, parts: null });
    expect(await getNeighbours(scope, parts[0])).toEqual({ previous: null, next: parts[1] });
    expect(await getNeighbours(scope, parts[2])).toEqual({ previous: parts[1], next: parts[3] });
    expect(await getNeighbours(scope, parts[3])).toEqual({ previous: parts[2], next: null });
    expect(await getNeighbours(scope, alone)).toBeNull();
  });

  test("stands in the list by itself when a later reading of the file does not find it", async () => {
    const as = await makeProject();
    const parent = await takeApart(as, ["kept", "gone"]);
    const gone = await database().trajectory.findFirstOrThrow({ where: { parentId: parent, partIndex: 1 } });
    await importAgain(as, gone.id, RUN);
    await database().trajectory.update({ where: { id: gone.id }, data: { partIndex: null } });
    const page = await list({}, as);
    expect(page.rows.map((row) => [row.id, row.file?.index])).toEqual([[gone.id, null]]);
    expect(page.pinned[0]?.parts).toMatchObject({ total: 1 });
  });
});

test("what of a file none of its trajectories holds is told with it; other rows are no files", async () => {
  expect(await getFile(scope, file)).toMatchObject({ row: { id: file }, notes: [NOTE] });
  expect(await getFile(scope, alone)).toBeNull();
  expect(await getFile(scope, parts[0])).toBeNull();
});
