import { beforeAll, describe, expect, test } from "vitest";
import { type ListQuery, listQuerySchema } from "@/lib/views/trajectory-list";
import { database } from "./client";
import type { Prisma } from "./generated/client";
import { newId } from "./identifiers";
import type { ProjectScope } from "./scope";
import { makeProject, withTestDatabase } from "./test-database";
import { getListPage, getRow } from "./trajectories";

withTestDatabase();
let scope: ProjectScope;
let other: ProjectScope;

type Fields = Partial<Omit<Prisma.TrajectoryUncheckedCreateInput, "uploadId" | "projectId">> & { name: string };

async function add(as: ProjectScope, fields: Fields): Promise<string> {
  const uploadId = newId();
  const id = fields.id ?? newId();
  await database().upload.create({
    data: { id: uploadId, projectId: as.projectId, sha256: `pending:${uploadId}`, name: fields.name, sizeBytes: 1 },
  });
  const importId = newId();
  const ready = (fields.status ?? "ready") === "ready";
  await database().trajectory.create({
    data: { sizeBytes: 1, ...fields, id, projectId: as.projectId, uploadId, status: "queued" },
  });
  if (ready) {
    await database().import.create({
      data: {
        id: importId,
        trajectoryId: id,
        parserVersion: "t",
        trajectoryVersion: 1,
        head: {},
        failureContext: {},
        strip: {},
        codeSummary: {},
        turnCount: 1,
      },
    });
  }
  await database().trajectory.update({
    where: { id },
    data: { status: fields.status ?? "ready", ...(ready ? { currentImportId: importId } : {}) },
  });
  return id;
}

const at = (minute: number): Date => new Date(Date.UTC(2026, 0, 1, 0, minute));
const failure = { code: "malformed", message: "no", byte: 3, line: 1, pointer: null };

beforeAll(async () => {
  scope = await makeProject();
  other = await makeProject();
  const swe = { framework: "SWE-agent", outcome: "failed" };
  await add(scope, {
    name: "alpha.traj",
    ...swe,
    turnCount: 10,
    writeCount: 1,
    createdAt: at(1),
    task: "fix 100% of it",
  });
  await add(scope, {
    name: "beta.traj",
    ...swe,
    turnCount: 30,
    writeCount: 5,
    createdAt: at(2),
    task: "django__django-1",
  });
  await add(scope, {
    name: "gamma_x.jsonl",
    framework: "Claude Code",
    outcome: "resolved",
    turnCount: 20,
    writeCount: 3,
    createdAt: at(3),
    verdictStatus: "determined",
    verdictTurn: 4,
    verdictEngine: "structural",
  });
  await add(scope, { name: "delta.jsonl", outcome: "unknown", verdictStatus: "undetermined", createdAt: at(4) });
  await add(scope, { name: "waiting.traj", status: "queued", createdAt: at(5) });
  await add(scope, {
    name: "moving.traj",
    status: "importing",
    createdAt: at(6),
    progress: { phase: "reading", done: 1, total: 2, turns: 0 },
  });
  await add(scope, { name: "broken.traj", status: "failed", createdAt: at(7), failure });
  await add(other, { name: "alpha of another project.traj" });
});

const query = (over: Record<string, unknown> = {}): ListQuery => listQuerySchema.parse(over);
async function names(over: Record<string, unknown> = {}): Promise<string[]> {
  return (await getListPage(scope, query(over))).rows.map((row) => row.name);
}

describe("the list", () => {
  test("shows ready rows, newest first, and work in progress above them whatever the filters", async () => {
    const page = await getListPage(scope, query({ q: "nothing has this name" }));
    expect(page.rows).toEqual([]);
    expect(page.pinned.map((row) => row.name)).toEqual(["broken.traj", "moving.traj", "waiting.traj"]);
    expect(page).toMatchObject({
      matching: 0,
      total: 7,
      pinnedTotal: 3,
      counts: { undetermined: 1, failedImports: 1 },
    });
    expect(page.frameworks).toEqual(["Claude Code", "SWE-agent"]);
    expect(page.pinned[0]?.failure).toEqual({
      code: "malformed",
      message: "no",
      at: { byte: 3, line: 1, pointer: null },
    });
    expect(page.pinned[1]?.progress).toEqual({ phase: "reading", done: 1, total: 2, turns: 0 });
    expect(await names()).toEqual(["delta.jsonl", "gamma_x.jsonl", "beta.traj", "alpha.traj"]);
  });

  test.each([
    [{ q: "ALPHA" }, ["alpha.traj"]],
    [{ q: "django" }, ["beta.traj"]],
    [{ q: "100%" }, ["alpha.traj"]],
    [{ q: "%" }, ["alpha.traj"]],
    [{ q: "a_x" }, ["gamma_x.jsonl"]],
    [{ q: "\\" }, []],
    [{ q: "' OR 1=1 --" }, []],
    [{ outcome: "failed" }, ["beta.traj", "alpha.traj"]],
    [{ verdict: "undetermined" }, ["delta.jsonl"]],
    [{ framework: "Claude Code" }, ["gamma_x.jsonl"]],
    [{ minTurns: "20" }, ["gamma_x.jsonl", "beta.traj"]],
    [{ minTurns: "99999999999" }, []],
    [{ status: "failed" }, ["broken.traj"]],
    [{ status: "importing" }, ["moving.traj"]],
    [
      { status: "nonsense", outcome: "", sort: "id; drop table", page: "-1", size: "7" },
      ["delta.jsonl", "gamma_x.jsonl", "beta.traj", "alpha.traj"],
    ],
  ])("filter %j", async (over, expected) => {
    expect(await names(over)).toEqual(expected);
  });

  test.each([
    ["turns", "ascending", ["alpha.traj", "gamma_x.jsonl", "beta.traj", "delta.jsonl"]],
    ["turns", "descending", ["beta.traj", "gamma_x.jsonl", "alpha.traj", "delta.jsonl"]],
    ["writes", "descending", ["beta.traj", "gamma_x.jsonl", "alpha.traj", "delta.jsonl"]],
    ["name", "ascending", ["alpha.traj", "beta.traj", "delta.jsonl", "gamma_x.jsonl"]],
    ["verdict", "ascending", ["gamma_x.jsonl"]],
    ["uploaded", "ascending", ["alpha.traj", "beta.traj", "gamma_x.jsonl", "delta.jsonl"]],
  ])("sort by %s %s, rows without a value last", async (sort, direction, expected) => {
    expect((await names({ sort, direction })).slice(0, expected.length)).toEqual(expected);
  });

  test("pages hold each row once, also among equals, and past the end there is nothing", async () => {
    const many = await makeProject();
    for (let i = 0; i < 60; i++) await add(many, { name: `same ${i % 2}`, createdAt: at(1), turnCount: 5 });
    const seen: string[] = [];
    for (const page of [1, 2, 3, 4]) {
      const { rows, matching } = await getListPage(many, query({ sort: "turns", size: "25", page: String(page) }));
      expect(matching).toBe(60);
      seen.push(...rows.map((row) => row.id));
    }
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
    expect((await getListPage(many, query({ page: "999999999" }))).rows).toEqual([]);
  });

  test("only the newest twenty of work in progress are pinned, all are counted", async () => {
    const busy = await makeProject();
    for (let i = 0; i < 23; i++) await add(busy, { name: `w${i}`, status: "queued", createdAt: at(i) });
    const page = await getListPage(busy, query());
    expect(page.pinned).toHaveLength(20);
    expect(page.pinned[0]?.name).toBe("w22");
    expect(page.pinnedTotal).toBe(23);
  });
});

test("a row is given to its own project only", async () => {
  const id = await add(scope, { name: "mine.traj" });
  expect((await getRow(scope, id))?.name).toBe("mine.traj");
  expect(await getRow(other, id)).toBeNull();
});
