import { describe, expect, it } from "vitest";
import { packFolder, packLogs } from "./folder-archive";

const file = (path: string, text: string, lastModified: number) => ({
  path,
  file: new File([text], path.slice(path.lastIndexOf("/") + 1), { lastModified }),
});
const bytesOf = async (packed: File[]): Promise<Uint8Array> => new Uint8Array((await packed[0]?.arrayBuffer()) ?? []);

describe("a folder", () => {
  it("becomes one archive with its paths, the same for the same content in whatever order and of whatever age", async () => {
    const one = await packFolder("run", [file("run/b.json", "2", 1_000), file("run/a/a.json", "1", 2_000)]);
    const other = await packFolder("run", [file("run/a/a.json", "1", 9_000_000), file("run/b.json", "2", 8_000_000)]);
    expect(one.map(({ name }) => name)).toEqual(["run.zip"]);
    const bytes = await bytesOf(one);
    expect(bytes).toEqual(await bytesOf(other));
    const text = new TextDecoder("latin1").decode(bytes);
    expect(text.slice(0, 2)).toBe("PK");
    expect(text.indexOf("run/a/a.json")).toBeGreaterThan(0);
    expect(text.indexOf("run/a/a.json")).toBeLessThan(text.indexOf("run/b.json"));
  });

  it("with one file is that file", async () => {
    const only = file("run/a.json", "1", 0);
    expect(await packFolder("run", [only])).toEqual([only.file]);
    expect(await packFolder("run", [])).toEqual([]);
  });

  it("that is too large for one upload is sent file by file", async () => {
    const large = file("run/a.json", "1", 0);
    Object.defineProperty(large.file, "size", { value: 200 * 1024 * 1024 });
    const files = [large, { ...large, path: "run/b.json" }];
    expect(await packFolder("run", files)).toHaveLength(2);
  });
});

describe("files dropped together", () => {
  const named = (...names: string[]): File[] => names.map((name) => file(name, name, 0).file);

  it("stay as they are, but for a database and its write-ahead log, which become one archive", async () => {
    const [chat, database, log, index] = named("chat.json", "state.db", "state.db-wal", "state.db-shm");
    if (!chat || !database || !log || !index) throw new Error("no files");
    const packed = await packLogs([log, chat, index, database]);
    expect(packed.map(({ name }) => name)).toEqual(["chat.json", "state.db.zip"]);
    const text = new TextDecoder("latin1").decode(await bytesOf(packed.slice(1)));
    for (const name of ["state.db", "state.db-wal", "state.db-shm"]) expect(text).toContain(name);
    expect(await packLogs([chat, database, index])).toEqual([chat, database, index]);
    expect(await packLogs([log])).toEqual([log]);
  });

  it("stay alone where two have one name", async () => {
    const files = named("state.db", "state.db", "state.db-wal");
    expect(await packLogs(files)).toEqual(files);
  });
});
