import { describe, expect, it } from "vitest";
import type { KnownContent } from "@/lib/artefact/model";
import { jsonBytes } from "./answer-size";
import { clipBlame, firstDifference, SIDE_MAX_BYTES, sideOf } from "./code-side";
import type { VersionRow } from "./file-versions";

const version: VersionRow = { n: 3, turn: 1, itemId: "t1.0", operation: "edit", certainty: "replayed", note: null };
const whole = (text: string): KnownContent => ({ kind: "whole", text });
const partial = (ranges: { startLine: number; lines: string[] }[], totalLines: number | null): KnownContent => ({
  kind: "partial",
  ranges,
  totalLines,
});

describe("sideOf", () => {
  it("gives a whole file as one range", () => {
    expect(sideOf(version, whole("a\nb"), null)).toEqual({
      version: 3,
      kind: "whole",
      certainty: "replayed",
      ranges: [{ startLine: 1, text: "a\nb" }],
      totalLines: 2,
      omittedChars: 0,
      note: null,
    });
  });

  it("keeps gaps as gaps", () => {
    const side = sideOf(
      version,
      partial(
        [
          { startLine: 2, lines: ["b\n"] },
          { startLine: 9, lines: ["i\n", "j\n"] },
        ],
        40,
      ),
      null,
    );
    expect(side.ranges).toEqual([
      { startLine: 2, text: "b\n" },
      { startLine: 9, text: "i\nj\n" },
    ]);
    expect(side.totalLines).toBe(40);
  });

  it("says nothing about a file that is absent or unknown", () => {
    expect(sideOf(null, { kind: "absent" }, null)).toMatchObject({ kind: "absent", ranges: [], version: null });
    expect(sideOf(null, { kind: "unknown" }, null)).toMatchObject({ kind: "unknown", ranges: [], totalLines: null });
  });

  it("shows a long file from a little above the change on, and counts the rest", () => {
    const text = Array.from({ length: 40_000 }, (_, i) => `line number ${i + 1}\n`).join("");
    const side = sideOf(version, whole(text), 30_000);
    const shown = side.ranges[0];
    expect(shown?.startLine).toBe(29_800);
    expect(jsonBytes(shown?.text)).toBeLessThanOrEqual(SIDE_MAX_BYTES + 10);
    expect(side.omittedChars).toBe(text.length - (shown?.text.length ?? 0));
    expect(side.totalLines).toBe(40_000);
  });

  it("cuts a single line that is longer than an answer may be", () => {
    const side = sideOf(version, whole(`${"\u0001".repeat(10_000_000)}\nrest`), 1);
    expect(jsonBytes(side)).toBeLessThan(SIDE_MAX_BYTES + 1_000);
    expect(side.omittedChars + (side.ranges[0]?.text.length ?? 0)).toBe(10_000_005);
  });
});

describe("firstDifference", () => {
  it.each([
    ["a changed line", whole("a\nb\nc\n"), whole("a\nB\nc\n"), 2],
    ["an appended line", whole("a\n"), whole("a\nb\n"), 2],
    ["a removed end", whole("a\nb\nc\n"), whole("a\nb\n"), 2],
    ["a new file", { kind: "absent" } as const, whole("a\n"), 1],
    ["a deleted file", whole("a\n"), { kind: "absent" } as const, null],
    ["no change", whole("a\n"), whole("a\n"), null],
    ["something unknown", { kind: "unknown" } as const, whole("a\n"), null],
    [
      "known lines only",
      partial([{ startLine: 5, lines: ["e\n", "f\n"] }], null),
      partial(
        [
          { startLine: 1, lines: ["x\n"] },
          { startLine: 5, lines: ["e\n", "F\n"] },
        ],
        null,
      ),
      6,
    ],
  ])("finds %s", (_what, left, right, line) => {
    expect(firstDifference(left, right)).toBe(line);
  });
});

describe("clipBlame", () => {
  it("keeps the runs of the lines that are shown", () => {
    const side = sideOf(version, partial([{ startLine: 4, lines: ["d\n", "e\n"] }], null), null);
    const runs = [
      { startLine: 1, lineCount: 4, turn: null, uncertain: false },
      { startLine: 5, lineCount: 9, turn: 2, uncertain: false },
    ];
    expect(clipBlame(runs, side)).toEqual([
      { startLine: 4, lineCount: 1, turn: null, uncertain: false },
      { startLine: 5, lineCount: 1, turn: 2, uncertain: false },
    ]);
  });
});
