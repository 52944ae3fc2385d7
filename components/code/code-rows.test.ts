import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Side } from "@/lib/views/code";
import { codeRows, drawnRows, firstStretch, linesOf } from "./code-rows";

const side = (more: Partial<Side>): Side => ({
  version: 1,
  kind: "partial",
  certainty: "partial",
  ranges: [],
  totalLines: null,
  omittedChars: 0,
  note: null,
  ...more,
});
const short = (rows: ReturnType<typeof codeRows>) =>
  rows.map((row) =>
    row.kind === "line"
      ? `${row.no}:${row.text}`
      : row.kind === "gap"
        ? `${row.from}-${row.to ?? ""}`
        : row.kind === "gone"
          ? `-${row.no}:${row.text}`
          : `+${row.chars}`,
  );

describe("rows of a file that is known in parts", () => {
  it("shows every gap and fills none", () => {
    const rows = codeRows(
      side({
        ranges: [
          { startLine: 3, text: "c\nd\n" },
          { startLine: 98, text: "z" },
        ],
        totalLines: 120,
      }),
      [],
      null,
    );
    expect(short(rows)).toEqual(["1-2", "3:c", "4:d", "5-97", "98:z", "99-120"]);
  });

  it("says when the end is not known", () => {
    expect(short(codeRows(side({ ranges: [{ startLine: 1, text: "a\n" }] }), [], null))).toEqual(["1:a", "2-"]);
    expect(short(codeRows(side({}), [], null))).toEqual(["1-"]);
  });

  it("has no gap in a whole file, and says what was left out of a long one", () => {
    const whole = side({
      kind: "whole",
      certainty: "recorded",
      ranges: [{ startLine: 1, text: "a\r\nb" }],
      totalLines: 2,
    });
    expect(short(codeRows(whole, [], null))).toEqual(["1:a", "2:b"]);
    expect(short(codeRows({ ...whole, omittedChars: 9 }, [], null))).toEqual(["1:a", "2:b", "+9"]);
    expect(codeRows(side({ kind: "absent", certainty: "recorded", version: null }), [], null)).toEqual([]);
  });

  it("names the turn on the first line of a run, marks what is new and shows what is gone", () => {
    const rows = codeRows(
      side({ kind: "whole", ranges: [{ startLine: 1, text: "a\nb\nc\nd" }], totalLines: 4 }),
      [
        { startLine: 2, lineCount: 2, turn: 7, uncertain: false },
        { startLine: 1, lineCount: 1, turn: null, uncertain: false },
      ],
      { added: new Set([2, 3]), removed: new Map([[2, [{ no: 2, text: "old" }]]]) },
    );
    expect(rows.map((row) => (row.kind === "line" ? [row.blame?.turn, row.blame?.isFirst, row.isNew] : null))).toEqual([
      [null, true, false],
      null,
      [7, true, true],
      [7, false, true],
      [undefined, undefined, false],
    ]);
  });

  it("covers each line number of the file exactly once, known or not", () => {
    const ranges = fc
      .array(
        fc.record({ gap: fc.nat(5), lines: fc.array(fc.constantFrom("x", "yy", ""), { minLength: 1, maxLength: 4 }) }),
        {
          maxLength: 6,
        },
      )
      .map((parts) => {
        let line = 1;
        return parts.map((part) => {
          const startLine = line + part.gap;
          line = startLine + part.lines.length;
          return { startLine, text: part.lines.map((each) => `${each}\n`).join("") };
        });
      });
    fc.assert(
      fc.property(ranges, fc.nat(4), (known, after) => {
        const last = known.at(-1);
        const end = last ? last.startLine + linesOf(last.text).length - 1 : 0;
        const numbers = codeRows(side({ ranges: known, totalLines: end + after }), [], null).flatMap((row) => {
          if (row.kind === "line") return [row.no];
          if (row.kind === "gap")
            return Array.from({ length: (row.to ?? row.from) - row.from + 1 }, (_, i) => row.from + i);
          return [];
        });
        expect(numbers).toEqual(Array.from({ length: end + after }, (_, i) => i + 1));
      }),
    );
  });
});

describe("long files", () => {
  const rows = codeRows(
    side({
      kind: "whole",
      ranges: [{ startLine: 1, text: Array.from({ length: 1_000 }, (_, i) => `l${i}`).join("\n") }],
      totalLines: 1_000,
    }),
    [],
    null,
  );

  it("are drawn around the line that is asked for", () => {
    const [from, to] = firstStretch(rows, 600, 300);
    expect(from).toBeLessThan(599);
    expect(to).toBeGreaterThan(599);
    expect(firstStretch(rows, 1_000, 300)).toEqual([700, 1_000]);
    expect(firstStretch(rows, 5_000, 300)).toEqual([700, 1_000]);
    expect(firstStretch(rows, null, 300)).toEqual([0, 300]);
  });

  it("keep a bar for every row that is not drawn", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(1_100), fc.nat(1_100)), { maxLength: 5 }), (open) => {
        const count = drawnRows(rows, open).reduce((n, each) => n + (each.kind === "row" ? 1 : each.to - each.from), 0);
        expect(count).toBe(rows.length);
      }),
    );
  });
});
