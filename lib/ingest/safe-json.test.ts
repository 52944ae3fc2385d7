import { describe, expect, it } from "vitest";
import { IngestError } from "@/lib/errors";
import { processorMs } from "@/lib/test-support/processor-time";
import { lineSpans, parseLine } from "./json-lines";
import { isObject, member, parseJson, parseNestedJson, storable } from "./safe-json";
import { decodeUtf8 } from "./text-decoding";

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const parse = (text: string): ReturnType<typeof parseJson> => parseJson(bytesOf(text));
const failure = (text: string | Uint8Array): IngestError => {
  try {
    parseJson(typeof text === "string" ? bytesOf(text) : text);
  } catch (error) {
    if (error instanceof IngestError) return error;
    throw error;
  }
  throw new Error("it was accepted");
};

describe("what is repaired and counted", () => {
  it("tells of each value only what was repaired in it", () => {
    const first = parse('{"a": NaN, "a": "\u0000"}').repairs;
    expect(() => parse('{"a": NaN, "a": 1, ')).toThrow(IngestError);
    const clean = parse('{"a": 1}').repairs;
    const later = parse('{"b": 1, "b": 2}').repairs;
    const none = { nonFinite: 0, nul: 0, surrogates: 0, controls: 0, invalidUtf8: 0, duplicateKeys: 0 };
    expect(first).toEqual({ ...none, nonFinite: 1, nul: 1, duplicateKeys: 1 });
    expect(clean).toEqual(none);
    expect(later).toEqual({ ...none, duplicateKeys: 1 });
  });

  it("reads NaN and infinities as null", () => {
    const { value, repairs } = parse(
      '{"a": NaN, "b": [Infinity, -Infinity, 1e999, -1e999, 1e9], "c": "NaN -Infinity"}',
    );
    expect(value).toEqual({ a: null, b: [null, null, null, null, 1e9], c: "NaN -Infinity" });
    expect(repairs.nonFinite).toBe(5);
  });

  it("replaces NUL, written as an escape or raw, and keeps an escaped backslash before u0000", () => {
    const { value, repairs } = parse('["a\\u0000b", "c\u0000d", "e\\\\u0000f", "\\\\\\u0000"]');
    expect(value).toEqual(["a\ufffdb", "c\ufffdd", "e\\u0000f", "\\\ufffd"]);
    expect(repairs.nul).toBe(3);
  });

  it("replaces lone surrogates and keeps pairs", () => {
    const { value, repairs } = parse(
      '["\\ud83d", "\\ude00", "\\ud83d\\ude00", "\\ud83d\\ud83d\\ude00", "\\udfff\\ud800x"]',
    );
    expect(value).toEqual(["\ufffd", "\ufffd", "😀", "\ufffd😀", "\ufffd\ufffdx"]);
    expect(repairs.surrogates).toBe(5);
  });

  it("accepts raw control characters inside strings", () => {
    const { value, repairs } = parse('["a\tb\u001b[0m\nc"]');
    expect(value).toEqual(["a\tb\u001b[0m\nc"]);
    expect(repairs.controls).toBe(3);
  });

  it("counts bytes that are not UTF-8, without the U+FFFD that the text holds itself", () => {
    const bytes = Uint8Array.from([...bytesOf('["a\ufffd'), 0xff, 0xc3, ...bytesOf('"]')]);
    const { value, repairs } = parseJson(bytes);
    expect(value).toEqual(["a\ufffd\ufffd\ufffd"]);
    expect(repairs.invalidUtf8).toBe(2);
  });

  it("drops a byte order mark", () => {
    expect(decodeUtf8(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]))).toEqual({ text: "a", replaced: 0 });
  });

  it("notices keys that occur again in the three outermost levels", () => {
    const { value, repairs } = parse('{"a":1,"ab":2,"a":3,"b":[{"c":1,"c":2},{"c":3}],"d":{"e":{"f":{"g":1,"g":2}}}}');
    expect(repairs.duplicateKeys).toBe(2);
    expect(member(value, "a")).toBe(3);
  });

  it("makes other texts storable", () => {
    expect(storable("a\u0000b\ud800c😀")).toBe("a\ufffdb\ufffdc😀");
  });
});

describe("what is refused, with the place", () => {
  it("U5: refuses 200,000 levels at once and names the byte", () => {
    let error: unknown;
    const tookMs = processorMs(() => {
      error = failure(`{"a":\n${"[".repeat(200_000)}`);
    });
    expect(tookMs).toBeLessThan(100);
    expect(error).toMatchObject({ code: "too_deep", at: { byte: 6 + 511, line: 2 } });
  });

  it("accepts 512 levels and refuses 513, in objects too", () => {
    expect(isObject(parse(`${'{"a":'.repeat(512)}1${"}".repeat(512)}`).value)).toBe(true);
    expect(failure(`${'{"a":'.repeat(513)}1${"}".repeat(513)}`).code).toBe("too_deep");
  });

  it.each([
    ['{"steps": [{"a": 1}, {"b": "cut', 'ends inside a string that starts at byte 27, in element 1 of "steps"'],
    ['{"steps": [{"a": 1}, {"b": 2', 'ends inside an object, in element 1 of "steps"'],
    ['{"steps": [{"a": 1}', 'ends inside a list, in element 0 of "steps"'],
    ['{"info": {"a": 1', 'ends inside an object, in "info"'],
    ['[1, 2, {"a": 1', "ends inside an object, in element 2 of the list"],
  ])("says what a truncated document ended in: %s", (text, message) => {
    const error = failure(text);
    expect(error).toMatchObject({ code: "malformed", at: { byte: text.length, line: 1 } });
    expect(error.message).toContain(message);
  });

  it.each([
    ['{"a": 1,\n "b": 2,}', 17, 2, "a key in double quotes"],
    ['{"a": 1}\n{"b": 2}', 9, 2, "the end"],
    ["[1 2]", 3, 1, "a comma or ]"],
    ["[01]", 2, 1, "a comma or ]"],
    ['["\\x"]', 2, 1, ""],
    ["{'a': 1}", 1, 1, "a key in double quotes"],
    ['{"é": tru}', 7, 1, "a value"],
    ["", 0, 1, "a value"],
    ['["\\u0000", NaN, x]', 16, 1, "a value"],
  ])("names byte and line of a fault: %s", (text, byte, line, expected) => {
    const error = failure(text);
    expect(error).toMatchObject({ code: "malformed", at: { byte, line } });
    expect(error.message).toContain(expected);
  });

  it.each(['{"a": [1}', "]", '{"a": 1]'])("refuses brackets that do not match: %s", (text) => {
    expect(failure(text).code).toBe("malformed");
  });

  it("finds the fault behind a very long string without running out of stack", () => {
    const text = `{"a": "${"x".repeat(5_000_000)}" 1}`;
    expect(failure(text).at.byte).toBe(text.length - 2);
  });
});

describe("hostile keys", () => {
  it("U4: pollutes nothing", () => {
    const { value } = parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"isAdmin": true}}}');
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
    expect(member(value, "isAdmin")).toBeUndefined();
    expect(member(value, "toString")).toBeUndefined();
    expect(member(member(value, "__proto__"), "isAdmin")).toBe(true);
  });
});

describe("where parts are", () => {
  it("gives the bytes of each member and of each element of a list", () => {
    const text = '\n{ "é" : [ {"a": "]"} ,\n 2, [3 , 4] ] , "x": {"y": [1, 2]}, "z": 5 }\n';
    const bytes = bytesOf(text);
    const { layout } = parseJson(bytes);
    const at = (span: { start: number; end: number } | undefined): string =>
      span ? new TextDecoder().decode(bytes.subarray(span.start, span.end)) : "";
    expect([...layout.members.keys()]).toEqual(["é", "x", "z"]);
    expect(layout.members.get("é")?.elements.map(at)).toEqual(['{"a": "]"}', "2", "[3 , 4]"]);
    expect(at(layout.members.get("x"))).toBe('{"y": [1, 2]}');
    expect(layout.members.get("x")?.elements).toEqual([]);
    expect(at(layout.members.get("z"))).toBe("5");
  });

  it("gives the elements of a list at the root, and none for an empty one", () => {
    expect(parse(' [1, "a,b" , {"c": [2]}] ').layout.elements).toEqual([
      { start: 2, end: 3 },
      { start: 5, end: 10 },
      { start: 13, end: 23 },
    ]);
    expect(parse('{"a": [ ]}').layout.members.get("a")?.elements).toEqual([]);
  });

  it("gives the lists that the elements of a member hold themselves, and no others", () => {
    const text =
      '{"a": [{"p": [1, [2]], "q": {"r": [3]}, "s": "t", "p": []}, [[4]], {"u": 5}, 6], "b": {"c": [[7]]}, "d": [{"e": [ 8 ]}]}';
    const { members } = parse(text).layout;
    const lists = (name: string) =>
      members.get(name)?.elements.map((element) => element.lists.map((l) => [l.key, text.slice(l.start, l.end)]));
    expect(lists("a")).toEqual([
      [
        ["p", "[1, [2]]"],
        ["p", "[]"],
      ],
      [],
      [],
      [],
    ]);
    expect(lists("b")).toEqual([]);
    expect(lists("d")).toEqual([[["e", "[ 8 ]"]]]);
  });

  it("does not read one long key again for each list behind it", () => {
    const text = `{"a":[{"${"k".repeat(200_000)}":[]${",[]".repeat(100_000)}}]}`;
    let error: unknown;
    const tookMs = processorMs(() => {
      error = failure(text);
    });
    expect(error).toMatchObject({ code: "malformed" });
    expect(tookMs).toBeLessThan(1_000);
  });

  it("keeps the places of the original bytes when something before them is repaired", () => {
    const text = '{"a": [NaN, "\\u0000", {"b": 1}]}';
    const spans = parse(text).layout.members.get("a")?.elements ?? [];
    expect(spans.map((span) => text.slice(span.start, span.end))).toEqual(["NaN", '"\\u0000"', '{"b": 1}']);
  });
});

describe("JSON inside JSON", () => {
  it("gives undefined for what is not JSON, and repairs what is", () => {
    expect(parseNestedJson("ls -la")).toBeUndefined();
    expect(parseNestedJson("[".repeat(10_000))).toBeUndefined();
    expect(parseNestedJson('{"a": "\\u0000"}')).toEqual({ a: "\ufffd" });
  });

  it.each([
    ['{"a": [1e999, -1e999, 1e3]}', { a: [null, null, 1000] }],
    ['["\\ud83d\\ude00", "\\ud83d"]', ["\u{1f600}", "\ufffd"]],
    ['["\ud83d"]', ["\ufffd"]],
    ['["a\u0001b"]', ["a\u0001b"]],
    ['\ufeff{"a": NaN}', { a: null }],
    [`${"[".repeat(513)}${"]".repeat(513)}`, undefined],
    [`{"a": "${"x".repeat(100_000)}"}`, { a: "x".repeat(100_000) }],
  ])("reads %j inside a text as it reads a file", (text, value) => {
    expect(parseNestedJson(text)).toEqual(value);
  });
});

describe("lines", () => {
  it("splits at LF alone, leaves out CR and blank lines, and counts every line", () => {
    const bytes = bytesOf('\r\n{"a":1}\r\n\n  \n"b\u2028c" \n3');
    const lines = [...lineSpans(bytes)].map((span) => ({
      ...parseLine(bytes, span),
      parsed: undefined,
      text: decodeUtf8(bytes.subarray(span.start, span.end)).text,
    }));
    expect(lines.map(({ line, text }) => [line, text])).toEqual([
      [2, '{"a":1}'],
      [5, '"b\u2028c"'],
      [6, "3"],
    ]);
  });

  it("gives a fault the line's number and the place in the upload", () => {
    const bytes = bytesOf('{"a":1}\n{"b": x}\n');
    const [, second] = [...lineSpans(bytes)];
    if (!second) throw new Error("no second line");
    const { error } = parseLine(bytes, second);
    expect(error).toMatchObject({ code: "malformed", at: { byte: 14, line: 2 } });
    expect(error?.message).toContain("(line 2, byte 14)");
  });

  it("reads one line of 15 MB", () => {
    const bytes = bytesOf(`${JSON.stringify({ text: "a\n".repeat(5_000_000) })}\n`);
    expect(bytes.length).toBeGreaterThan(15_000_000);
    const [span] = [...lineSpans(bytes)];
    if (!span) throw new Error("no line");
    const { parsed } = parseLine(bytes, span);
    expect(member(parsed?.value, "text")).toHaveLength(10_000_000);
  });
});
