import pg from "pg";
import { beforeAll, describe, expect, test, vi } from "vitest";
import type { Note } from "@/lib/trajectory/schema";
import { attachBaseline } from "./baselines";
import { database, pool } from "./client";
import { type FileSplit, storeParts } from "./file-parts";
import { newId } from "./identifiers";
import { beginImport, failImport, readAgain, retryImport } from "./import-status";
import type { ProjectScope } from "./scope";
import { createShare, openShare } from "./shares";
import { makeProject, withTestDatabase } from "./test-database";
import { createsFile, importAgain } from "./test-runs";
import { receiveUpload } from "./uploads";

withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

const DETECTION = { format: "chat-messages", score: 0.6, reason: "lines with messages" };

/** Parts of ten bytes each, one behind the other, by their keys. */
const splitOf = (keys: string[], notes: FileSplit["notes"] = []): FileSplit => ({
  detection: DETECTION,
  notes,
  parts: keys.map((key, n) => ({
    key,
    name: `Task ${key}`,
    range: { start: n * 10, end: n * 10 + 10, line: n + 1, pointer: "" },
  })),
});

async function upload(name = "rows.jsonl", text = newId()): Promise<{ id: string; sizeBytes: number }> {
  const bytes = new TextEncoder().encode(text);
  return receiveUpload(scope, { name, body: new Blob([bytes]).stream(), contentLength: bytes.length, sha256: null });
}

async function begin(id: string): Promise<string> {
  const target = await beginImport(scope, id);
  if (target === null) throw new Error("nothing to begin");
  return target.attempt;
}

async function takeApart(id: string, split: FileSplit): Promise<string> {
  return storeParts(scope, { trajectoryId: id, attempt: await begin(id) }, split);
}

const rowOf = (id: string) => database().trajectory.findUniqueOrThrow({ where: { id } });
const partsOf = (parentId: string) =>
  database().trajectory.findMany({ where: { parentId }, orderBy: [{ partIndex: "asc" }, { id: "asc" }] });
const keyOf = ({ part }: { part: unknown }): unknown => (part as { key: unknown }).key;

async function jobsOf(id: string): Promise<{ priority: number }[]> {
  const { rows } = await pool().query<{ priority: number }>(
    `SELECT "priority" FROM pgboss.job WHERE "name" = 'import-upload' AND "data"->>'trajectoryId' = $1`,
    [id],
  );
  return rows;
}

describe("a file with several trajectories", () => {
  test("becomes the parent of a row and a job each, in the order of the file", async () => {
    const { id, sizeBytes } = await upload();
    const note: Note = { code: "not_read", level: "not_understood", message: "Left over", count: 2, positions: [] };
    const split = splitOf(["a\u0000b\nc", "b"], [note]);
    const [first] = split.parts;
    const parts = [{ ...first, key: "a", name: "a\u0000b\nc", range: first?.range ?? null }, ...split.parts.slice(1)];
    const whole = { key: "w", name: "picked out of the whole", range: null };
    expect(await takeApart(id, { ...split, parts: [...parts, whole] })).toBe("stored");

    const parent = await rowOf(id);
    expect(parent).toMatchObject({
      status: "several",
      partCount: 3,
      progress: null,
      format: "chat-messages",
      notUnderstood: 2,
      fileNotes: [note],
    });
    const rows = await partsOf(id);
    expect(rows.map(({ partIndex, name, sizeBytes: size, status }) => [partIndex, name, Number(size), status])).toEqual(
      [
        [0, "a b c", 10, "queued"],
        [1, "Task b", 10, "queued"],
        [2, "picked out of the whole", sizeBytes, "queued"],
      ],
    );
    for (const row of rows) {
      expect(row).toMatchObject({ uploadId: parent.uploadId, createdAt: parent.createdAt, projectId: scope.projectId });
      // Behind what others upload meanwhile.
      expect(await jobsOf(row.id)).toEqual([{ priority: -1 }]);
    }
  });

  test("gives each part its own stretch to read, and a failed one can be tried again", async () => {
    const { id, sizeBytes } = await upload();
    await takeApart(id, splitOf(["a", "b"]));
    const part = (await partsOf(id))[1];
    const target = await beginImport(scope, part?.id ?? "");
    expect(target).toMatchObject({
      uploadBytes: sizeBytes,
      sizeBytes: 10,
      part: { key: "b", range: { start: 10, end: 20, line: 2 } },
    });
    const failure = { code: "malformed", message: "cut", byte: 12, line: 2, pointer: null };
    await failImport(scope, part?.id ?? "", target?.attempt ?? "", failure);
    expect(await rowOf(part?.id ?? "")).toMatchObject({ status: "failed", failure });
    await retryImport(scope, part?.id);
    expect(await beginImport(scope, part?.id ?? "")).toMatchObject({ part: { key: "b" } });
  });

  test("counts as one upload: the same bytes again answer with the file, and how many it holds", async () => {
    const { id } = await upload("rows.jsonl", "the same");
    await takeApart(id, splitOf(["a", "b"]));
    expect(await upload("again.jsonl", "the same")).toMatchObject({ id, duplicate: true, partCount: 2 });
  });

  test("is not taken apart by an attempt that lost the row, nor twice", async () => {
    const { id } = await upload();
    const late = await begin(id);
    const attempt = await begin(id);
    const split = splitOf(["a", "b"]);
    expect(await storeParts(scope, { trajectoryId: id, attempt: late }, split)).toBe("lost");
    expect(await partsOf(id)).toEqual([]);
    expect(await rowOf(id)).toMatchObject({ status: "importing", partCount: null });
    expect(await storeParts(scope, { trajectoryId: id, attempt }, split)).toBe("stored");
    expect(await storeParts(scope, { trajectoryId: id, attempt }, split)).toBe("lost");
    expect(await partsOf(id)).toHaveLength(2);
    expect(await storeParts(scope, { trajectoryId: newId(), attempt }, split)).toBe("gone");
    expect(await storeParts(await makeProject(), { trajectoryId: id, attempt }, split)).toBe("lost");
  });

  test("asks the database no more often for a thousand parts than for two", async () => {
    const query = vi.spyOn(pg.Client.prototype, "query");
    const count = async (keys: string[]): Promise<number> => {
      const { id } = await upload();
      const attempt = await begin(id);
      query.mockClear();
      await storeParts(scope, { trajectoryId: id, attempt }, splitOf(keys));
      const asked = query.mock.calls.length;
      expect(await database().trajectory.count({ where: { parentId: id, status: "queued" } })).toBe(keys.length);
      return asked;
    };
    const two = await count(["a", "b"]);
    expect(two).toBeGreaterThan(3);
    expect(await count(Array.from({ length: 1_000 }, (_, n) => `k${n}`))).toBe(two);
    query.mockRestore();
  });

  test("takes its parts with it when its upload goes; an upload has one row of its own, a place one part", async () => {
    const { id } = await upload();
    await takeApart(id, splitOf(["a", "b"]));
    const { uploadId } = await rowOf(id);
    const data = { projectId: scope.projectId, uploadId, name: "x", status: "queued", sizeBytes: 1 };
    const another = (more: object) => database().trajectory.create({ data: { ...data, id: newId(), ...more } });
    await expect(another({})).rejects.toMatchObject({ code: "P2002" });
    await expect(another({ parentId: id, partIndex: 1, part: {} })).rejects.toMatchObject({ code: "P2002" });
    await database().upload.delete({ where: { id: uploadId } });
    expect(await database().trajectory.count({ where: { OR: [{ id }, { parentId: id }] } })).toBe(0);
  });
});

describe("a file that is read again", () => {
  const RUN = { entries: [createsFile(0, "/repo/a.py", "a = 1\n")] };

  test("keeps the rows of its parts and what people did with them, adds new ones, and lets none go", async () => {
    const { id } = await upload();
    await takeApart(id, splitOf(["a", "gone", "b"]));
    const [a, gone, b] = await partsOf(id);
    if (!a || !gone || !b) throw new Error("three parts");
    for (const part of [a, gone]) await importAgain(scope, part.id, RUN);
    const { path } = await createShare(scope, a.id);
    const { currentImportId } = await rowOf(a.id);

    await readAgain(scope, id);
    // While it waits it is still known to hold several.
    expect(await rowOf(id)).toMatchObject({ status: "queued", partCount: 3 });
    expect(await takeApart(id, splitOf(["b", "new", "a"]))).toBe("stored");

    const rows = await partsOf(id);
    expect(rows.map((row) => [keyOf(row), row.partIndex, row.status])).toEqual([
      ["b", 0, "queued"],
      ["new", 1, "queued"],
      ["a", 2, "queued"],
      ["gone", null, "ready"],
    ]);
    expect(rows.map((row) => row.id)).toEqual([b.id, rows[1]?.id, a.id, gone.id]);
    // What was read stays until the new reading is there, and so do links.
    expect(rows[2]).toMatchObject({ currentImportId, sizeBytes: 10n, part: { range: { start: 20 } } });
    expect(await openShare(path.slice("/s/".length))).not.toBeNull();
    // The first job of `b` still waits; one of the first reading and one of this for `a`; none for what is gone.
    expect(await Promise.all([b, a, gone].map(async (row) => (await jobsOf(row.id)).length))).toEqual([1, 2, 1]);
  });

  test("leaves a part that a worker has in its hands to that worker", async () => {
    const { id } = await upload();
    await takeApart(id, splitOf(["a", "b"]));
    const [a] = await partsOf(id);
    const attempt = await begin(a?.id ?? "");
    await readAgain(scope, id);
    await takeApart(id, splitOf(["a", "b"]));
    expect(await rowOf(a?.id ?? "")).toMatchObject({ status: "importing", progress: { attempt } });
  });

  test("and turns out to be one trajectory: it is that, and its parts stand by themselves", async () => {
    const { id } = await upload();
    await takeApart(id, splitOf(["a", "b"]));
    await readAgain(scope, id);
    await importAgain(scope, id, RUN);
    expect(await rowOf(id)).toMatchObject({ status: "ready", partCount: null, fileNotes: null, turnCount: 1 });
    expect((await partsOf(id)).map((row) => [row.partIndex, row.parentId])).toEqual([
      [null, id],
      [null, id],
    ]);
  });

  test("and held one trajectory before: nothing of that stands on its row, and a link to it still opens", async () => {
    const { id } = await upload();
    await importAgain(scope, id, RUN);
    const { path } = await createShare(scope, id);
    await readAgain(scope, id);
    await takeApart(id, splitOf(["a", "b"]));
    expect(await rowOf(id)).toMatchObject({
      status: "several",
      currentImportId: null,
      turnCount: null,
      framework: null,
    });
    expect(await openShare(path.slice("/s/".length))).not.toBeNull();
  });
});

test("a file with several trajectories is no run: it cannot be shared and takes no input", async () => {
  const { id } = await upload();
  await takeApart(id, splitOf(["a", "b"]));
  await expect(createShare(scope, id)).rejects.toMatchObject({
    code: "conflict",
    message: expect.stringMatching(/holds 2 trajectories/),
  });
  const body = new Blob(["a = 1\n"]).stream();
  const attach = attachBaseline(scope, id, { name: "a.py", body, contentLength: 6, contentType: null });
  await expect(attach).rejects.toMatchObject({ code: "conflict", message: expect.stringMatching(/several/) });
});
