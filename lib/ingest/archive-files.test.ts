import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { IngestError } from "@/lib/errors";
import { turnsOf } from "@/lib/trajectory/schema";
import { openArchive } from "./archive-files";
import { ingest, openUpload } from "./ingest";
import { prepareSource } from "./prepare-source";
import type { Source } from "./source";
import { zipOf as zip } from "./test-support/packed";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const chat = (word: string): string =>
  JSON.stringify([
    { role: "user", content: `do ${word}` },
    { role: "assistant", content: `done ${word}` },
  ]);

async function tar(files: Record<string, string>): Promise<Uint8Array> {
  const archive = pack();
  for (const [name, text] of Object.entries(files)) archive.entry({ name }, text);
  archive.entry({ name: "link", type: "symlink", linkname: "/etc/passwd" });
  archive.finalize();
  const pieces: Uint8Array[] = [];
  for await (const piece of archive) if (piece instanceof Uint8Array) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

const open = async (bytes: Uint8Array, more: Partial<Source> = {}) =>
  openUpload(await prepareSource({ name: "runs.zip", bytes, ...more }));

async function failure(bytes: Uint8Array): Promise<unknown> {
  try {
    return await open(bytes);
  } catch (error) {
    return error;
  }
}

describe("an archive", () => {
  it("gives its files in the order of their paths, whatever it is packed with", async () => {
    const files = { "b/two.json": "2", "a.json": "1" };
    for (const bytes of [await zip(files), await tar(files), new Uint8Array(gzipSync(await tar(files)))]) {
      const opened = await openArchive(bytes);
      expect(opened.files.map(({ path, bytes: held }) => [path, new TextDecoder().decode(held)])).toEqual([
        ["a.json", "1"],
        ["b/two.json", "2"],
      ]);
    }
  });

  it("leaves out what is no file of it, and counts it", async () => {
    const bytes = await tar({ "../up.json": "1", "/abs.json": "1", "__MACOSX/._a": "x", "a.json": "1" });
    const { files, skipped } = await openArchive(bytes);
    expect(files.map(({ path }) => path)).toEqual(["a.json"]);
    expect(Object.fromEntries(skipped)).toEqual({ unsafe_name: 2, file_of_the_system: 1, not_a_file: 1 });
  });

  it("is refused beyond a limit, which the message names, before more of it is unpacked", async () => {
    const limits = { entries: 3, files: 2, unpackedBytes: 10_000 };
    const bomb = new Uint8Array(gzipSync(new Uint8Array(1_000_000)));
    await expect(openArchive(bomb, limits)).rejects.toMatchObject({ code: "too_large" });
    const many = await zip({ a: "1", b: "2", c: "3", d: "4" });
    await expect(openArchive(many, limits)).rejects.toThrow(/more than 3 entries/);
    await expect(openArchive(await zip({ a: "1", b: "2", c: "3" }), limits)).rejects.toThrow(/more than 2 files/);
    await expect(openArchive(await zip({ a: "x".repeat(20_000) }), limits)).rejects.toMatchObject({
      code: "too_large",
    });
  });

  it("is malformed when it is damaged", async () => {
    const whole = await zip({ "a.json": chat("x"), "b.json": chat("y") });
    for (const bytes of [whole.subarray(0, whole.length - 40), gzipSync(encode("x".repeat(5_000))).subarray(0, 30)]) {
      await expect(openArchive(new Uint8Array(bytes))).rejects.toMatchObject({ code: "malformed" });
    }
  });
});

describe("an archive of no format", () => {
  it("with one trace is that trace, its positions name the file, and the other files are noted", async () => {
    const opened = await open(await zip({ "notes.txt": "hello", "run/chat.json": chat("it") }));
    if (opened.kind !== "one") throw new Error("several");
    const { trajectory, detection } = opened.read(() => undefined);
    expect(detection.format).toBe("chat-messages");
    const [turn] = turnsOf(trajectory);
    expect(turn?.items[0]?.raw[0]).toMatchObject({ file: "run/chat.json", pointer: "/1" });
    const note = trajectory.notes.find(({ code }) => code === "other_file");
    expect(note?.positions).toEqual([{ line: null, pointer: null, start: 0, end: 5, file: "notes.txt" }]);
  });

  it("with several gives a part each, which can be read alone, and counts the others", async () => {
    const bytes = await zip({ "a.json": chat("a"), "b.json": chat("b"), "c.txt": "c" });
    const opened = await open(bytes);
    if (opened.kind !== "several") throw new Error("one");
    expect(opened.parts.map(({ key, name }) => [key, name])).toEqual([
      ["a.json", "a.json"],
      ["b.json", "b.json"],
    ]);
    expect(opened.notes).toMatchObject([{ code: "other_file", count: 1 }]);
    const part = opened.parts[1];
    if (part === undefined) throw new Error("no part");
    const second = await open(bytes, { part });
    if (second.kind !== "one") throw new Error("several");
    const { trajectory } = second.read(() => undefined);
    expect(turnsOf(trajectory)[0]?.items[0]).toMatchObject({ text: "done b", raw: [{ file: "b.json" }] });
  });

  it("gives the parts of a file inside it", async () => {
    const lines = `{"messages":${chat("a")}}\n{"messages":${chat("b")}}\n`;
    const bytes = await zip({ "x/rows.jsonl": lines, "y.json": chat("c") });
    const opened = await open(bytes);
    if (opened.kind !== "several") throw new Error("one");
    expect(opened.parts).toHaveLength(3);
    const read = await Promise.all(
      opened.parts.map(async (part) => {
        const one = await open(bytes, { part });
        if (one.kind !== "one") throw new Error("several");
        return turnsOf(one.read(() => undefined).trajectory)[0]?.items[0];
      }),
    );
    expect(read).toMatchObject([
      { text: "done a", raw: [{ file: "x/rows.jsonl" }] },
      { text: "done b", raw: [{ file: "x/rows.jsonl" }] },
      { text: "done c", raw: [{ file: "y.json" }] },
    ]);
    const spans = read.map((item) => item?.raw[0]);
    expect(lines.slice(spans[1]?.start ?? 0, spans[1]?.end ?? 0)).toContain("done b");
  });

  it("without a trace is refused with what its files are", async () => {
    expect(await failure(await zip({ "a.txt": "x", "b.txt": "y" }))).toMatchObject({
      code: "not_a_trace",
      message: expect.stringMatching(/none of the 2 files .* a\.txt/),
    });
    expect(await failure(await zip({ "a.json": '[{"role":"user","content":' }))).toMatchObject({
      code: "malformed",
      message: expect.stringMatching(/^a\.json: /),
    });
    expect(await failure(await zip({}))).toMatchObject({ code: "empty" });
  });

  it("that is a log of Inspect is named, not read as the chats that its samples hold", async () => {
    const bytes = await zip({
      "header.json": "{}",
      "samples/1_epoch_1.json": chat("a"),
      "samples/2_epoch_1.json": chat("b"),
    });
    expect(await failure(bytes)).toMatchObject({
      code: "unsupported_format",
      message: expect.stringMatching(/Inspect/),
    });
  });

  it("is read through gzip as well, and not through an archive in it", async () => {
    const gzipped = new Uint8Array(gzipSync(encode(chat("z"))));
    expect(turnsOf(ingest(await prepareSource({ name: "x", bytes: gzipped })).trajectory)).toHaveLength(1);
    const nested = await failure(await zip({ "inner.zip": await zip({ "a.json": chat("a") }) }));
    expect(nested).toBeInstanceOf(IngestError);
    expect(nested).toMatchObject({ message: expect.stringMatching(/inner\.zip: this is a zip archive/) });
  });
});
