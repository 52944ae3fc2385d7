import { gzipSync } from "node:zlib";
import { beforeAll, describe, expect, test } from "vitest";
import { readSource } from "@/workers/import-pipeline";
import { makeTrace } from "@/workers/test-trace";
import { ARCHIVE_LIMITS, unpack } from "./baseline-archive";
import { attachBaseline, commonFolder, loadBaseline } from "./baselines";
import { database } from "./client";
import { newId } from "./identifiers";
import { beginImport } from "./import-status";
import { storeImport } from "./imports";
import type { ProjectScope } from "./scope";
import { tar, zip } from "./test-archives";
import { makeProject, withTestDatabase } from "./test-database";
import { receiveUpload } from "./uploads";

withTestDatabase();
let scope: ProjectScope;
beforeAll(async () => {
  scope = await makeProject();
});

const HOSTILE = [
  ["climbs", "../../etc/passwd"],
  ["is absolute", "/etc/passwd"],
  ["has a drive", "C:\\windows\\win.ini"],
  ["climbs later", "a/../../b"],
  ["climbs with backslashes", "a\\..\\..\\b"],
  ["has a line break", "a\nb"],
  ["is very long", `${"long/".repeat(300)}x`],
];

const unpackOne = (name: string, bytes: Uint8Array, limits = ARCHIVE_LIMITS) => unpack([{ name, bytes }], limits);

describe("unpacking what a person attached", () => {
  test("reads tar, tar.gz and zip alike, whatever they are called", async () => {
    const expected = new Map([
      ["src/a.py", "a = 1\n"],
      ["__proto__", "p"],
      ["constructor/prototype.py", "q"],
    ]);
    const entries = [...expected].map(([name, content]) => ({ name, content }));
    const plain = await tar(entries);
    const zipped = zip(entries.map(({ name, content }) => ({ name, content: Buffer.from(content) })));
    for (const bytes of [plain, gzipSync(plain), zipped]) {
      const unpacked = await unpackOne("anything.bin", bytes);
      expect(unpacked.files).toEqual(expected);
      expect(unpacked.skipped).toEqual(new Map());
    }
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
    expect({}).not.toHaveProperty("a");
  });

  test("a file that is no archive is itself, under the path that a person gave", async () => {
    const conf = await unpackOne("./some\\where/conf.py", Buffer.from("x = 1\n"));
    expect(conf).toMatchObject({ isArchive: false, files: new Map([["some/where/conf.py", "x = 1\n"]]) });
    for (const name of ["/etc/conf.py", "../conf.py", "C:\\conf.py", ""]) {
      const { files, skipped } = await unpackOne(name, Buffer.from("x"));
      expect([files.size, skipped]).toEqual([0, new Map([["unsafe_name", 1]])]);
    }
  });

  test("files and archives of one form come together; of two with one path the last stays, and it is counted", async () => {
    const parts = [
      { name: "src/a.py", bytes: Buffer.from("a = 1\n") },
      { name: "x.tar", bytes: await tar([{ name: "src/b.py", content: "b" }]) },
      { name: "src/a.py", bytes: Buffer.from("a = 2\n") },
    ];
    const { files, skipped, isArchive } = await unpack(parts);
    expect(Object.fromEntries(files)).toEqual({ "src/a.py": "a = 2\n", "src/b.py": "b" });
    expect([skipped, isArchive]).toEqual([new Map([["named_twice", 1]]), false]);
  });

  test.each(HOSTILE)("a name that %s is skipped and counted", async (_, name = "") => {
    const good = { name: "ok.py", content: "ok" };
    for (const bytes of [
      await tar([good, { name, content: "evil" }]),
      zip([
        { name: good.name, content: Buffer.from(good.content) },
        { name, content: Buffer.from("evil") },
      ]),
    ]) {
      const unpacked = await unpackOne("x", bytes);
      expect([...unpacked.files.keys()]).toEqual(["ok.py"]);
      expect([...unpacked.skipped]).toEqual([["unsafe_name", 1]]);
    }
  });

  test("links, devices, binaries, other encodings, large and repeated files are skipped and counted", async () => {
    const bytes = await tar([
      { name: "link", type: "symlink", linkname: "/etc/passwd" },
      { name: "hard", type: "link", linkname: "ok.py" },
      { name: "pipe", type: "fifo" },
      { name: "folder", type: "directory" },
      { name: "picture.png", content: Buffer.from([0x89, 0x50, 0, 1]) },
      { name: "latin1.txt", content: Buffer.from("caf\u00e9", "latin1") },
      { name: "large.txt", content: "x".repeat(2_000) },
      { name: "ok.py", content: "first" },
      { name: "./ok.py", content: "last" },
    ]);
    const unpacked = await unpackOne("x.tar", bytes, { ...ARCHIVE_LIMITS, fileBytes: 1_000 });
    expect([...unpacked.files]).toEqual([["ok.py", "last"]]);
    expect(Object.fromEntries(unpacked.skipped)).toEqual({ not_a_file: 3, not_text: 2, too_large: 1, named_twice: 1 });
    const linked = zip([{ name: "l", content: Buffer.from("/etc/passwd"), unixMode: 0o120777 }]);
    expect(Object.fromEntries((await unpackOne("x.zip", linked)).skipped)).toEqual({ not_a_file: 1 });
  });

  test("bombs are stopped by what comes out, not by what they claim", async () => {
    const zeros = Buffer.alloc(64 * 1024 * 1024);
    const limits = { ...ARCHIVE_LIMITS, unpackedBytes: 1024 * 1024 };
    const refused = { code: "too_large" };
    const before = process.memoryUsage().rss;
    await expect(
      unpackOne("b.zip", zip([{ name: "z", content: zeros, claimedSize: 10 }]), limits),
    ).rejects.toMatchObject(refused);
    await expect(
      unpackOne("b.tgz", gzipSync(await tar([{ name: "z", content: zeros }])), limits),
    ).rejects.toMatchObject(refused);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
  });

  test("too many entries, too many files and too much text are refused", async () => {
    const many = await tar(Array.from({ length: 30 }, (_, i) => ({ name: `f${i}`, content: "x".repeat(100) })));
    for (const limits of [{ entries: 29 }, { files: 29 }, { textBytes: 2_999 }, { unpackedBytes: 2_999 }]) {
      await expect(unpackOne("m.tar", many, { ...ARCHIVE_LIMITS, ...limits })).rejects.toMatchObject({
        code: "too_large",
      });
    }
    expect((await unpackOne("m.tar", many)).files.size).toBe(30);
  });

  test("a damaged archive is refused in one line, wherever it is cut", async () => {
    const whole = gzipSync(await tar([{ name: "a.py", content: "x = 1\n".repeat(500) }]));
    const zipped = zip([{ name: "a.py", content: Buffer.from("x = 1\n".repeat(500)) }]);
    for (const bytes of [whole, zipped]) {
      for (let cut = 4; cut < bytes.length; cut += 7) {
        const error: unknown = await unpackOne("a", bytes.subarray(0, cut)).then(
          ({ files }) => files,
          (thrown: unknown) => thrown,
        );
        if (error instanceof Map) expect(error.get("a.py")).toBe("x = 1\n".repeat(500));
        else
          expect(error).toMatchObject({
            name: "AppError",
            code: "bad_request",
            message: expect.not.stringContaining("\n"),
          });
      }
    }
  });
});

test.each([
  [["repo-1a2b/a.py", "repo-1a2b/b/c.py"], "repo-1a2b"],
  [["repo/a.py", "other/b.py"], null],
  [["repo/a.py", "b.py"], null],
  [["repo/a.py", "repository/b.py"], null],
  [["a.py"], null],
  [[], null],
])("the common folder of %j is %j", (paths, folder) => {
  expect(commonFolder(paths)).toBe(folder);
});

describe("attaching the input of a run", () => {
  async function readyRun(seed: string): Promise<string> {
    const bytes = makeTrace(seed, 4);
    const body = new Blob([new Uint8Array(bytes)]).stream();
    const { id } = await receiveUpload(scope, { name: seed, body, contentLength: bytes.length, sha256: null });
    await storeImport(
      scope,
      { trajectoryId: id, jobId: newId() },
      await readSource({ name: seed, bytes }, { baseline: null, outcome: null }, () => undefined),
    );
    return id;
  }
  const attach = (id: string, name: string, bytes: Uint8Array, as = scope) =>
    attachBaseline(as, id, {
      name,
      body: new Blob([new Uint8Array(bytes)]).stream(),
      contentLength: bytes.length,
      contentType: null,
    });
  const jobs = async (id: string): Promise<number> => {
    const rows = await database().$queryRaw<{ count: bigint }[]>`
      SELECT count(*) FROM pgboss.job WHERE data->>'trajectoryId' = ${id}`;
    return Number(rows[0]?.count);
  };

  test("stores the files, takes off the archive's folder, queues an import; a second attachment adds to it", async () => {
    const id = await readyRun("attach");
    const before = await jobs(id);
    const archive = gzipSync(
      await tar([
        { name: "repo-1/pkg/a.py", content: "é = 1\n" },
        { name: "repo-1/README", content: "" },
      ]),
    );
    expect(await attach(id, "repo.tar.gz", archive)).toEqual({ files: 2, skipped: [], strippedFolder: "repo-1" });
    expect(await attach(id, "a.py", Buffer.from("b\n"))).toMatchObject({ files: 1 });
    expect((await loadBaseline(scope, id))?.files).toEqual(
      new Map([
        ["README", ""],
        ["a.py", "b\n"],
        ["pkg/a.py", "é = 1\n"],
      ]),
    );
    expect(await database().trajectory.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: "queued" });
    // The second came while the first one's job was still waiting: one job sees both.
    expect(await jobs(id)).toBe(before + 1);
  });

  test("a form brings several files, each under its path; a named file keeps its folder", async () => {
    const id = await readyRun("form");
    const form = new FormData();
    form.append("pkg/a.py", new Blob(["a = 1\n"]), "a.py");
    form.append("pkg/b.py", new Blob(["b = 1\n"]), "other-name.py");
    const { body, headers } = new Response(form);
    const contentType = headers.get("content-type");
    const answer = await attachBaseline(scope, id, { name: "", body, contentLength: null, contentType });
    expect(answer).toEqual({ files: 2, skipped: [], strippedFolder: null });
    await attach(id, "lib/c.py", Buffer.from("c = 1\n"));
    expect([...((await loadBaseline(scope, id))?.files.keys() ?? [])]).toEqual(["lib/c.py", "pkg/a.py", "pkg/b.py"]);
    const broken = { name: "", body: new Blob(["no form"]).stream(), contentLength: null, contentType };
    await expect(attachBaseline(scope, id, broken)).rejects.toMatchObject({ code: "bad_request" });
  });

  test("keeps the folder when the trace knows the files under it", async () => {
    const id = await readyRun("keep folder");
    const { currentImportId } = await database().trajectory.findUniqueOrThrow({ where: { id } });
    const file = await database().file.findFirstOrThrow({ where: { importId: currentImportId ?? "" } });
    const archive = await tar([{ name: file.display, content: "x" }]);
    expect(await attach(id, "part.tar", archive)).toMatchObject({ strippedFolder: null });
    expect((await loadBaseline(scope, id))?.files.has(file.display)).toBe(true);
  });

  test("is refused while the trajectory is being imported, for another project, and when there is no text", async () => {
    const id = await readyRun("refused");
    const file = Buffer.from("x\n");
    await expect(attach(id, "a.py", file, await makeProject())).rejects.toMatchObject({ code: "not_found" });
    await expect(attach(id, "a.png", Buffer.from([0, 1]))).rejects.toMatchObject({ code: "bad_request" });
    await attach(id, "a.py", file);
    await beginImport(scope, id);
    await expect(attach(id, "b.py", file)).rejects.toMatchObject({ code: "conflict" });
    expect([...((await loadBaseline(scope, id))?.files.keys() ?? [])]).toEqual(["a.py"]);
  });
});
