import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TextView } from "@/lib/views/turn";
import { cutText, quotationMarks, ROW_MAX_CHARS, textLines } from "./text-lines";

const whole = (text: string): TextView => ({
  head: text,
  tail: "",
  totalChars: text.length,
  totalLines: text.split("\n").length,
  omittedChars: 0,
  omittedLines: 0,
});

describe("rows of a text", () => {
  it("number the lines and carry colours on", () => {
    const { lines } = textLines("a\n\u001b[31mb\nc\u001b[0m\nd", { start: 0, firstLine: 1, marks: [] });
    expect(lines.map((line) => [line.no, line.style.colour])).toEqual([
      [1, null],
      [2, null],
      [3, "red"],
      [4, null],
    ]);
  });

  it("cut a line that is too long into rows, losing nothing", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_500), { minLength: 1, maxLength: 4 }), (lengths) => {
        const text = lengths.map((length) => "x".repeat(length)).join("\n");
        const { lines } = textLines(text, { start: 0, firstLine: 1, marks: [] });
        expect(lines.every((line) => line.text.length <= ROW_MAX_CHARS)).toBe(true);
        expect(lines.map((line) => line.text).join("")).toBe(text.replaceAll("\n", ""));
        expect(lines.filter((line) => line.no !== null).map((line) => line.no)).toEqual(lengths.map((_, i) => i + 1));
      }),
    );
  });

  it("put a quotation into the rows that it crosses", () => {
    const text = "one two\nthree four";
    const mark = { start: 4, end: 13, kind: "decisive" as const, n: 1 };
    const { lines } = textLines(text, { start: 0, firstLine: 1, marks: [mark] });
    expect(lines.map((line) => line.marks.map((each) => line.text.slice(each.start, each.end)))).toEqual([
      ["two"],
      ["three"],
    ]);
  });

  it("number the tail from the end", () => {
    const view: TextView = {
      head: "a\nb",
      tail: "y\nz\n",
      totalChars: 500,
      totalLines: 100,
      omittedChars: 493,
      omittedLines: 96,
    };
    const cut = cutText(view, []);
    expect(cut.head.map((line) => line.no)).toEqual([1, 2]);
    expect(cut.tail.map((line) => line.no)).toEqual([99, 100]);
    expect([cut.omittedFrom, cut.omittedTo]).toEqual([3, 496]);
  });
});

describe("quotations", () => {
  const quotation = (start: number, text: string) => ({
    start,
    end: start + text.length,
    text,
    kind: "decisive" as const,
    n: 1,
  });

  it("stand at their offsets", () => {
    expect(quotationMarks(whole("see same_host here"), [quotation(4, "same_host")]).marks).toEqual([
      { start: 4, end: 13, kind: "decisive", n: 1 },
    ]);
  });

  it("are found again when a mask has moved them", () => {
    expect(quotationMarks(whole("[masked] then same_host"), [quotation(40, "same_host")]).marks[0]?.start).toBe(14);
  });

  it("say that they stand in the part that is not shown", () => {
    const view: TextView = {
      head: "aa",
      tail: "zz",
      totalChars: 100,
      totalLines: 1,
      omittedChars: 96,
      omittedLines: 0,
    };
    expect(quotationMarks(view, [quotation(50, "mm")])).toMatchObject({ marks: [], hidden: [{ n: 1, start: 50 }] });
    expect(quotationMarks(view, [quotation(98, "zz")]).marks[0]?.start).toBe(98);
  });
});
