import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CodeView, Side } from "@/lib/views/code";
import { linesOf } from "./code-rows";
import { blamedChanges, changesOf, lineChanges } from "./line-changes";

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

describe("changes where the answer to an edit shows more of the file", () => {
  const view = (more: Partial<CodeView>): CodeView => ({
    file: 0,
    path: "/work/a.py",
    display: "a.py",
    turn: 6,
    from: "before",
    to: "after",
    before: side("unknown", []),
    after: side("unknown", []),
    blame: [],
    fragments: [],
    language: "python",
    versions: [],
    firstChangedLine: null,
    omitted: { blame: 0, fragments: 0, versions: 0 },
    ...more,
  });
  const before = partial([6, "six\nseven\neight\n"]);
  const after = partial([3, "three\nfour\nfive\nsix\nSEVEN\neight\nnine\n"]);
  const by = (startLine: number, lineCount: number, turn: number | null, uncertain = false) => ({
    startLine,
    lineCount,
    turn,
    uncertain,
  });

  it("marks what was written and what is gone, and nothing that is merely known now", () => {
    const changes = changesOf(view({ before, after, blame: [by(3, 4, null), by(7, 1, 6), by(8, 2, null)] }));
    expect([...(changes?.added ?? [])]).toEqual([7]);
    expect([...(changes?.removed ?? [])]).toEqual([[7, [{ no: 7, text: "seven" }]]]);
  });

  it("takes lines of earlier turns and of nobody for old, and compares nothing without all of the blame", () => {
    const blame = [by(3, 1, 2), by(4, 1, 7, true), by(7, 1, 6)];
    expect([...(changesOf(view({ before, after, blame }))?.added ?? [])]).toEqual([7]);
    expect([...(changesOf(view({ before, after, blame, from: "baseline" }))?.added ?? [])]).toEqual([3, 7]);
    expect(changesOf(view({ before, after, blame, omitted: { blame: 1, fragments: 0, versions: 0 } }))).toBeNull();
    expect(changesOf(view({ before: partial([6, "six\n"], [40, "forty\n"]), after, blame }))).toBeNull();
  });

  it("finds any edit of a partly known file, whatever else its answer shows", () => {
    const runs = fc.uniqueArray(fc.nat(59), { minLength: 1, maxLength: 40 });
    const edit = fc.record({
      at: fc.nat(),
      remove: fc.nat(4),
      insert: fc.integer({ min: 0, max: 4 }),
      seen: fc.nat(4),
    });
    fc.assert(
      fc.property(runs, edit, (known, { at, remove, insert, seen }) => {
        const sorted = [...known].sort((a, b) => a - b);
        const first = sorted[at % sorted.length] ?? 0;
        let last = first;
        while (last - first < remove && sorted.includes(last)) last += 1;
        const fresh = Array.from({ length: insert }, (_, i) => `new ${i}`);
        const old = Array.from({ length: 60 }, (_, i) => `line ${i}`);
        const edited = [...old.slice(0, first), ...fresh, ...old.slice(last)];
        const moved = (no: number) => (no < first ? no : no - (last - first) + insert);
        const shown = new Set(sorted.filter((no) => no < first || no >= last).map(moved));
        for (let no = first - seen; no < first + insert + seen; no += 1) if (edited[no] !== undefined) shown.add(no);
        const written = new Set(fresh.map((_, i) => first + i + 1));
        const changes = blamedChanges(
          partial(...rangesOf(sorted, old)),
          partial(
            ...rangesOf(
              [...shown].sort((a, b) => a - b),
              edited,
            ),
          ),
          written,
        );
        if (changes === null) return; // said to be not comparable, which is shown as such
        expect(changes.added).toEqual(written);
        const gone = [...changes.removed.values()].flat();
        expect(gone.map((each) => each.text)).toEqual(old.slice(first, last));
        expect(gone.every((each) => old[each.no - 1] === each.text)).toBe(true);
      }),
    );
  });
});

/** Runs of neighbouring line indices as ranges of a side. */
function rangesOf(indices: readonly number[], lines: readonly string[]): [number, string][] {
  const ranges: [number, string][] = [];
  for (const [i, no] of indices.entries()) {
    const text = `${lines[no]}\n`;
    const open = ranges.at(-1);
    if (open && indices[i - 1] === no - 1) open[1] += text;
    else ranges.push([no + 1, text]);
  }
  return ranges;
}
