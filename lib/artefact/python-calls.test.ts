import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { readPythonCalls } from "./python-calls";

const callsOf = (code: string): unknown[] =>
  readPythonCalls(code).calls.map(({ name, positional, named }) => [name, positional, Object.fromEntries(named)]);

describe("calls that stand alone in Python code", () => {
  it.each([
    ["f()", [["f", [], {}]]],
    ["f('a', 2, None, True)", [["f", ["a", 2, null, true], {}]]],
    ["f(\n  'a',  # first\n  key=\"b\",\n)\n", [["f", ["a"], { key: "b" }]]],
    ["TEXT = '''x\ny'''\nf('a', TEXT)", [["f", ["a", "x\ny"], {}]]],
    [
      "f('a' 'b'); g(-1)",
      [
        ["f", ["ab"], {}],
        ["g", [-1], {}],
      ],
    ],
    ["f(r'a\\n', u'b', f'c')", [["f", ["a\\n", "b", "c"], {}]]],
    ["f('a\\n\\t\\'\\x41\\u00e9\\101\\q\\\nb')", [["f", ["a\n\t'A\u00e9A\\qb"], {}]]],
    ['f("""say "hi" \\"""")', [["f", ['say "hi" "'], {}]]],
  ])("%j", (code, calls) => {
    expect(callsOf(code)).toEqual(calls);
    expect(readPythonCalls(code).hasOther).toBe(false);
  });

  it.each([
    ["f(x)", [undefined], {}],
    ["f(f'{x}', 'a')", [undefined, "a"], {}],
    ["f('a' + 'b', key=g(1, [2, ')']))", [undefined], { key: undefined }],
    ["f('\\N{BULLET}')", [undefined], {}],
    ["f('\\U99999999')", [undefined], {}],
    ["T = 'a'\nT += g()\nf(T)", [undefined], {}],
    ["T = 'a'\nT = 'b' + T\nf(T)", [undefined], {}],
  ])("what is computed has no value: %j", (code, positional, named) => {
    expect(callsOf(code)).toEqual([["f", positional, named]]);
  });

  it.each(["f('a')(2)", "x = f('a')", "f('a", "for x in y:\n    f('a')", "if f('a'): pass"])(
    "other code gives no call: %j",
    (code) => {
      expect(readPythonCalls(code)).toMatchObject({ calls: [], hasOther: true });
    },
  );

  it("goes on behind other code, over its brackets and texts", () => {
    const code = "import os\nx = [\n  '''\nf('no')\n''',\n]\n# f('no')\nf('yes')";
    expect(readPythonCalls(code)).toEqual({
      calls: [{ name: "f", positional: ["yes"], named: new Map() }],
      hasOther: true,
    });
  });

  it("takes time in proportion to the code, whatever never closes in it", () => {
    const codes = ["f('a',", "f(", "x = '''", "('", '"', "\\", "f('\\", "x = 'a' 'b'\n", "f('a'\n"];
    const tookMs = processorMs(() => {
      for (const code of codes) readPythonCalls(code.repeat(100_000));
    });
    expect(tookMs).toBeLessThan(5_000);
  });
});
