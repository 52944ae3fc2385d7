import { describe, expect, it } from "vitest";
import { finderOf } from "./find-finder";
import { type Surroundings, TextSearch, type TextStretch } from "./find-text";
import { splitText } from "./long-texts";

function stretchesOf(text: string, chars: number): TextStretch[] {
  let start = 0;
  return splitText(text, chars).map((piece, n, all) => {
    const stretch = { n, start, text: piece, isLast: n === all.length - 1 };
    start += piece.length;
    return stretch;
  });
}

function searchOf(words: string, from = 0): TextSearch {
  return new TextSearch(finderOf({ words, matchCase: false }), words.length, from);
}

function offsetsIn(text: string, words: string, chars: number): number[] {
  const search = searchOf(words);
  const found: number[] = [];
  for (const stretch of stretchesOf(text, chars)) {
    search.add(stretch, ({ offset, length }) => {
      expect(text.slice(offset, offset + length).toLowerCase()).toBe(words.toLowerCase());
      found.push(offset);
      return true;
    });
  }
  return found;
}

/** The same, each match asked for by a search of its own that goes on where the one before stopped. */
function offsetsOneByOne(text: string, words: string, chars: number): number[] {
  const stretches = stretchesOf(text, chars);
  const found: number[] = [];
  for (let at = { n: 0, start: 0, from: 0 }; ; ) {
    const search = searchOf(words, at.from);
    const rest = stretches.slice(at.n);
    expect(rest[0]?.start).toBe(at.start);
    const isStopped = rest.some(
      (stretch) =>
        !search.add(stretch, ({ offset }) => {
          found.push(offset);
          return false;
        }),
    );
    if (!isStopped) return found;
    at = search.position;
  }
}

const wholeOffsets = (text: string, words: string): number[] =>
  [...text.matchAll(finderOf({ words, matchCase: false }))].map((match) => match.index);

function aroundOf(text: string, words: string, chars = 1_000_000): Surroundings[] {
  const search = searchOf(words);
  const found: Surroundings[] = [];
  for (const stretch of stretchesOf(text, chars)) {
    search.add(stretch, ({ around }) => {
      found.push(around());
      return true;
    });
  }
  return found;
}

describe("TextSearch", () => {
  it("finds the same in any stretches as in the whole, also across borders", () => {
    const text = `${"abcab😀c ".repeat(90)}needle${"ab NEEdle ".repeat(60)}aaaaaaaaaaa`;
    for (const words of ["needle", "a", "aa", "aaa", "😀", "b😀c", "c a", "eedle ab n", "zzz"]) {
      const whole = wholeOffsets(text, words);
      for (const chars of [1, 2, 3, 5, 7, 64, 200, 333, 10_000]) {
        expect(offsetsIn(text, words, chars), `${words} in stretches of ${chars}`).toEqual(whole);
        expect(offsetsOneByOne(text, words, chars), `${words} one by one, ${chars}`).toEqual(whole);
      }
    }
  });

  it("finds words across the border of stored pieces", () => {
    const text = `${"x".repeat(65_536 - 3)}needle${"y".repeat(65_536)}`;
    expect(offsetsIn(text, "needle", 65_536)).toEqual([65_533]);
    expect(offsetsOneByOne(text, "needle", 65_536)).toEqual([65_533]);
  });

  it("shows the line around a match and nothing of the others", () => {
    expect(aroundOf("one\r\nthe needle here\r\nthree", "NEEDLE")).toEqual([
      { before: "the ", words: "needle", after: " here" },
    ]);
    expect(aroundOf("needle", "needle")).toEqual([{ before: "", words: "needle", after: "" }]);
    expect(aroundOf("\nneedle\n", "needle")).toEqual([{ before: "", words: "needle", after: "" }]);
  });

  it("cuts long lines and says so, never inside a character", () => {
    const [found] = aroundOf(`${"😀".repeat(100)}a needle${"😀".repeat(100)}`, "needle");
    expect(found?.before).toBe(`…${"😀".repeat(29)}a `);
    expect(found?.after).toBe(`${"😀".repeat(60)}…`);
    const [odd] = aroundOf(`${"😀".repeat(100)}needle${"b"}${"😀".repeat(100)}`, "needle");
    expect(odd?.before.isWellFormed()).toBe(true);
    expect(odd?.after).toBe(`b${"😀".repeat(59)}…`);
  });

  it("shows the same around a match at a border as anywhere", () => {
    const text = `${"word ".repeat(200)}needle ${"rest ".repeat(200)}`;
    const [whole] = aroundOf(text, "needle");
    for (const chars of [100, 1_001, 1_003, 1_010]) expect(aroundOf(text, "needle", chars)).toEqual([whole]);
  });
});
