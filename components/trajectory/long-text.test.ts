import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { freshText, withPiece } from "./long-text-pieces";
import { ROW_MAX_CHARS, textLines } from "./text-lines";

describe("a long text in pieces", () => {
  it("has the rows of the whole text, wherever it was cut", () => {
    const text = fc.array(fc.constantFrom("a", "bb", "\n", "\n\n", "\u001b[31m", "\u001b[0m", "ccc ", "é"), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.array(fc.nat(80), { maxLength: 5 }), (parts, cuts) => {
        const whole = parts.join("");
        const edges = [...new Set([0, ...cuts.filter((cut) => cut < whole.length), whole.length])].sort(
          (a, b) => a - b,
        );
        let loaded = freshText(0, 1);
        for (let i = 0; i + 1 < edges.length; i++) {
          const end = edges[i + 1] ?? 0;
          loaded = withPiece(loaded, whole.slice(edges[i], end), end === whole.length ? null : end);
        }
        const expected = textLines(whole.endsWith("\n") ? whole.slice(0, -1) : whole, {
          start: 0,
          firstLine: 1,
          marks: [],
        });
        if (whole !== "") expect(loaded.lines).toEqual(expected.lines);
        expect(loaded.chars).toBe(whole.length);
      }),
    );
  });

  it("takes 12 MB in one line without cutting it anew with each piece", () => {
    const piece = "x".repeat(65_536);
    let loaded = freshText(0, 1);
    const tookMs = processorMs(() => {
      for (let i = 0; i < 183; i++) loaded = withPiece(loaded, piece, i === 182 ? null : (i + 1) * piece.length);
    });
    expect(tookMs).toBeLessThan(2_000);
    expect(loaded.lines.every((line) => line.text.length <= ROW_MAX_CHARS)).toBe(true);
    expect(loaded.lines.reduce((sum, line) => sum + line.text.length, 0)).toBe(183 * piece.length);
    expect(loaded.lines.filter((line) => line.no !== null)).toHaveLength(1);
  });
});
