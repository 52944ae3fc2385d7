import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ROW_CHARS, RowCursor, type RowStart } from "./rows";

interface Row extends RowStart {
  end: number;
}

/** All rows of a text, found the simple way. */
function rowsOf(text: string): Row[] {
  const rows: Row[] = [];
  let lineStart = 0;
  text.split("\n").forEach((content, i, lines) => {
    const lineEnd = lineStart + content.length + (i < lines.length - 1 ? 1 : 0);
    let start = lineStart;
    for (let at = lineStart + ROW_CHARS; at < lineStart + content.length; at += ROW_CHARS) {
      const end = /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(at - 1, at + 1)) ? at - 1 : at;
      rows.push({ start, end, line: i + 1 });
      start = end;
    }
    if (lineEnd > start) rows.push({ start, end: lineEnd, line: i + 1 });
    lineStart = lineEnd;
  });
  return rows;
}

/** The row `count` rows before another one, as `RowCursor.before` says it. */
function rowBefore(rows: readonly Row[], from: number, count: number, maxChars: number): RowStart {
  const current = rows[from];
  let found = current;
  for (let at = from - 1; at >= Math.max(0, from - count); at -= 1) {
    const row = rows[at];
    if (row === undefined || current === undefined) break;
    if (current.line - row.line > 15 || current.start - row.start > maxChars) break;
    found = row;
  }
  return { start: found?.start ?? 0, line: found?.line ?? 0 };
}

const line = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom("", "x", "abcde", "读取完了", "\r", "one line of a log that is not so short"),
  },
  { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 80 }) },
  { weight: 1, arbitrary: fc.integer({ min: 700, max: 3_000 }).map((length) => "\u{1f600}x".repeat(length / 3)) },
);
/** Where the line of an offset begins, found the simple way. */
function lineStartOf(text: string, offset: number): number {
  return Math.max(offset - 400, 0, offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1);
}

/** Up to some ten thousand lines: runs of one kind, so that many are counted in blocks and many are not. */
const text = fc
  .array(fc.tuple(line, fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 2_000 }))), { maxLength: 8 })
  .map((runs) =>
    runs
      .flatMap(([each, times]) => Array.from({ length: Math.min(times, 40_000 / (each.length + 1)) + 1 }, () => each))
      .join("\n"),
  )
  .filter((made) => made !== "");
const moves = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.nat(18), fc.nat(4_000)), {
  minLength: 1,
  maxLength: 6,
});

describe("RowCursor", () => {
  it("says of every place what a walk row by row says, however far it moves at once", () => {
    fc.assert(
      fc.property(text, moves, (made, places) => {
        const rows = rowsOf(made);
        const cursor = new RowCursor(made);
        for (const [share, count, maxChars] of [...places].sort(([a], [b]) => a - b)) {
          const offset = Math.floor(share * made.length);
          const at = rows.findIndex(({ end }) => Math.min(offset, made.length - 1) < end);
          cursor.moveTo(offset);
          expect({ start: cursor.start, end: cursor.end, line: cursor.line }).toEqual(rows[at]);
          expect(cursor.lineAfter()).toBe(made.slice(0, cursor.end).split("\n").length);
          expect(cursor.before(count, maxChars)).toEqual(rowBefore(rows, at, count, maxChars));
        }
      }),
      { numRuns: 300, seed: 7 },
    );
  });

  it("says where a line begins, and goes on right after it was asked, wherever that was", () => {
    fc.assert(
      fc.property(text, moves, (made, places) => {
        const rows = rowsOf(made);
        const cursor = new RowCursor(made);
        for (const [share, length, further] of [...places].sort(([a], [b]) => a - b)) {
          const offset = Math.floor(share * made.length);
          for (const asked of [Math.min(offset + further, made.length), offset]) {
            const [stretch = ""] = made.slice(asked, asked + length).split("\n");
            expect(cursor.lineStartBefore(asked, asked + stretch.length)).toBe(lineStartOf(made, asked));
          }
          cursor.moveTo(offset);
          const row = rows.find(({ end }) => Math.min(offset, made.length - 1) < end);
          expect({ start: cursor.start, end: cursor.end, line: cursor.line }).toEqual(row);
        }
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});
