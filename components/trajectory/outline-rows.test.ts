import { describe, expect, it } from "vitest";
import type { ContextRow } from "@/lib/views/run";
import type { Strip } from "@/lib/views/strip";
import { agentDepths, filterCounts, nextFlagged, outlineRows } from "./outline-rows";

const strip: Strip = {
  turns: 4,
  activity: "rwxm",
  size: "1234",
  write: ".wr.",
  test: "....",
  error: "..e.",
  suspicion: "0900",
  agent: "0010",
};
const context = (n: number, beforeTurn: number): ContextRow => ({
  n,
  beforeTurn,
  contextKind: "task",
  sizeChars: 10,
  title: `context ${n}`,
});
const short = (rows: ReturnType<typeof outlineRows>) =>
  rows.map((row) => (row.kind === "turn" ? `#${row.index}` : `c${row.context.n}`)).join(" ");

describe("the outline", () => {
  it("puts context before its turn, and at the end what comes after the last", () => {
    const contexts = [context(3, 4), context(0, 0), context(1, 0), context(2, 2)];
    expect(short(outlineRows(strip, contexts, "all", new Set()))).toBe("c0 c1 #0 #1 c2 #2 #3 c3");
  });

  it("filters and counts", () => {
    const flagged = new Set([1, 3]);
    expect(short(outlineRows(strip, [context(0, 0)], "flagged", flagged))).toBe("#1 #3");
    expect(short(outlineRows(strip, [], "writes", flagged))).toBe("#1 #2");
    expect(filterCounts(strip, flagged)).toEqual({ all: 4, flagged: 2, writes: 2 });
  });

  it("walks the flagged turns", () => {
    const flagged = new Set([5, 2, 9]);
    expect(nextFlagged(flagged, 2, 1)).toBe(5);
    expect(nextFlagged(flagged, 3, -1)).toBe(2);
    expect(nextFlagged(flagged, 9, 1)).toBeNull();
    expect(nextFlagged(new Set(), 0, 1)).toBeNull();
  });

  it("indents sub-agents by who started them, also when the trace goes in circles", () => {
    const agents = [
      { id: "main", startedByTurn: null },
      { id: "a", startedByTurn: 1 },
      { id: "b", startedByTurn: 5 },
      { id: "c", startedByTurn: 9 },
    ];
    const of = (turn: number) => (turn === 1 ? "main" : turn === 5 ? "a" : turn === 9 ? "c" : undefined);
    expect(Object.fromEntries(agentDepths(agents, of))).toEqual({ main: 0, a: 1, b: 2, c: 1 });
  });
});
