import { describe, expect, it } from "vitest";
import { decodeStrict, decodeUtf8 } from "./text-decoding";

const MARK = Uint8Array.of(0xef, 0xbb, 0xbf);
/** One that is short, one that is decoded the other way, and one too long for that. */
const LENGTHS = [10, 5_000, 4_200_000];

const bytesOf = (...parts: (string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));

describe.each(LENGTHS)("decoding a text of at least %i characters", (length) => {
  it.each(["a", "é", "\u2713", "\u{1f600}", "\u0000", "\ufffd"])("gives back %j", (sign) => {
    const text = `a${sign.repeat(length)}b`;
    expect(decodeStrict(bytesOf(text))).toBe(text);
  });

  it.each(["a", "é"])("leaves out one byte order mark before %j", (sign) => {
    const text = sign.repeat(length);
    expect(decodeStrict(bytesOf(MARK, text))).toBe(text);
    expect(decodeStrict(bytesOf(MARK, MARK, text))).toBe(`\ufeff${text}`);
  });

  it("takes the bytes that it is given, and none around them", () => {
    const text = "é".repeat(length);
    const around = bytesOf("x", text, "y");
    expect(decodeStrict(around.subarray(1, around.length - 1))).toBe(text);
  });

  it.each([
    ["a byte that begins nothing", [0xff]],
    ["a sequence that is cut short", [0xe2, 0x9c]],
    ["half of a surrogate pair", [0xed, 0xa0, 0x80]],
    ["a longer form than is needed", [0xc0, 0x80]],
  ])("refuses %s", (_, wrong) => {
    const bytes = bytesOf("é".repeat(length), Uint8Array.from(wrong));
    expect(decodeStrict(bytes)).toBeNull();
    expect(decodeUtf8(bytes).replaced).toBeGreaterThan(0);
  });
});
