import { describe, expect, it } from "vitest";
import { finderOf } from "./find-finder";

/** Where a text has the words: offset and length, in UTF-16 units. */
function placesIn(text: string, words: string, matchCase = false): [number, number][] {
  return [...text.matchAll(finderOf({ words, matchCase }))].map((match) => [match.index, match[0].length]);
}

describe("finderOf", () => {
  it("finds the words as they are, whatever they would mean in a pattern", () => {
    const text = "a.c abc a+c [x] (y) ^$ \\d {2} | * ? /";
    for (const words of ["a.c", "a+c", "[x]", "(y)", "^$", "\\d", "{2}", "|", "*", "?", "/", "(", "[", "\\"]) {
      expect(placesIn(text, words), words).toEqual([[text.indexOf(words), words.length]]);
    }
    expect(placesIn("aaaa", ".*")).toEqual([]);
    expect(placesIn("-]", "-]")).toEqual([[0, 2]]);
  });

  it("counts matches that do not overlap", () => {
    expect(placesIn("aaaaa", "aa")).toEqual([
      [0, 2],
      [2, 2],
    ]);
  });

  it("takes letters of both cases as equal, and tells them apart when asked to", () => {
    expect(placesIn("Error ERROR error", "eRRor")).toEqual([
      [0, 5],
      [6, 5],
      [12, 5],
    ]);
    expect(placesIn("Error ERROR error", "ERROR", true)).toEqual([[6, 5]]);
    expect(placesIn("ΟΔΟΣ οδος οδοσ", "οδος")).toEqual([
      [0, 4],
      [5, 4],
      [10, 4],
    ]);
    expect(placesIn("ПРИВЕТ", "привет")).toEqual([[0, 6]]);
  });

  it("keeps offsets where the other case of the text is longer", () => {
    // The lower case of İ has two units, the upper case of ß and of ﬁ too.
    expect("İ".toLowerCase().length).toBe(2);
    expect("ß".toUpperCase().length).toBe(2);
    const text = "İİİ straße STRASSE ﬁle ẞ needle";
    expect(placesIn(text, "NEEDLE")).toEqual([[text.indexOf("needle"), 6]]);
    expect(placesIn(text, "ß")).toEqual([
      [text.indexOf("ß"), 1],
      [text.indexOf("ẞ"), 1],
    ]);
    expect(placesIn(text, "strasse")).toEqual([[text.indexOf("STRASSE"), 7]]);
    expect(placesIn(text, "İ")).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
    expect(placesIn(text, "STRAßE")).toEqual([[text.indexOf("straße"), 6]]);
  });

  it("gives matches that are as long as the words, for every letter that has another case", () => {
    for (let code = 1; code <= 0x1ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const letter = String.fromCodePoint(code);
      const cases = [letter.toLowerCase(), letter.toUpperCase()].filter((one) => one !== letter);
      if (cases.length === 0) continue;
      for (const [, length] of placesIn(cases.join(""), letter)) expect(length, letter).toBe(letter.length);
    }
  });

  it("never finds half of a character", () => {
    expect(placesIn("😀", "\ude00")).toEqual([]);
    expect(placesIn("x😀y😀", "😀")).toEqual([
      [1, 2],
      [4, 2],
    ]);
  });

  it.each(["", "x".repeat(201)])("refuses %j", (words) => {
    expect(() => finderOf({ words, matchCase: false })).toThrowError("1 to 200 characters");
  });

  it("takes 200 characters", () => {
    expect(placesIn("x".repeat(200), "X".repeat(200))).toEqual([[0, 200]]);
  });
});
