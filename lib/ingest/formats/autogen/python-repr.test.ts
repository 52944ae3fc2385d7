import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { parseRepr } from "./python-repr";

describe("what Python's repr writes", () => {
  it.each([
    ["[]", []],
    ["[1, -2.5, 1e3, True, False, None,]", [1, -2.5, 1_000, true, false, null]],
    ["{'a': (1, 2), 'b': {}}", { a: [1, 2], b: {} }],
    [String.raw`'it\'s "so"\n\t\\'`, 'it\'s "so"\n\t\\'],
    [String.raw`"it's \"so\""`, 'it\'s "so"'],
    [String.raw`'\xe9 \u20ac \U0001f600 \d'`, "é € 😀 \\d"],
    ["[FunctionCall(id='a', arguments='{\"n\": [1]}', name='f')]", [{ id: "a", arguments: '{"n": [1]}', name: "f" }]],
    ["Empty()", {}],
  ])("is read: %s", (text, value) => {
    expect(parseRepr(text)).toEqual(value);
  });

  it.each(["", "[", "[1", "[1 2]", "[1] more", "'open", "f(1)", "{'a' 1}", "<Kind.A: 'a'>", "word", "[,]", "1e999"])(
    "is not made up where it is something else: %s",
    (text) => {
      expect(parseRepr(text)).toBeUndefined();
    },
  );

  it("keeps a key that objects have by themselves, and no sign that cannot be stored", () => {
    expect(Object.keys(parseRepr("{'__proto__': {'a': 1}}") ?? {})).toEqual(["__proto__"]);
    expect(parseRepr(String.raw`'a\x00b\ud800c'`)).toMatch(/^a[^\0]b[^\ud800]c$/);
    expect(parseRepr(String.raw`'\U00ffffff'`)).toBe("\\U00ffffff");
  });

  it("takes no long time and no stack for what is deep or long", () => {
    const took = processorMs(() => {
      expect(parseRepr("[".repeat(100_000))).toBeUndefined();
      expect(parseRepr(`['${"a\\n".repeat(1_000_000)}']`)).toEqual([expect.stringContaining("a\na")]);
      expect(parseRepr(`'${"\\".repeat(200_001)}`)).toBeUndefined();
    });
    expect(took).toBeLessThan(3_000);
  });
});
