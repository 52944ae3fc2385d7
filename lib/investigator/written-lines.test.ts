import { describe, expect, it } from "vitest";
import { SampleRun } from "./test-support/sample-run";
import { firstNewLine, tellingLines } from "./written-lines";

function linesOf(after: string, before?: string): string[] {
  const run = new SampleRun().turn().write("/repo/src/a.py", after, { before });
  return run.writesOf(0).flatMap((write) => tellingLines(write).map(({ line }) => line));
}

describe("the lines that say what a change is", () => {
  it.each<[string, string, string]>([
    ["code before a comment", "# Clamp it.\nwidth = max(width, 0)", "width = max(width, 0)"],
    [
      "code before a block of comment",
      "/**\n * Clamps.\n * And more: 3\n */\nexport interface Todo {",
      "export interface Todo {",
    ],
    ["code before a docstring", 'def f():\n    """Say.\n\n    More words = here.\n    """\n    return 1', "def f():"],
    ["code before imports", "import os\nfrom a import b\nLIMIT = 3", "LIMIT = 3"],
    [
      "code before an import of many lines",
      "from a import (\n    parse_text,\n    parse_all,\n)\nRATE = parse_text('1')",
      "RATE = parse_text('1')",
    ],
    ["code before includes", "#include <stdio.h>\nint main(void) {", "int main(void) {"],
    ["code before lone words", "    parse_text,\n    else:\n    value = parse(1)", "value = parse(1)"],
    ["code before a directive", "'use client';\nexport const a = 1;", "export const a = 1;"],
    ["code before braces", "{\n}\n  size: number;", "size: number;"],
    ["a listed word before an import", "import os\n    parse_text,", "parse_text,"],
    ["an import before a remark", "# Why.\nimport os", "import os"],
    ["a remark before nothing", "}\n# Why.\n", "# Why."],
  ])("%s", (_, after, first) => expect(linesOf(after)[0]).toBe(first));

  it("are none where only signs are brought in", () => {
    expect(linesOf("{\n\n/**\n*/\n});\n")).toEqual([]);
  });

  it("leave out what the edit had before", () => {
    expect(linesOf("def f(x):\n    return x + 1", "def f(x):\n    return x")).toEqual(["return x + 1"]);
  });

  it("point at the line in the file", () => {
    const run = new SampleRun()
      .turn()
      .write("/repo/src/a.py", "import os\n\n# Why.\nwidth = 0", { before: "x = 1", startLine: 10 });
    expect(run.writesOf(0).map((write) => firstNewLine(write, run.history()))).toEqual([13]);
  });
});
