import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countNewlines } from "@/lib/artefact/lines";
import { CUT_LIMITS, cutText, endsOf } from "./text-cut";

describe("cutText", () => {
  it("gives a short text whole", () => {
    const text = "one\ntwo\n";
    expect(cutText(endsOf(text), CUT_LIMITS)).toEqual({
      head: text,
      tail: "",
      totalChars: 8,
      totalLines: 3,
      omittedChars: 0,
      omittedLines: 0,
    });
  });

  it("cuts at the ends of lines and counts what stands between", () => {
    const lines = Array.from({ length: 1_000 }, (_, i) => `line ${i} of the output\n`);
    const text = lines.join("");
    const cut = cutText(endsOf(text), CUT_LIMITS);
    expect(cut.head.endsWith("\n")).toBe(true);
    expect(text.startsWith(cut.head)).toBe(true);
    expect(text.endsWith(cut.tail)).toBe(true);
    expect(cut.tail.startsWith("line ")).toBe(true);
    expect(cut.head.length + cut.omittedChars + cut.tail.length).toBe(text.length);
    expect(countNewlines(cut.head) + cut.omittedLines + countNewlines(cut.tail)).toBe(1_000);
  });

  it("says nothing of omitted lines inside one long line", () => {
    const cut = cutText(endsOf("x".repeat(20_000)), CUT_LIMITS);
    expect(cut).toMatchObject({ omittedLines: 0, omittedChars: 12_000, totalLines: 1 });
  });

  it("never cuts a surrogate pair, and loses no character, whatever the text", () => {
    const texts = fc.array(fc.constantFrom("a", "\n", "\u{1f600}", "é", "\r\n"), { maxLength: 120 });
    fc.assert(
      fc.property(texts, fc.nat(20), fc.nat(20), (parts, headChars, tailChars) => {
        const text = parts.join("");
        const cut = cutText(endsOf(text), { headChars, tailChars });
        expect(cut.head.isWellFormed()).toBe(true);
        expect(cut.tail.isWellFormed()).toBe(true);
        expect(cut.head.length + cut.omittedChars + cut.tail.length).toBe(text.length);
        expect(text.startsWith(cut.head) && text.endsWith(cut.tail)).toBe(true);
        expect(cut.omittedLines).toBe(countNewlines(text.slice(cut.head.length, text.length - cut.tail.length)));
      }),
    );
  });
});
