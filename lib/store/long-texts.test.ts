import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toJsonb } from "./bulk-insert";
import { measureText, splitText } from "./long-texts";

describe("splitText", () => {
  test("pieces join to the text, keep to the limit, and never hold half of a pair", () => {
    const anyText = fc.string({ unit: "binary", maxLength: 200 });
    fc.assert(
      fc.property(anyText, fc.integer({ min: 2, max: 40 }), (text, limit) => {
        const pieces = splitText(text, limit);
        if (pieces.join("") !== text) return false;
        // UTF-8 and back changes a piece that ends inside a pair.
        const isWhole = (piece: string): boolean => Buffer.from(piece, "utf8").toString("utf8") === piece;
        return pieces.every((piece) => piece.length > 0 && piece.length <= limit && isWhole(piece));
      }),
    );
  });

  test("cuts before a pair that lies on the limit", () => {
    expect(splitText(`ab\u{1f600}c`, 3)).toEqual(["ab", "\u{1f600}c"]);
  });
});

test.each([
  ["", 0, 1],
  ["a", 1, 1],
  ["a\n", 2, 2],
  ["a\nb\r\nc", 6, 3],
])("%j has %i characters and %i lines", (text, chars, lines) => {
  expect(measureText(text)).toEqual({ chars, lines });
});

describe("toJsonb", () => {
  test("replaces what jsonb refuses and nothing else", () => {
    const value = {
      nul: "a\u0000b",
      high: "\ud800x",
      low: "x\udc00",
      pair: "\u{1f600}",
      text: "\\u0000 \\ud800",
      tab: "\t\u0001",
    };
    expect(JSON.parse(toJsonb(value))).toEqual({ ...value, nul: "a\ufffdb", high: "\ufffdx", low: "x\ufffd" });
    expect(JSON.parse(toJsonb("\\\u0000"))).toBe("\\\ufffd");
  });

  test("is the same as JSON.stringify for text that Postgres can store", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const storable = text.replaceAll("\u0000", "").replaceAll(/[\ud800-\udfff]/gu, "");
        expect(toJsonb(storable)).toBe(JSON.stringify(storable));
      }),
    );
  });
});
