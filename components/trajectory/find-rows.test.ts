import { describe, expect, it } from "vitest";
import type { FoundPlace } from "@/lib/views/find";
import { findRows, rowOfMatch, shortBefore } from "./find-rows";
import { countWords, progressWords, spokenWords } from "./find-words";

const match = (turn: number, offset: number) => ({ item: `t${turn}.0`, field: "text" as const, offset, length: 1 });
const place = (turn: number, count: number): FoundPlace => ({
  turn,
  context: null,
  count,
  first: Array.from({ length: Math.min(5, count) }, (_, i) => ({
    ...match(turn, i),
    before: "",
    words: "x",
    after: "",
  })),
  last: match(turn, count - 1),
});

describe("the rows of the list of matches", () => {
  const rows = findRows([place(1, 2), place(4, 7)]);

  it("are the head of each place, its first matches, and how many more it has", () => {
    expect(rows.map((row) => row.kind).join(" ")).toBe("place match match place match match match match match more");
    expect(rows.at(-1)).toMatchObject({ kind: "more", count: 2 });
  });

  it("hold the open match, or what stands for it", () => {
    expect(rowOfMatch(rows, { turn: 4, context: null }, match(4, 1))).toBe(5);
    expect(rowOfMatch(rows, { turn: 4, context: null }, match(4, 6))).toBe(9);
    expect(rowOfMatch(rows, { turn: 4, context: null }, null)).toBe(3);
    expect(rowOfMatch(rows, { turn: 4, context: 0 }, match(4, 1))).toBe(-1);
    expect(rowOfMatch(rows, { turn: 2, context: null }, null)).toBe(3);
    expect(rowOfMatch(rows, { turn: 5, context: null }, null)).toBe(-1);
  });

  it("keep a match in sight", () => {
    expect(shortBefore("    x = ")).toBe("x = ");
    expect(shortBefore(`${"a".repeat(40)}b`)).toBe(`…${"a".repeat(27)}b`);
    expect(shortBefore(`${"😀".repeat(20)}b`).isWellFormed()).toBe(true);
  });
});

describe("what is said about a search", () => {
  const found = { places: [], count: 340, turns: 57, searchedTurns: 400, totalTurns: 6_000, next: "400" };
  const progress = { status: "searching" as const, message: null, found };

  it("counts, and says how far it is", () => {
    expect(countWords(progress, 12)).toBe("12 of 340 in 57 turns");
    expect(countWords({ ...progress, found: { ...found, count: 1, turns: 1 } }, null)).toBe("1 in 1 turn");
    expect(progressWords(progress)).toBe("searched 400 of 6,000 turns");
    expect(progressWords({ ...progress, status: "stopped" })).toBe("stopped at 400 of 6,000 turns");
    expect(progressWords({ ...progress, status: "done" })).toBeNull();
  });

  it("says clearly that there is nothing", () => {
    const none = { ...found, count: 0, turns: 0 };
    expect(countWords({ ...progress, status: "done", found: none }, null)).toBe("Not found in 6,000 turns");
    expect(countWords({ ...progress, found: none }, null)).toBe("Searching");
    expect(countWords({ ...progress, status: "stopped", found: none }, null)).toBe("Nothing yet");
  });

  it("says aloud what has settled, and no running figures", () => {
    expect(spokenWords(null, null, null)).toBe("");
    expect(spokenWords(progress, null, null)).toBe("Searching");
    expect(spokenWords(progress, 12, 56)).toBe("Match, turn 57");
    expect(spokenWords({ ...progress, status: "done" }, 12, 56)).toBe("Match 12 of 340, turn 57");
    expect(spokenWords({ ...progress, status: "done" }, null, null)).toBe("340 in 57 turns");
    expect(spokenWords({ ...progress, status: "failed", message: "No answer." }, null, null)).toContain("No answer.");
  });
});
