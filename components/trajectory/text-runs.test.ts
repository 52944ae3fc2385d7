import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { hiddenLabel, splitHidden, textRuns } from "./text-runs";

describe("text as runs", () => {
  it("marks a quotation across colours", () => {
    const text = "a \u001b[31mred\u001b[0m z";
    const runs = textRuns(text, { marks: [{ start: 0, end: text.length, kind: "decisive", n: 1 }] });
    expect(runs.map((run) => run.text)).toEqual(["a ", "red", " z"]);
    expect(runs.every((run) => run.mark?.n === 1)).toBe(true);
  });

  it("marks what the first of overlapping marks says, to the end of the text and no further", () => {
    const mark = (start: number, end: number, n: number) => ({ start, end, kind: "find" as const, n });
    const marked = (text: string, ...marks: ReturnType<typeof mark>[]) =>
      textRuns(text, { marks, prose: true }).map((run) => [run.text, run.mark?.n ?? 0, run.isCode]);
    expect(marked("ab `cd` ef", mark(4, 9, 1), mark(1, 6, 2), mark(9, 99, 3), mark(2, 2, 4))).toEqual([
      ["a", 0, false],
      ["b", 2, false],
      [" ", 2, false],
      ["`", 2, true],
      ["cd", 1, true],
      ["`", 1, true],
      [" e", 1, false],
      ["f", 3, false],
    ]);
    expect(marked("", mark(0, 5, 1))).toEqual([]);
  });

  it("X7: 300 kB of colours with very many marks and stretches of code takes time in proportion", () => {
    const text = "\u001b[31m`a` ".repeat(30_000);
    const marks = Array.from({ length: 15_000 }, (_, n) => ({
      start: n * 20,
      end: n * 20 + 7,
      kind: "find" as const,
      n,
    }));
    const tookMs = processorMs(() => expect(textRuns(text, { marks, prose: true }).length).toBeGreaterThan(60_000));
    expect(tookMs).toBeLessThan(3_000);
  });

  it("X8: shows what would be invisible or would reorder the line", () => {
    const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, i) => first + i);
    const marks = [...range(0x202a, 0x202e), ...range(0x2066, 0x2069), ...range(0x200b, 0x200f)];
    for (const code of [...marks, ...range(0xe0000, 0xe007f), 0x00, 0x07, 0x85]) {
      const character = String.fromCodePoint(code);
      const parts = splitHidden(`if${character}x`);
      expect(parts.map((part) => part.hidden === null)).toEqual([true, false, true]);
      expect(hiddenLabel(character)).toMatch(/^U\+[0-9A-F]{4,6}$/);
    }
    expect(splitHidden("a\tb\r\nc")).toHaveLength(1);
    expect(splitHidden("50%\r100%")).toHaveLength(3);
  });

  it("keeps equal ones in a row in one box, so that binary output stays small", () => {
    const parts = splitHidden(`a${"\u0000".repeat(5_000)}b${"\u{e0041}".repeat(3)}`);
    expect(parts.map((part) => (part.hidden === null ? part.text : hiddenLabel(part.text)))).toEqual([
      "a",
      "U+0000 ×5000",
      "b",
      "U+E0041 ×3",
    ]);
  });

  it("leaves emoji whole", () => {
    expect(splitHidden("👩‍💻 ok")).toHaveLength(1);
  });

  it("loses nothing", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const plain = text.replaceAll("\u001b", "").replace(/[\u0090\u0098\u009b\u009d-\u009f]/g, "");
        expect(
          textRuns(plain)
            .map((run) => run.text)
            .join(""),
        ).toBe(plain);
      }),
    );
  });

  it("gives single backticks the code face and reads nothing else", () => {
    const runs = textRuns("use `f()` not **b** ![x](https://a.example/q) ```\nraw\n```", { prose: true });
    expect(runs.filter((run) => run.isCode).map((run) => run.text)).toEqual(["`f()`"]);
    expect(runs.map((run) => run.text).join("")).toContain("![x](https://a.example/q)");
  });
});
