import { describe, expect, it } from "vitest";
import {
  failureWords,
  formatBytes,
  formatLimit,
  importShare,
  importWords,
  partsWords,
  placeWords,
  splitName,
  timeAgo,
} from "./cell-text";

describe("splitName", () => {
  it.each([
    ["run.traj", "run", ".traj"],
    ["run.traj.json", "run", ".traj.json"],
    ["Session.JSONL", "Session", ".JSONL"],
    ["no ending", "no ending", ""],
    [".traj", ".traj", ""],
    ["a.b.unknown", "a.b.unknown", ""],
  ])("%s", (name, stem, ending) => expect(splitName(name)).toEqual({ stem, ending }));
});

describe("sizes", () => {
  it.each([
    [0, "0 B"],
    [999, "999 B"],
    [1_000, "1.0 kB"],
    [999_949, "999.9 kB"],
    [999_950, "1.0 MB"],
    [38_000_000, "38.0 MB"],
    [256 * 1024 * 1024, "268.4 MB"],
  ])("%d bytes", (bytes, words) => expect(formatBytes(bytes)).toBe(words));

  it("names a limit as it was set", () => expect(formatLimit(256 * 1024 * 1024)).toBe("256 MiB"));
});

describe("timeAgo", () => {
  const now = new Date(2026, 10, 30, 13, 0, 0).getTime();
  const at = (...parts: [number, number, number, number, number]) => new Date(...parts).toISOString();
  it.each([
    [at(2026, 10, 30, 12, 59), "1 min"],
    [new Date(now - 59_000).toISOString(), "now"],
    [new Date(now + 5_000).toISOString(), "now"],
    [at(2026, 10, 30, 12, 1), "59 min"],
    [at(2026, 10, 30, 12, 0), "1 h"],
    [at(2026, 10, 30, 0, 0), "13 h"],
    [at(2026, 10, 29, 23, 59), "Yesterday"],
    [at(2026, 10, 29, 0, 0), "Yesterday"],
    [at(2026, 10, 28, 23, 59), "28 Nov"],
    [at(2025, 10, 28, 12, 0), "28 Nov 2025"],
    ["not a date", "–"],
  ])("%s is %s", (iso, words) => expect(timeAgo(iso, now)).toBe(words));
});

describe("placeWords", () => {
  it("says what is known", () => {
    expect(placeWords({ line: 18_204, byte: 41_120_338, pointer: null })).toBe("Line 18,204, byte 41,120,338");
    expect(placeWords({ line: null, byte: null, pointer: "/trajectory/3" })).toBe("At /trajectory/3");
    expect(placeWords({ line: null, byte: null, pointer: null })).toBe("");
    expect(placeWords({ line: null, byte: 0, pointer: null })).toBe("Byte 0");
  });
});

describe("failureWords", () => {
  const at = { line: 18_204, byte: 700, pointer: null };
  const nowhere = { line: null, byte: null, pointer: null };
  const again = "A copy that was cut off or edited looks like this: copy the whole file again, and upload that.";
  it.each([
    [null, "The import stopped without a reason."],
    [{ code: "malformed", message: "the JSON ends.", at }, `Line 18,204, byte 700: the JSON ends. ${again}`],
    [
      { code: "malformed", message: "the JSON ends (line 18204, byte 700)", at },
      `Line 18,204, byte 700: the JSON ends. ${again}`,
    ],
    [
      { code: "malformed", message: "the JSON ends (see above)", at },
      `Line 18,204, byte 700: the JSON ends (see above). ${again}`,
    ],
    [{ code: "internal", message: "the reason says all", at: nowhere }, "The reason says all"],
    [{ code: "constructor", message: "odd", at: nowhere }, "Odd"],
  ])("%j", (failure, words) => expect(failureWords(failure)).toBe(words));
});

describe("importShare", () => {
  it("is unknown while the end is", () => {
    expect(importShare(null)).toBeNull();
    expect(importShare({ phase: "reading", done: 5, total: 0, turns: 0 })).toBeNull();
    expect(importShare({ phase: "reading", done: 5, total: 20, turns: 0 })).toBe(0.25);
    expect(importShare({ phase: "reading", done: 25, total: 20, turns: 0 })).toBe(1);
    expect(importShare({ phase: "storing", done: 0, total: 1, turns: 9 })).toBeNull();
  });
});

describe("importWords", () => {
  it.each([
    [null, "starting"],
    [{ phase: "reading", done: 0, total: 0, turns: 0 }, "reading"],
    [
      { phase: "reading", done: 38_000_000, total: 88_400_000, turns: 2_612 },
      "38.0 MB of 88.4 MB read, 2,612 turns so far",
    ],
    [{ phase: "judging", done: 0, total: 1, turns: 1 }, "looking for the decisive error, 1 turn"],
    [{ phase: "a new phase", done: 0, total: 1, turns: 0 }, "a new phase"],
  ])("%j", (progress, words) => expect(importWords(progress)).toBe(words));
});

describe("partsWords", () => {
  it.each([
    [{ total: 45, ready: 12, failed: 1, waiting: 32 }, "12 of 45 imported, 1 failed"],
    [{ total: 1_133, ready: 0, failed: 0, waiting: 1_133 }, "0 of 1,133 imported"],
    [{ total: 45, ready: 44, failed: 1, waiting: 0 }, "44 imported, 1 failed"],
    [{ total: 45, ready: 45, failed: 0, waiting: 0 }, "45 imported"],
    [{ total: 2, ready: 0, failed: 2, waiting: 0 }, "2 failed"],
  ])("%j", (parts, words) => expect(partsWords(parts)).toBe(words));
});
