import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RawSpan, Trajectory } from "@/lib/trajectory/schema";
import { type Ingested, openUpload } from "./ingest";

const fixture = (name: string): string =>
  readFileSync(join(import.meta.dirname, "formats", "fixtures", name), "utf8").trim();
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Every part of an upload, read from its own bytes. */
function readParts(bytes: Uint8Array): Ingested[] {
  const opened = openUpload({ name: "x", bytes });
  if (opened.kind === "one") throw new Error("one trajectory");
  return opened.parts.map((part) => {
    const one = openUpload({ name: "x", bytes: bytes.subarray(part.range?.start, part.range?.end), part });
    if (one.kind === "several") throw new Error("several trajectories in a part");
    return one.read(() => undefined);
  });
}

function spansOf({ entries, notes }: Trajectory): RawSpan[] {
  const inEntries = entries.flatMap((one) => (one.kind === "turn" ? one.items.flatMap(({ raw }) => raw) : one.raw));
  return [...inEntries, ...notes.flatMap(({ positions }) => positions)];
}

describe("a part of a file of lines", () => {
  // A value that no item of the conversation holds is a repair to be noted.
  const row = fixture("openhands/v0/evaluation-pairs.jsonl").replace("{", '{"odd": NaN, ');
  const bytes = bytesOf(`\n${row}\n\n${row}\n`);
  const [first, second] = readParts(bytes);

  it("says for everything in it, and for what is noted, the line in the upload", () => {
    expect(new Set(spansOf(first?.trajectory ?? empty()).map(({ line }) => line))).toEqual(new Set([2]));
    expect(new Set(spansOf(second?.trajectory ?? empty()).map(({ line }) => line))).toEqual(new Set([4]));
    const repaired = second?.trajectory.notes.find(({ code }) => code === "non_finite_number");
    expect(repaired?.positions).toEqual([expect.objectContaining({ line: 4 })]);
  });

  it("keeps the pointer in the line, and the bytes of the upload", () => {
    const span = spansOf(second?.trajectory ?? empty()).find(({ pointer }) => pointer?.startsWith("/history/1"));
    const text = new TextDecoder().decode(bytes.subarray(span?.start ?? 0, span?.end ?? 0));
    expect(JSON.stringify(JSON.parse(row.replace("NaN", "0")).history[1])).toContain(
      JSON.stringify(JSON.parse(text)).slice(1, -1),
    );
  });

  it("says at which line and pointer its failure stands", () => {
    const places = second?.failure.foundAt?.map(({ where }) => where) ?? [];
    expect(places.length).toBeGreaterThan(0);
    for (const where of places) expect(where).toMatch(/^line 4, \/\w+/);
  });
});

describe("a part of a list", () => {
  const row = fixture("message-rows/swe-rebench/row.json");
  const [, second] = readParts(bytesOf(`[${row},\n${row}]`));

  it("is placed by its pointer, which is told without a line, as is where its failure stands", () => {
    const spans = spansOf(second?.trajectory ?? empty());
    expect(spans.filter(({ pointer }) => pointer?.startsWith("/1"))).toHaveLength(spans.length);
    expect(new Set(spans.map(({ line }) => line))).toEqual(new Set([null]));
    for (const { where } of second?.failure.foundAt ?? []) expect(where).toMatch(/^\/1\/\w+/);
    expect(second?.failure.foundAt?.length).toBeGreaterThan(0);
  });
});

describe("a document of one line that is no part", () => {
  it("has no line", () => {
    const opened = openUpload({ name: "x", bytes: bytesOf(fixture("openhands/v0/evaluation-pairs.jsonl")) });
    if (opened.kind === "several") throw new Error("several");
    const { trajectory, failure } = opened.read(() => undefined);
    expect(spansOf(trajectory).every(({ line }) => line === null)).toBe(true);
    for (const { where } of failure.foundAt ?? []) expect(where).toMatch(/^\//);
  });
});

function empty(): never {
  throw new Error("there is no such part");
}
