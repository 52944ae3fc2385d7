import { describe, expect, it } from "vitest";
import type { FoldView } from "@/lib/views/fold";
import type { TextView } from "@/lib/views/turn";
import {
  type FoldedSegment,
  foldedReason,
  foldedSentence,
  foldedWords,
  keptReason,
  type Segment,
  segmentMarks,
  segmentsOf,
} from "./text-folds";

const TEXT = Array.from({ length: 40 }, (_, i) => `line ${i + 1}\n`).join("");
const offset = (line: number): number => TEXT.indexOf(`line ${line}\n`);

const view = (more: Partial<TextView> = {}): TextView => ({
  head: TEXT,
  tail: "",
  totalChars: TEXT.length,
  totalLines: 41,
  omittedChars: 0,
  omittedLines: 0,
  ...more,
});

/** Lines 1 to 4, 18 to 20 and 37 to 40 stay. */
const fold = (texts: (string | null)[] = [null, null, null], leftOut = 0): FoldView => ({
  paper: { isFolded: true, why: "long", word: null },
  parts: {
    leftOut,
    kept: [
      { start: 0, end: offset(5), line: 1, lineAfter: 5, why: [{ kind: "first" }], text: texts[0] ?? null },
      {
        ...{ start: offset(18), end: offset(21), line: 18, lineAfter: 21, text: texts[1] ?? null },
        why: [{ kind: "signal", word: "error" }, { kind: "diff" }],
      },
      { start: offset(37), end: TEXT.length, line: 37, lineAfter: 41, why: [{ kind: "last" }], text: texts[2] ?? null },
    ],
  },
});

const segments = (...args: Parameters<typeof segmentsOf>): Segment[] => {
  const made = segmentsOf(...args);
  if (made === null) throw new Error("nothing is folded");
  return made;
};
const folded = (made: readonly Segment[]): FoldedSegment[] => made.filter((each) => each.kind === "folded");

describe("segmentsOf", () => {
  it("cuts a text that is here as a whole into parts and folds, without a gap", () => {
    const made = segments(view(), fold(), "parts");
    expect(made.map(({ kind, line }) => [kind, line])).toEqual([
      ["kept", 1],
      ["folded", 5],
      ["kept", 18],
      ["folded", 21],
      ["kept", 37],
    ]);
    expect(made.map(({ text }) => text).join("")).toBe(TEXT);
    expect(folded(made).map(({ line, lastLine, lines }) => [line, lastLine, lines])).toEqual([
      [5, 17, 13],
      [21, 36, 16],
    ]);
    expect(folded(made).map((each) => foldedWords(each))).toEqual([
      `13 lines, ${offset(18) - offset(5)} characters`,
      `16 lines, ${offset(37) - offset(21)} characters`,
    ]);
  });

  it("takes the parts of a long text from the answer, and folds what had no room", () => {
    const cut = view({ head: "line 1\n", tail: "line 40\n", omittedChars: TEXT.length - 15, omittedLines: 38 });
    const made = segments(cut, fold(["line 1\n…", null, "…\nline 40\n"], 12), "parts");
    expect(made.map(({ kind, text }) => [kind, text])).toEqual([
      ["kept", "line 1\n…"],
      ["folded", null],
      ["folded", null],
      ["folded", null],
      ["kept", "…\nline 40\n"],
    ]);
    expect(folded(made).map((each) => foldedReason(each))).toEqual(["no signal", "no room here", "12 with a signal"]);
    expect(folded(made).map((each) => foldedSentence(each, 4_000))[2]).toMatch(
      /^12 lines in it hold a signal; so much stays/,
    );
    expect(folded(made)[1]).toMatchObject({ start: offset(18), end: offset(21), line: 18, lastLine: 20, lines: 3 });
  });

  it("folds as the paper does: all of it, or nothing", () => {
    expect(segments(view(), fold(), "paper")).toEqual([
      {
        kind: "folded",
        start: 0,
        end: TEXT.length,
        line: 1,
        lastLine: 41,
        lines: 41,
        text: TEXT,
        why: "long",
        leftOut: 0,
      },
    ]);
    const noWord: FoldView = { parts: null, paper: { isFolded: true, why: "no_word", word: null } };
    expect(folded(segments(view(), noWord, "paper")).map(foldedReason)).toEqual(["no failure word"]);
    expect(folded(segments(view(), fold(), "paper")).map((each) => foldedSentence(each, 4_000))).toEqual([
      "The paper's rule: it is longer than τ = 4,000 characters and holds no header of a diff.",
    ]);
    const kept: FoldView = { ...fold(), paper: { isFolded: false, why: "word", word: "error" } };
    expect(segmentsOf(view(), kept, "paper")).toBeNull();
  });

  it("folds nothing when it is off, when nothing is to fold, and in an empty text", () => {
    expect(segmentsOf(view(), fold(), "off")).toBeNull();
    expect(segmentsOf(view(), null, "parts")).toBeNull();
    expect(segmentsOf(view(), { ...fold(), parts: null }, "parts")).toBeNull();
    expect(segmentsOf(view({ head: "", totalChars: 0, totalLines: 1 }), fold(), "paper")).toBeNull();
  });

  it("says of a part of one long line which line it is of", () => {
    const kept = (start: number, end: number) => ({
      start,
      end,
      line: 3,
      lineAfter: 3,
      why: [],
      text: "x".repeat(end - start),
    });
    const made = segments(
      view({ omittedChars: 1 }),
      { ...fold(), parts: { kept: [kept(0, 1_000), kept(5_000, 6_000)], leftOut: 0 } },
      "parts",
    );
    expect(folded(made).map((each) => foldedWords(each))).toEqual(["4,000 characters of line 3"]);
  });

  it("says why a part stays", () => {
    const made = segments(view(), fold(), "parts");
    expect(made.flatMap((each) => (each.kind === "kept" ? [keptReason(each)] : []))).toEqual([
      "first lines",
      "“error”, diff",
      "last lines",
    ]);
  });
});

describe("segmentMarks", () => {
  const stretch = (line: number, text: string | null, start = offset(line)) => ({
    ...{ start, end: start + (text?.length ?? 4), text, kind: "decisive" as const, n: 1 },
  });

  it("leaves marks where their words stand, in parts and in folds, and where nobody can look", () => {
    const made = segments(view(), fold(), "parts");
    expect(segmentMarks(made, [stretch(18, "line 18"), stretch(9, "line 9"), stretch(9, null)])).toEqual([
      { start: offset(18), end: offset(18) + 7, kind: "decisive", n: 1 },
      { start: offset(9), end: offset(9) + 6, kind: "decisive", n: 1 },
      { start: offset(9), end: offset(9) + 4, kind: "decisive", n: 1 },
    ]);
    // Over the end of a part.
    const over = `line 20\nline 21`;
    expect(segmentMarks(made, [stretch(20, over)])[0]).toMatchObject({
      start: offset(20),
      end: offset(20) + over.length,
    });
    const long = segments(view({ omittedChars: 9, head: "" }), fold(["a", "b", "c"]), "parts");
    expect(segmentMarks(long, [stretch(9, "line 9")])[0]?.start).toBe(offset(9));
  });

  it("finds the words that a mask has moved", () => {
    const made = segments(view(), fold(), "parts");
    expect(segmentMarks(made, [stretch(30, "line 30", offset(30) - 11)])[0]).toMatchObject({
      ...{ start: offset(30), end: offset(30) + 7 },
    });
  });
});
