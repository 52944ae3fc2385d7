import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { spliceText } from "./known-content";
import { diffLines } from "./line-diff";
import { countLines, expandTabs, joinLines, lineOffset, sameLine, splitLines } from "./lines";

/** Texts in which line ends of both kinds, empty lines and missing last ends are common. */
const texts = fc
  .array(fc.constantFrom("a", "b", "\n", "\r\n", "\r", "", "ü", "\u2028", "\t"), { maxLength: 30 })
  .map((parts) => parts.join(""));

describe("lines", () => {
  it.each([
    ["", []],
    ["a", ["a"]],
    ["a\n", ["a\n"]],
    ["a\nb", ["a\n", "b"]],
    ["\n\n", ["\n", "\n"]],
    ["a\r\nb\r\n", ["a\r\n", "b\r\n"]],
    ["a\rb\u2028c", ["a\rb\u2028c"]],
  ])("splits %j", (text, lines) => {
    expect(splitLines(text)).toEqual(lines);
  });

  it("joins what it split, and counts it", () => {
    fc.assert(
      fc.property(texts, (text) => {
        const lines = splitLines(text);
        expect(joinLines(lines)).toBe(text);
        expect(countLines(text)).toBe(lines.length);
        for (let n = 0; n <= lines.length; n += 1)
          expect(lineOffset(text, n)).toBe(joinLines(lines.slice(0, n)).length);
      }),
    );
  });

  it("compares lines whatever their endings", () => {
    expect(sameLine("a\r\n", "a")).toBe(true);
    expect(sameLine("a\n", "a\r\n")).toBe(true);
    expect(sameLine("a \n", "a\n")).toBe(false);
  });

  it.each([
    ["\tx", "        x"],
    ["ab\tx", "ab      x"],
    ["12345678\tx", "12345678        x"],
    ["a\n\tb", "a\n        b"],
  ])("expands the tabs of %j", (text, expanded) => {
    expect(expandTabs(text)).toBe(expanded);
  });
});

describe("diffLines", () => {
  it("gives splices that lead from one text to the other", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        expect(spliceText(before, diffLines(splitLines(before), splitLines(after)))).toBe(after);
      }),
    );
  });

  it("U6: is bounded for two texts of 1 MB that have nothing in common", () => {
    const random = (seed: number): string[] =>
      Array.from({ length: 20_000 }, (_, n) => `${(n * seed) % 65_537}:${"x".repeat(40)}\n`);
    let splices: ReturnType<typeof diffLines> = [];
    const tookMs = processorMs(() => {
      splices = diffLines(random(7_919), random(104_729));
    });
    expect(tookMs).toBeLessThan(3_000);
    expect(spliceText(random(7_919).join(""), splices)).toBe(random(104_729).join(""));
  });
});
