import { describe, expect, it } from "vitest";
import { decodeUtf8 } from "./text-decoding";
import { linesOfText } from "./text-lines";

const placesIn = (bytes: Uint8Array): [string, number, number][] =>
  linesOfText(decodeUtf8(bytes).text, bytes).map(({ text, start, end }) => [text, start, end]);

describe("the lines of a text", () => {
  it.each([
    ["nothing", "", [["", 0, 0]]],
    [
      "ASCII",
      "a\n\nbc",
      [
        ["a", 0, 1],
        ["", 2, 2],
        ["bc", 3, 5],
      ],
    ],
    [
      "a line feed at the end",
      "a\n",
      [
        ["a", 0, 1],
        ["", 2, 2],
      ],
    ],
    [
      "more bytes than characters",
      "é\na😀b\nc",
      [
        ["é", 0, 2],
        ["a😀b", 3, 9],
        ["c", 10, 11],
      ],
    ],
    [
      "a byte order mark",
      "\ufeffa\nb",
      [
        ["a", 3, 4],
        ["b", 5, 6],
      ],
    ],
  ])("have the places of their bytes: %s", (_, text, places) => {
    expect(placesIn(new TextEncoder().encode(text))).toEqual(places);
  });

  it("have them where bytes are not UTF-8, also right before a line feed", () => {
    expect(placesIn(Uint8Array.of(0xf0, 0x9f, 0x0a, 0xff, 0x61, 0x0a, 0xc3))).toEqual([
      ["\ufffd", 0, 2],
      ["\ufffda", 3, 5],
      ["\ufffd", 6, 7],
    ]);
  });
});
