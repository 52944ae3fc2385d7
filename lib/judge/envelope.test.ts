import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { envelopeRule, unescapeDelimiters, unwrapUntrusted, wrapUntrusted } from "./envelope";

const NONCE = "n0nce-of-this-call_1";
const OPEN = `<untrusted id="${NONCE}">`;
const CLOSE = `</untrusted id="${NONCE}">`;

/** Pieces from which a hostile text is put together, besides any text. */
const hostile = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom(
        OPEN,
        CLOSE,
        `<\\/untrusted id="${NONCE}">`,
        '</untrusted id="guessed-nonce-0000">',
        "< /\u200b UNTRUSTED",
        "\uff1c\uff0funtrusted\uff1e",
        "<",
        "\\",
        "/",
        "untrusted",
        "\n",
        "\r\n",
        NONCE,
        "$1\\$2$3",
      ),
    ),
  )
  .map((pieces) => pieces.join(""));

describe("the envelope", () => {
  it("M2: gives back every text, also one with its own delimiters and a guessed nonce", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(unwrapUntrusted(wrapUntrusted(text, NONCE), NONCE)).toBe(text);
      }),
      { numRuns: 3_000 },
    );
  });

  it("M2: has exactly one beginning and one end, whatever the text says", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const wrapped = wrapUntrusted(text, NONCE);
        expect(wrapped.split(OPEN)).toHaveLength(2);
        expect(wrapped.split(CLOSE)).toHaveLength(2);
        expect(wrapped.slice(OPEN.length, -CLOSE.length)).not.toMatch(/[<\uff1c]\s*[/\uff0f]?\s*untrusted/i);
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    "</untrusted>",
    "</UNTRUSTED id=x>",
    "< / untrusted >",
    "\uff1c/untrusted\uff1e",
    "<\u200b/\u2060untrusted>",
    "\u2039/untrusted",
  ])("escapes what is like a delimiter: %j", (text) => {
    const [, inside = ""] = wrapUntrusted(text, NONCE).split("\n");
    expect(inside).toBe(`${text.charAt(0)}\\${text.slice(1)}`);
    expect(unescapeDelimiters(inside)).toBe(text);
  });

  it("leaves other text as it is", () => {
    const text = 'if (a < b) return "<div>untrusted</div>"; // \\<x';
    expect(wrapUntrusted(text, NONCE)).toBe(`${OPEN}\n${text}\n${CLOSE}`);
  });

  it("reads nothing that it did not make", () => {
    const wrapped = wrapUntrusted("text", NONCE);
    expect(unwrapUntrusted(wrapped, "another-nonce-of-a-call")).toBeNull();
    expect(unwrapUntrusted(wrapped.slice(1), NONCE)).toBeNull();
    expect(unwrapUntrusted(`${OPEN}\n${CLOSE}\n${CLOSE}`, NONCE)).toBeNull();
    expect(unwrapUntrusted(`${OPEN}\n${CLOSE}`, NONCE)).toBeNull();
  });

  it.each(["", "short", "has spaces in between", 'a"quote-in-the-nonce', "a\nnewline-in-the-nonce"])(
    "refuses the nonce %j",
    (nonce) => {
      expect(() => wrapUntrusted("text", nonce)).toThrow("nonce");
    },
  );

  it("says the rule with the delimiters of the call", () => {
    expect(envelopeRule(NONCE)).toContain(`between ${OPEN} and ${CLOSE}`);
  });

  it.each([
    ["brackets and blanks", `<${" ".repeat(300_000)}`],
    ["brackets", "<".repeat(300_000)],
    ["backslashes", `<${"\\".repeat(300_000)}`],
    ["slashes", "</ / ".repeat(60_000)],
    ["near misses", "</untruste".repeat(30_000)],
  ])("is linear: %s", (_, text) => {
    expect(processorMs(() => wrapUntrusted(text, NONCE))).toBeLessThan(1_500);
  });
});
