import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hiddenLabel, splitHidden, textRuns } from "./text-runs";

describe("text as runs", () => {
  it("marks a quotation across colours", () => {
    const text = "a \u001b[31mred\u001b[0m z";
    const runs = textRuns(text, { marks: [{ start: 0, end: text.length, kind: "decisive", n: 1 }] });
    expect(runs.map((run) => run.text)).toEqual(["a ", "red", " z"]);
    expect(runs.every((run) => run.mark?.n === 1)).toBe(true);
  });

  it("X8: shows what would be invisible or would reorder the line", () => {
    for (const code of [0x202a, 0x202e, 0x2066, 0x2069, 0x200b, 0x200f, 0xe0041, 0x00, 0x07, 0x85]) {
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
