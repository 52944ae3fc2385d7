import { describe, expect, it } from "vitest";
import type { RawSpan, Trajectory } from "@/lib/trajectory/schema";
import { type Content, readContent } from "./content";
import { ADAPTERS, ingest } from "./ingest";
import type { HeldDatabase } from "./source";
import { FIXTURES, fixtureName, fixturesOf, readFixtureSource } from "./test-support/fixtures";
import { accountBytes, accountRows, noteUnread } from "./unread";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** The smallest trajectory that holds these spans. */
function holding(turn: RawSpan[], context: RawSpan[] = [], noted: RawSpan[] = []): Trajectory {
  const { trajectory } = ingest({
    name: "x",
    bytes: encode('[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]'),
  });
  for (const entry of trajectory.entries) {
    if (entry.kind === "context") entry.raw = context;
    else for (const item of entry.items) item.raw = turn;
  }
  trajectory.notes = [{ code: "x", level: "information", message: "", count: 1, positions: noted }];
  return trajectory;
}

const span = (start: number, end: number): RawSpan => ({ line: null, pointer: null, start, end });

describe("where the bytes went", () => {
  it("gives a byte to the turn that holds it before anything else", () => {
    const bytes = encode("aaaabbbbcccc");
    const found = accountBytes(bytes, holding([span(0, 4)], [span(2, 8)], [span(6, 12)]));
    expect(found).toMatchObject({ turnBytes: 4, contextBytes: 4, notedBytes: 4, structureBytes: 0, unread: [] });
  });

  it("calls blanks, brackets and keys structure, and a value between them unread", () => {
    const bytes = encode('{"messages": [ xx ],\n "seed": 4}');
    const at = bytes.indexOf(0x78);
    const found = accountBytes(bytes, holding([span(at, at + 2)]));
    expect(found.unread.map(({ start, end }) => new TextDecoder().decode(bytes.subarray(start, end)))).toEqual([
      '],\n "seed": 4}',
    ]);
    const kept = accountBytes(bytes, holding([span(at, at + 2)], [span(bytes.indexOf(0x34), bytes.length)]));
    expect(kept.unread).toEqual([]);
  });

  it("counts only the spans of the file it is asked about", () => {
    const bytes = encode("aaaabbbb");
    const trajectory = holding([{ ...span(0, 8), file: "one" }]);
    expect(accountBytes(bytes, trajectory, "one").turnBytes).toBe(8);
    expect(accountBytes(bytes, trajectory, "two").unread).toEqual([{ start: 0, end: 8 }]);
  });
});

describe("what nobody holds", () => {
  it("becomes a note that counts all of it and places the first twenty", () => {
    const bytes = encode(Array.from({ length: 25 }, (_, n) => `{"role":"user","content":"${n}"}\n`).join(""));
    const trajectory = holding(
      [],
      [],
      Array.from({ length: 24 }, (_, n) => bytes.indexOf(0x0a, n * 30)).map((at) => span(at, at + 1)),
    );
    noteUnread(readContent({ name: "x", bytes }), trajectory);
    const note = trajectory.notes.find(({ code }) => code === "not_read");
    expect(note).toMatchObject({
      level: "not_understood",
      positions: expect.arrayContaining([expect.objectContaining({ line: 1, start: 0 })]),
    });
    expect(note?.count).toBeGreaterThan(20);
    expect(note?.positions).toHaveLength(20);
  });
});

describe("where the rows of a database went", () => {
  const table = (rows: number): HeldDatabase => ({
    tables: ["t", "u"],
    log: "none",
    rowCount: (name) => (name === "t" ? rows : 3),
    rows: () => [],
  });
  const row = (file: string): RawSpan => ({ line: null, pointer: null, start: null, end: null, file });

  it("is told once for each, and a note about a table holds all of its rows", () => {
    const trajectory = holding([row("t/1"), row("t/1")], [row("t/2"), row("t/1")], [row("t/2"), row("t/3"), row("u")]);
    const found = accountRows(table(4), trajectory);
    expect(found).toEqual({ rows: 7, turnRows: 1, contextRows: 1, notedRows: 4, unread: ["t/4"] });
    expect(accountRows(table(3), trajectory).unread).toEqual([]);
  });

  it("is a note for those that nobody holds, which counts them all and places the first twenty", () => {
    const trajectory = holding([row("t/1")]);
    const source = { name: "x", bytes: new Uint8Array(), inside: { kind: "database" as const, database: table(30) } };
    noteUnread(readContent(source), trajectory);
    const note = trajectory.notes.find(({ code }) => code === "not_read");
    expect(note).toMatchObject({ level: "not_understood", count: 32 });
    expect(note?.positions).toHaveLength(20);
    expect(note?.positions[0]).toMatchObject({ file: "t/2", start: null });
  });
});

const files = ADAPTERS.flatMap(({ id }) => fixturesOf(id)).filter((file) => file.startsWith(FIXTURES));

describe("the sum over a fixture is its size, and nothing is unread", () => {
  it.each(files.map((file) => ({ name: fixtureName(file), file })))("$name", async ({ file }) => {
    const source = await readFixtureSource(file);
    const content = readContent(source);
    const { trajectory } = ingest(source);
    // The note about what is unread has places too.
    expect(trajectory.notes.filter((note) => note.code === "not_read")).toEqual([]);
    for (const { path, bytes } of filesIn(content)) {
      const { turnBytes, contextBytes, notedBytes, structureBytes, unreadBytes } = accountBytes(
        bytes,
        trajectory,
        path,
      );
      expect(unreadBytes).toBe(0);
      expect(turnBytes + contextBytes + notedBytes + structureBytes).toBe(bytes.length);
    }
    if (content.kind !== "database") return;
    const { rows, turnRows, contextRows, notedRows, unread } = accountRows(content.database, trajectory);
    expect(unread).toEqual([]);
    expect(turnRows + contextRows + notedRows).toBe(rows);
  });
});

function filesIn(content: Content): { path: string | undefined; bytes: Uint8Array }[] {
  if (content.kind === "database") return [];
  return content.kind === "files" ? content.files : [{ path: undefined, bytes: content.source.bytes }];
}
