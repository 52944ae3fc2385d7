import { describe, expect, it } from "vitest";
import { turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest, openUpload } from "./ingest";
import { prepareSource } from "./prepare-source";
import { type CheckpointRow, checkpointStatements, message } from "./test-support/checkpoint-databases";
import { tarOf, zipOf } from "./test-support/packed";
import { databaseOf, databaseWithLog, type LoggedDatabase } from "./test-support/test-database";

const checkpoint = (id: string, thread: string, ...texts: string[]): CheckpointRow => ({
  thread,
  id,
  step: Number(id),
  values: { messages: texts.map((content, n) => message("ai", { id: `m${n}`, content })) },
});

/** A checkpointer's database of which the last checkpoint stands in the log only. */
function used(thread = "one"): Promise<LoggedDatabase> {
  const [first, second] = [checkpoint("1", thread, "First."), checkpoint("2", thread, "First.", "Second.")];
  const [tables, inserts] = [checkpointStatements([], []), checkpointStatements([first], []).slice(-1)];
  const last = checkpointStatements([second], []).slice(-1);
  return databaseWithLog(...tables, ...inserts, "PRAGMA wal_checkpoint", ...last);
}

const read = async (bytes: Uint8Array, more = {}): Promise<Ingested> =>
  ingest(await prepareSource({ name: "x", bytes, ...more }));
const said = ({ trajectory }: Ingested): string[] =>
  turnsOf(trajectory).flatMap(({ items }) => items.map((item) => (item.kind === "call" ? item.tool : item.text)));
const noted = ({ trajectory }: Ingested, code: string) => trajectory.notes.find((note) => note.code === code);

describe("a checkpointer's database in an archive or a folder", () => {
  it.each([
    ["zip", zipOf],
    ["tar", tarOf],
  ])("is read with the write-ahead log beside it (%s), with the places of its rows", async (_, pack) => {
    const { file, log } = await used();
    const files = { "run/state.db": file, "run/state.db-wal": log, "run/state.db-shm": new Uint8Array(32_768) };
    const found = await read(await pack(files));
    expect(said(found)).toEqual(["First.", "Second."]);
    expect(noted(found, "write_ahead_log")).toMatchObject({ level: "information", count: 1 });
    expect(noted(found, "not_read")).toBeUndefined();
    const [item] = turnsOf(found.trajectory)[1]?.items ?? [];
    expect(item?.raw[0]?.file).toBe("run/state.db/checkpoints/2");
    // The index of the log, which is no trace, is the only other file.
    expect(noted(found, "other_file")?.positions.map(({ file: path }) => path)).toEqual(["run/state.db-shm"]);
  });

  it("is not read with a log of another name, and says what is missing", async () => {
    const { file, log } = await used();
    const found = await read(await zipOf({ "a/state.db": file, "b/state.db-wal": log, "a/other.db-wal": log }));
    expect(said(found)).toEqual(["First."]);
    expect(noted(found, "write_ahead_log")).toMatchObject({ message: expect.stringMatching(/Dropped together/) });
    expect(noted(found, "other_file")).toMatchObject({ count: 2 });
  });

  it("has its own log where there are several, also when it is read as a part", async () => {
    const [one, two] = [await used("one"), await used("two")];
    const bytes = await zipOf({
      "one.db": one.file,
      "one.db-wal": one.log,
      "two.db": two.file,
      "two.db-wal": two.log,
    });
    const opened = openUpload(await prepareSource({ name: "x", bytes }));
    if (opened.kind !== "several") throw new Error("one trajectory");
    expect(opened.parts.map(({ key }) => key)).toEqual(["one.db", "two.db"]);
    expect(opened.notes).toEqual([]);
    for (const part of opened.parts) expect(said(await read(bytes, { part }))).toEqual(["First.", "Second."]);
  });

  it("with a file that only has the name of a log is read alone, and the file is counted", async () => {
    const { file } = await used();
    const found = await read(await zipOf({ "state.db": file, "state.db-wal": "notes" }));
    expect(said(found)).toEqual(["First."]);
    expect(noted(found, "other_file")).toMatchObject({ count: 1, positions: [{ file: "state.db-wal" }] });
  });

  it("says that a log is damaged which is", async () => {
    const { file, log } = await used();
    log[16] = (log[16] ?? 0) ^ 1;
    const found = await read(await zipOf({ "state.db": file, "state.db-wal": log }));
    expect(said(found)).toEqual(["First."]);
    expect(noted(found, "write_ahead_log")).toMatchObject({ level: "not_understood" });
  });
});

describe("a file alone", () => {
  it("that is a database used with a log is read, and says what is missing", async () => {
    const found = await read((await used()).file);
    expect(said(found)).toEqual(["First."]);
    expect(noted(found, "write_ahead_log")).toMatchObject({ level: "information", count: 1 });
  });

  it("that is a database without a log says nothing about one", async () => {
    const statements = checkpointStatements([checkpoint("1", "one", "First.")], []);
    expect(noted(await read(await databaseOf(...statements)), "write_ahead_log")).toBeUndefined();
  });

  it("that is a log is refused, and says with what to drop it; so is an archive with nothing else", async () => {
    const { log } = await used();
    const refusal = {
      code: "unsupported_format",
      message: expect.stringMatching(/write-ahead log .* drop it together with its database/),
    };
    await expect(read(log)).rejects.toMatchObject(refusal);
    await expect(read(await zipOf({ "state.db-wal": log }))).rejects.toMatchObject(refusal);
  });
});
