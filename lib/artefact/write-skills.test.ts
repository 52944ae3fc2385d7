import { describe, expect, it } from "vitest";
import { buildHistory } from "./history";
import type { ArtefactHistory } from "./model";
import { applySkill } from "./skill-effect";
import { readOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.py";
const DONE =
  "[File: /repo/a.py (2 lines total after edit)]\n1|a\n[File updated (edited at line 1). Please review the changes]";
const cell = (code: string, text = DONE, more: TestCall["result"] = {}): TestCall => ({
  tool: "execute_ipython_cell",
  arguments: { code },
  result: { text, ...more },
});
const read = (text: string): TestCall => ({ tool: "look", result: { reads: [wholeRead(PATH, text)] } });
const historyOf = (...calls: TestCall[]): ArtefactHistory => buildHistory(trajectoryOf(calls), null);
const lastOf = (history: ArtefactHistory): string | undefined => {
  const content = history.files.get(PATH)?.versions.at(-1)?.content;
  return content?.kind === "whole" ? content.text : content?.kind;
};
const writesOf = (history: ArtefactHistory): string[] =>
  history.writes.map(({ grammar, path, status, reason }) => `${grammar} ${path} ${status} ${reason}`);

describe("what a skill does to a file", () => {
  it.each([
    // Whole lines are replaced, also where the text is only part of one.
    ["a\nb = 1\nc\n", { skill: "replace", before: "b = 1", text: "B" }, "a\nB\nc\n"],
    ["a\nb = 1 # x\nc\n", { skill: "replace", before: "b = 1", text: "B" }, "a\nB\nc\n"],
    ["a\nb\nc\n", { skill: "replace", before: "a\nb\n", text: "x\ny\nz\n" }, "x\ny\nz\nc\n"],
    ["a\nb\nc\n", { skill: "replace", before: "b\n", text: "" }, "a\nc\n"],
    ["a\nb", { skill: "replace", before: "b", text: "B" }, "a\nB\n"],
    ["a\na\n", { skill: "replace", before: "a", text: "b" }, null],
    ["a\n", { skill: "replace", before: "x", text: "b" }, null],
    ["a\n", { skill: "replace", before: " ", text: "b" }, null],
    ["a\nb\n", { skill: "insert", line: 1, text: "x" }, "x\na\nb\n"],
    ["a\nb\n", { skill: "insert", line: 2, text: "x\ny\n" }, "a\nx\ny\nb\n"],
    ["a\nb\n", { skill: "insert", line: 3, text: "x" }, "a\nb\nx\n"],
    ["a\nb\n", { skill: "insert", line: 9, text: "x" }, null],
    // A file that was just created holds one blank line, which counts for nothing.
    ["\n", { skill: "insert", line: 1, text: "x" }, "x\n"],
    ["\n", { skill: "append", text: "x" }, "x\n"],
    ["", { skill: "append", text: "x" }, "x\n"],
    ["a\nb", { skill: "append", text: "c\n" }, "a\nb\nc\n"],
    ["a\n", { skill: "append", text: "" }, "a\n"],
  ] as const)("%j %j", (before, edit, after) => {
    expect(applySkill(before, edit)).toBe(after);
  });
});

describe("skills that a notebook calls", () => {
  it("make versions of the file: created, filled, replaced, appended to", () => {
    const history = historyOf(
      cell("create_file('a.py')", "[File: /repo/a.py (1 lines total)]\n1|\n[File a.py created.]"),
      cell("TEXT = '''a\nb\n'''\ninsert_content_at_line('a.py', 1, TEXT)"),
      cell("edit_file_by_replace('a.py', to_replace='b', new_content='B')"),
      cell("append_file(file_name='a.py', content='c')"),
    );
    const texts = history.files
      .get(PATH)
      ?.versions.map(({ content }) => (content.kind === "whole" ? content.text : ""));
    expect(texts).toEqual(["\n", "a\nb\n", "a\nB\n", "a\nB\nc\n"]);
    expect(history.writes.map(({ status }) => status)).toEqual(["applied", "applied", "applied", "applied"]);
    expect(history.conflicts).toEqual([]);
  });

  it("are named by the window of the answer where they name no file, or a shorter path", () => {
    const shown = DONE.replaceAll("/repo/", "/elsewhere/");
    expect(writesOf(historyOf(cell("insert_content_at_line('./a.py', 1, 'x')", shown)))[0]).toMatch(
      /^W3 \/elsewhere\/a\.py applied/,
    );
    expect(writesOf(historyOf(cell("edit_file(start=1, end=2, content='x')", shown)))).toEqual([
      "W3 /elsewhere/a.py opaque how this skill changes lines is not followed",
    ]);
  });

  it.each([
    [
      "[Your proposed edit has introduced new syntax error(s).\nERRORS:\na.py:1:1: E999]",
      /introduced new syntax error/,
    ],
    ["[No exact match found in a.py for\n```\nzzz\n```\n]", /No exact match found/],
    ["ERROR: File a.py not found.", /not found/],
    ["  Cell In[1], line 6\n    )\n    ^\nSyntaxError: unmatched ')'", /unmatched/],
  ])("change nothing when they failed: %j", (text, reason) => {
    const history = historyOf(read("a\nb\n"), cell("edit_file_by_replace('a.py', 'b', 'B')", text));
    expect(lastOf(history)).toBe("a\nb\n");
    expect(history.writes[0]).toMatchObject({ status: "refused", reason: expect.stringMatching(reason) });
  });

  it("leave a file alone when the cell is no Python, whatever else stands in it", () => {
    const broken = cell("append_file('/repo/a.py', 'b')\n</execute_ipython>", "SyntaxError: invalid syntax");
    expect(writesOf(historyOf(read("a\n"), broken))).toEqual(["W3 /repo/a.py refused SyntaxError: invalid syntax"]);
  });

  it("make a file unknown whose new text is computed, or where one of several failed", () => {
    expect(lastOf(historyOf(read("a\n"), cell("append_file('/repo/a.py', f'{x}')")))).toBe("unknown");
    const both = cell(
      "append_file('/repo/a.py', 'b')\nedit_file_by_replace('/repo/a.py', 'x', 'y')",
      `${DONE}\nERROR: no`,
    );
    expect(writesOf(historyOf(read("a\n"), both))).toEqual(
      Array(2).fill("W3 /repo/a.py opaque it is not told which of several edits failed"),
    );
  });

  it("learn from the window what cannot be replayed", () => {
    const window = { reads: [readOf(PATH, "x\n", 7, { totalLines: 9 })] };
    const history = historyOf(cell("edit_file_by_replace('/repo/a.py', 'b', 'x')", DONE, window));
    expect(history.files.get(PATH)?.versions.at(-1)?.content).toEqual({
      kind: "partial",
      ranges: [{ startLine: 7, lines: ["x\n"] }],
      totalLines: 9,
    });
  });

  it("leave other code to be read as a program", () => {
    const history = historyOf(read("a\n"), cell("with open('/repo/a.py', 'w') as f:\n    f.write('b')", ""));
    expect(lastOf(history)).toBe("unknown");
    expect(history.writes[0]).toMatchObject({ grammar: "W7", status: "opaque" });
    expect(historyOf(read("a\n"), cell("print(1)\nopen_file('a.py')", "1")).writes).toEqual([]);
  });
});
