import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { argumentFields, fieldMarks, nameMarks } from "./argument-fields";

const written = (value: unknown) => JSON.stringify(value, null, 2);
const fieldsOf = (value: unknown) => argumentFields(written(value)) ?? [];
const mark = (start: number, end: number) => ({ start, end, kind: "decisive" as const, n: 1 });

/** Strings with everything that JSON escapes, surrogate pairs, halves of them, and characters that hide. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.string({
    unit: fc.constantFrom("\n", "\r", "\t", "\b", "\f", '"', "\\", "/", "u", "n", "\u001b", "\u202e", "😀"),
  }),
  fc.string({ unit: fc.constantFrom("\ud83d", "\ude00", "\\", "a", "\u2028", "\u0000") }),
);
const key = fc.string({ minLength: 1 }).filter((each) => !/^\d+$/.test(each) && each !== "__proto__");

describe("arguments as fields", () => {
  it("give strings as what they say and other values as JSON, in their order", () => {
    const fields = fieldsOf({
      file_path: "/a.py",
      content: 'a\n\t"b"\\',
      limit: 3,
      on: true,
      none: null,
      list: [1, { x: [] }],
    });
    expect(fields.map((field) => [field.name, field.kind, field.text])).toEqual([
      ["file_path", "text", "/a.py"],
      ["content", "text", 'a\n\t"b"\\'],
      ["limit", "json", "3"],
      ["on", "json", "true"],
      ["none", "json", "null"],
      ["list", "json", '[\n  1,\n  {\n    "x": []\n  }\n]'],
    ]);
  });

  it("put the new side of an edit under the old one, wherever they stand", () => {
    const fields = fieldsOf({ new_string: "b", file_path: "/a", replace_all: false, old_string: "a" });
    expect(fields.map((field) => [field.name, field.side])).toEqual([
      ["old_string", "old"],
      ["new_string", "new"],
      ["file_path", null],
      ["replace_all", null],
    ]);
    expect(fieldsOf({ replace: "b", find: "a" }).map((field) => field.name)).toEqual(["find", "replace"]);
    expect(fieldsOf({ new_str: "b" }).map((field) => field.side)).toEqual([null]);
  });

  it("open nested values that hold text of several lines, and no others", () => {
    const edits = [
      { old_string: "a\nb", new_string: "c" },
      { old_string: "d", new_string: "" },
    ];
    const fields = fieldsOf({ edits, todos: [{ content: "one line \\n" }] });
    expect(fields.map((field) => [field.name, field.kind, field.side])).toEqual([
      ["edits[0].old_string", "text", "old"],
      ["edits[0].new_string", "text", "new"],
      ["edits[1].old_string", "text", "old"],
      ["edits[1].new_string", "text", "new"],
      ["todos", "json", null],
    ]);
  });

  it.each(["", "[]", "3", '"x"', "null", '{"a": "b', '{"a": "b"} x', '{"a": "b'.repeat(3)])(
    "have none in %j",
    (json) => {
      expect(argumentFields(json)).toBeNull();
    },
  );

  it("decode every string as JSON does, and know where each unit was written", () => {
    fc.assert(
      fc.property(fc.dictionary(key, text, { noNullPrototype: true }), (value) => {
        const json = written(value);
        const fields = argumentFields(json) ?? [];
        expect(fields.map((field) => [field.name, field.text]).sort()).toEqual(Object.entries(value).sort());
        for (const field of fields) {
          expect(JSON.parse(json.slice(field.nameStart, field.nameEnd))).toBe(field.name);
          expect(field.at).toHaveLength(field.text.length + 1);
          [...field.text.split("")].forEach((unit, i) => {
            expect(JSON.parse(`"${json.slice(field.at[i], field.at[i + 1])}"`)).toBe(unit);
          });
        }
      }),
    );
  });

  it("read escapes that a writer need not use", () => {
    const [field] = argumentFields('{"a":"\\u0041\\/\\ud83d\\ude00\\u00e9\\\\n"}') ?? [];
    expect(field?.text).toBe("A/😀é\\n");
    expect(field?.at).toEqual([6, 12, 14, 20, 26, 32, 34, 35]);
  });

  it("lose nothing of nested values of any shape", () => {
    fc.assert(
      fc.property(fc.dictionary(key, fc.jsonValue({ maxDepth: 5 }), { noNullPrototype: true }), (value) => {
        const json = written(value);
        const fields = argumentFields(json);
        const parts = (fields ?? []).filter((field) => field.kind === "json");
        for (const field of parts) {
          expect([...field.text].join("").replace(/\s/g, "")).toBe(
            json.slice(field.at[0], field.at.at(-1)).replace(/\s/g, ""),
          );
        }
        for (const [name, given] of Object.entries(value)) {
          const field = fields?.find((each) => each.name === name && each.kind === "json");
          if (field) expect(JSON.parse(field.text)).toEqual(JSON.parse(JSON.stringify(given)));
        }
      }),
    );
  });
});

describe("quotations of arguments", () => {
  it("land on the characters that they quote, whatever was escaped before and inside them", () => {
    fc.assert(
      fc.property(text, text, text, (before, quoted, after) => {
        // A half of a pair next to the other half is written as one character: nothing to quote there by itself.
        fc.pre(
          quoted !== "" && (before + quoted + after).isWellFormed() && quoted.isWellFormed() && before.isWellFormed(),
        );
        const json = written({ path: "x\n", content: before + quoted + after });
        const inside = JSON.stringify(quoted).slice(1, -1);
        const start = json.indexOf('"content": "') + '"content": "'.length + JSON.stringify(before).length - 2;
        expect(json.slice(start, start + inside.length)).toBe(inside);
        const [path, content] = argumentFields(json) ?? [];
        if (!path || !content) throw new Error("two fields");
        expect(fieldMarks(path, [mark(start, start + inside.length)])).toEqual([]);
        const [found] = fieldMarks(content, [mark(start, start + inside.length)]);
        expect(content.text.slice(found?.start, found?.end)).toBe(quoted);
        expect(found?.start).toBe(before.length);
      }),
    );
  });

  it("cover a key, the whole of an escape that they cut, and every field that they reach", () => {
    const json = written({ a: "x\ny", b: "z" });
    const [a, b] = argumentFields(json) ?? [];
    if (!a || !b) throw new Error("two fields");
    const whole = mark(json.indexOf('"a"'), json.indexOf("z") + 1);
    expect(fieldMarks(a, [whole]).map(({ start, end }) => [start, end])).toEqual([[0, 3]]);
    expect(fieldMarks(b, [whole]).map(({ start, end }) => [start, end])).toEqual([[0, 1]]);
    expect(nameMarks(a, [whole])).toHaveLength(1);
    const slash = json.indexOf("\\n");
    expect(fieldMarks(a, [mark(slash + 1, slash + 2)]).map(({ start, end }) => [start, end])).toEqual([[1, 2]]);
    expect(nameMarks(a, [mark(slash, slash + 1)])).toEqual([]);
  });
});
