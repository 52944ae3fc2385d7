import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { IngestError } from "@/lib/errors";
import { processorMs } from "@/lib/test-support/processor-time";
import { trajectorySchema, turnsOf } from "@/lib/trajectory/schema";
import { type Content, readContent } from "./content";
import { ADAPTERS, ingest, opinions } from "./ingest";
import { prepareSource } from "./prepare-source";
import type { Source } from "./source";
import { FIXTURES, fixtureName, fixturesOf, readFixture, readFixtureSource } from "./test-support/fixtures";
import { brokenIdentities, thingsOf } from "./test-support/identities";

/** A valid trajectory, or the error; anything else thrown fails the test. */
async function outcome(given: Source): Promise<"valid" | IngestError> {
  let found: "valid" | IngestError = "valid";
  const source = await prepareSource(given).catch(refusalOf);
  if (source instanceof IngestError) return source;
  const tookMs = processorMs(() => {
    try {
      const { trajectory } = ingest(source);
      trajectorySchema.parse(trajectory);
      expect(brokenIdentities(trajectory)).toEqual([]);
    } catch (error) {
      if (!(error instanceof IngestError)) throw error;
      found = error;
    }
  });
  expect(tookMs).toBeLessThan(2_000);
  return found;
}

function refusalOf(error: unknown): IngestError {
  if (!(error instanceof IngestError)) throw error;
  return error;
}

/** Reproducible pseudo-random numbers below `below` (Park and Miller's generator). */
function* numbers(below: number): Generator<number> {
  let seed = 20_260_101;
  for (;;) {
    seed = (seed * 48_271) % 2_147_483_647;
    yield seed % below;
  }
}

describe.each(ADAPTERS.map((adapter) => ({ id: adapter.id })))("what every adapter keeps: $id", ({ id }) => {
  const files = fixturesOf(id);

  it("has fixtures", () => {
    expect(files.length).toBeGreaterThan(0);
  });

  it.each(files.map((file) => ({ name: fixtureName(file), file })))("$name", async ({ file }) => {
    const source = await readFixtureSource(file);
    const first = ingest(source);

    const claims = opinions(readContent(source)).filter(({ score }) => score >= 0.5);
    expect(claims.map(({ adapter }) => adapter.id)).toEqual([id]);
    expect(ingest(await prepareSource({ name: "another name.txt", bytes: source.bytes }))).toEqual(first);
    expect(trajectorySchema.parse(JSON.parse(JSON.stringify(first.trajectory)))).toEqual(first.trajectory);
    checkIdentities(first.trajectory, source);
    const shown = `${JSON.stringify(first, null, 1)}\n`;
    await expect(shown).toMatchFileSnapshot(`${file}.expected.json`);
  });

  it.each(files.map((file) => ({ name: fixtureName(file), file })))(
    "U9: $name, cut at 200 places and with 200 bits turned",
    { timeout: 60_000 },
    async ({ file }) => {
      const { bytes, inside } = await readFixtureSource(file);
      // The last bytes are the closing bracket and the line feed behind it, which may go.
      const random = numbers(bytes.length - 2);
      let cuts = 0;
      for (let n = 0; n < 200; n++) {
        const at = random.next().value;
        const result = await outcome({ name: file, bytes: bytes.subarray(0, at) });
        if (result !== "valid") cuts++;
        const changed = bytes.slice();
        const place = random.next().value;
        changed[place] = (changed[place] ?? 0) ^ (1 << (n % 8));
        await outcome({ name: file, bytes: changed });
      }
      // Cutting one JSON document must be noticed every time; cutting lines loses lines only.
      if (!inside && readContent({ name: file, bytes }).kind === "document") expect(cuts).toBe(200);
    },
  );

  it.each(files.map((file) => ({ name: fixtureName(file), file })))("$name, progress", async ({ file }) => {
    const source = await readFixtureSource(file);
    const seen: [number, number][] = [];
    const { trajectory } = ingest(source, (bytesDone, turnsDone) => seen.push([bytesDone, turnsDone]));
    expect(seen.at(-1)).toEqual([source.bytes.length, turnsOf(trajectory).length]);
    expect(seen).toEqual(seen.toSorted(([a], [b]) => a - b));
    const stop = new Error("cancelled");
    const cancelled = (): unknown =>
      ingest(source, () => {
        throw stop;
      });
    expect(cancelled).toThrow(stop);
  });
});

/** Identifiers and references hold, and raw spans lie inside the upload; those of JSON hold values of it. */
function checkIdentities(trajectory: ReturnType<typeof ingest>["trajectory"], source: Source): void {
  expect(brokenIdentities(trajectory)).toEqual([]);
  const content = readContent(source);
  const isText = content.kind === "text";
  for (const span of thingsOf(trajectory).flatMap((thing) => thing.raw)) {
    const bytes = bytesOfSpan(content, span.file);
    if (span.start === null || span.end === null) continue;
    expect(span.start).toBeLessThan(span.end);
    expect(span.end).toBeLessThanOrEqual(bytes.length);
    if (isText) continue;
    const text = new TextDecoder().decode(bytes.subarray(span.start, span.end));
    if (span.line !== null) expect(text).not.toContain("\n");
    else if (span.pointer !== null && span.pointer !== "/info/submission") expect(() => JSON.parse(text)).not.toThrow();
  }
}

/** The bytes that a span counts in: those of the upload, or of the file of an archive; a row of a database has none. */
function bytesOfSpan(content: Content, file: string | undefined): Uint8Array {
  if (content.kind === "database") {
    const [table = "", row] = file?.split("/") ?? [];
    expect(content.database.rowCount(table)).toBeGreaterThanOrEqual(Number(row ?? 0));
    return new Uint8Array();
  }
  if (content.kind !== "files") return content.source.bytes;
  const held = content.files.find(({ path }) => path === file);
  expect(held?.path).toBe(file);
  return held?.bytes ?? new Uint8Array();
}

describe("files that are refused", () => {
  const expected: Record<string, [IngestError["code"], RegExp]> = {
    "empty.jsonl": ["empty", /empty/],
    "iflow.jsonl": ["unsupported_format", /iFlow/],
    "lfs-pointer.traj": ["unsupported_format", /git lfs pull/],
    "numbers.json": ["not_a_trace", /nothing in this file/],
    "prose.txt": ["not_a_trace", /nothing in this file/],
    "qwen.jsonl": ["unsupported_format", /Qwen/],
    "stream-json.jsonl": ["unsupported_format", /stream-json/],
    "truncated.traj": ["malformed", /ends inside a string .* in element \d+ of "trajectory" \(line \d+, byte 1400\)/],
  };

  it("has one expectation for each file", () => {
    expect(fixturesOf("invalid").map((file) => file.split("/").pop())).toEqual(Object.keys(expected));
  });

  it.each(Object.entries(expected))("%s", async (name, [code, message]) => {
    const result = await outcome({ name, bytes: readFixture(join(FIXTURES, "invalid", name)) });
    expect(result).toMatchObject({ code, message: expect.stringMatching(message) });
  });

  it.each([
    ["Parquet", [0x50, 0x41, 0x52, 0x31], /Parquet/],
    ["UTF-16", [0xff, 0xfe, 0x7b, 0], /UTF-16/],
  ])("names what it is: %s", async (_, bytes, message) => {
    const result = await outcome({ name: "x.traj", bytes: Uint8Array.from(bytes) });
    expect(result).toMatchObject({ code: "unsupported_format", message: expect.stringMatching(message) });
  });

  it.each([
    ["zip", [0x50, 0x4b, 3, 4], /archive/],
    ["gzip", [0x1f, 0x8b, 8], /damaged/],
    ["SQLite", [...new TextEncoder().encode("SQLite format 3\u0000")], /SQLite database is damaged/],
  ])("opens what it is, and says that it is damaged: %s", async (_, bytes, message) => {
    const result = await outcome({ name: "x.traj", bytes: Uint8Array.from(bytes) });
    expect(result).toMatchObject({ code: "malformed", message: expect.stringMatching(message) });
  });

  it("is not fooled by the name", async () => {
    const bytes = new TextEncoder().encode('{"a":1}');
    expect(await outcome({ name: "run.traj", bytes })).toMatchObject({ code: "not_a_trace" });
    expect(await outcome({ name: "session.jsonl", bytes: new Uint8Array() })).toMatchObject({ code: "empty" });
  });
});
