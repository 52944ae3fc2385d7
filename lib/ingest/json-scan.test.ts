import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type JsonScan, scanJson } from "./json-scan";
import { isObject, type JsonValue, parseJson } from "./safe-json";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Strings that end where it is hard to see: quotes, backslashes before them, and lengths about where a search begins. */
const piece = fc.oneof(
  fc.constantFrom(
    "\\",
    '"',
    '\\"',
    "\\\\",
    "\n",
    "[",
    "}",
    "é",
    "✓",
    "\u0000",
    "\ud83d",
    "x".repeat(15),
    "y".repeat(40),
  ),
  fc.string({ maxLength: 6 }),
);
const string = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 6 },
    string,
    fc.integer(),
    fc.constantFrom(null, true, 1e-7),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.oneof(string, fc.constantFrom("a", "b")), tie("value"), { maxKeys: 4 }),
  ),
}));
const document = fc.tuple(value, fc.constantFrom(0, 2)).map(([held, indent]) => JSON.stringify(held, null, indent));

/** A document with some of its characters changed to ones that mean something. */
const damaged = fc
  .tuple(document, fc.array(fc.tuple(fc.nat(), fc.constantFrom('"', "\\", "{", "]", ",", "NaN", "\u0007", ""))))
  .map(([text, changes]) =>
    changes.reduce((left, [at, put]) => {
      const place = at % (left.length + 1);
      return left.slice(0, place) + put + left.slice(place + 1);
    }, text),
  );

function outcome(scan: () => JsonScan): unknown {
  try {
    const { layout, repairs } = scan();
    return { members: [...layout.members], elements: layout.elements, duplicateKeys: repairs.duplicateKeys };
  } catch (error) {
    return String(error);
  }
}

describe("a scan that skips strings unread", () => {
  it("finds the same parts and faults as one that reads them, whole or damaged, with the text or without", () => {
    fc.assert(
      fc.property(fc.oneof(document, damaged), (text) => {
        const bytes = bytesOf(text);
        const read = outcome(() => scanJson(bytes, 0, bytes.length, true, { unread: false }));
        expect(outcome(() => scanJson(bytes, 0, bytes.length, true, { unread: true, ascii: null }))).toEqual(read);
        if (text.length !== bytes.length) return;
        expect(outcome(() => scanJson(bytes, 0, bytes.length, true, { unread: true, ascii: text }))).toEqual(read);
      }),
      { numRuns: 2_000 },
    );
  });

  it("stays inside the bytes that it was given", () => {
    const bytes = bytesOf(`["${"x".repeat(100)}`.concat('", "behind"]'));
    expect(() => scanJson(bytes, 0, 60, false, { unread: true, ascii: null })).toThrow(/ends inside a string/);
    const text = new TextDecoder().decode(bytes);
    expect(() => scanJson(bytes, 0, 60, false, { unread: true, ascii: text })).toThrow(/ends inside a string/);
  });
});

describe("a parsed value", () => {
  it("is what JSON.parse makes of it, with U+FFFD for what cannot be stored", () => {
    fc.assert(
      fc.property(document, (text) => {
        expect(JSON.stringify(parseJson(bytesOf(text)).value)).toBe(JSON.stringify(cleaned(JSON.parse(text))));
      }),
      { numRuns: 500 },
    );
  });

  it("keeps pairs of surrogates that are written as escapes, behind ones that are only spelled", () => {
    const text = String.raw`["\ud83d\ude00", "\\ud83d", "\\u0000", {"\ud83d\ude00": 1}]`;
    expect(parseJson(bytesOf(text))).toMatchObject({
      value: ["😀", "\\ud83d", "\\u0000", { "😀": 1 }],
      repairs: { surrogates: 0, nul: 0 },
    });
  });

  it("is repaired in a key as in a value", () => {
    const { value: read, repairs } = parseJson(bytesOf(String.raw`[{"a\u0000": {"b": ["\ud83d"]}}]`));
    expect(read).toEqual([{ "a\ufffd": { b: ["\ufffd"] } }]);
    expect(repairs).toMatchObject({ surrogates: 1, nul: 1 });
  });
});

function cleaned(held: JsonValue): JsonValue {
  if (typeof held === "string") return held.replaceAll("\u0000", "\ufffd").toWellFormed();
  if (Array.isArray(held)) return held.map(cleaned);
  if (!isObject(held)) return held;
  return Object.fromEntries(Object.entries(held).map(([key, of]) => [String(cleaned(key)), cleaned(of)]));
}
