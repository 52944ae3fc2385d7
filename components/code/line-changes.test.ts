import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Side } from "@/lib/views/code";
import { linesOf } from "./code-rows";
import { lineChanges } from "./line-changes";

const side = (kind: Side["kind"], ranges: Side["ranges"], more: Partial<Side> = {}): Side => ({
  version: 1,
  kind,
  certainty: null,
  ranges,
  totalLines: null,
  omittedChars: 0,
  note: null,
  ...more,
});
const whole = (text: string) => side("whole", [{ startLine: 1, text }]);
const partial = (...ranges: [number, string][]) =>
  side(
    "partial",
    ranges.map(([startLine, text]) => ({ startLine, text })),
  );

describe("changes between two sides", () => {
  it("are what was added and what is gone, with the line numbers of their sides", () => {
    const changes = lineChanges(whole("a\nb\nc\n"), whole("a\nB\nB2\nc\n"));
    expect([...(changes?.added ?? [])]).toEqual([2, 3]);
    expect([...(changes?.removed ?? [])].map(([at, gone]) => [at, gone.map((each) => each.no)])).toEqual([[2, [2]]]);
  });

  it("rebuild the right side from the left one", () => {
    const text = fc
      .array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 })
      .map((lines) => lines.map((each) => `${each}\n`).join(""));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const changes = lineChanges(whole(before), whole(after));
        if (changes === null) throw new Error("whole files can always be compared");
        const kept = linesOf(after).filter((_, i) => !changes.added.has(i + 1));
        const gone = new Set([...changes.removed.values()].flat().map((each) => each.no));
        expect(kept).toEqual(linesOf(before).filter((_, i) => !gone.has(i + 1)));
      }),
    );
  });

  it("compare parts only where both sides know the same parts", () => {
    const before = partial([5, "a\nb\n"], [20, "x\n"]);
    const changes = lineChanges(before, partial([5, "a\nnew\nb\n"], [21, "y\n"]));
    expect([...(changes?.added ?? [])]).toEqual([6, 21]);
    expect(changes?.removed.get(21)).toEqual([{ no: 20, text: "x" }]);
    expect(lineChanges(before, partial([5, "a\nb\n"]))).toBeNull();
    expect(lineChanges(before, partial([5, "a\nb\n"], [22, "x\n"]))).toBeNull();
    expect(lineChanges(side("unknown", []), whole("a"))).toBeNull();
    expect(lineChanges(whole("a"), whole("b"))?.added.size).toBe(1);
  });

  it("give up on sizes that would make a page wait", () => {
    const long = (letter: string) => whole(Array.from({ length: 3_500 }, (_, i) => `${letter}${i}`).join("\n"));
    expect(lineChanges(long("a"), long("b"))).toBeNull();
    expect(lineChanges({ ...whole("a"), omittedChars: 4 }, whole("b"))).toBeNull();
  });
});
