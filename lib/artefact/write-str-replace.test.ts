import { describe, expect, it } from "vitest";
import type { CallItem } from "@/lib/trajectory/schema";
import { buildHistory } from "./history";
import { type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.py";
const EDITED =
  "The file /repo/a.py has been edited. Here's the result of running `cat -n` on a snippet of /repo/a.py:\n";
const CREATED = "File created successfully at: /repo/a.py\n";

/** The text after one call on a file with the given text (null: no such file is known), and the write's status. */
function outcomeOf(
  text: string | null,
  given: CallItem["arguments"],
  answer: string,
  more: Partial<TestCall> = {},
): [string | null, string, string | null] {
  const call: TestCall = { tool: "str_replace_editor", arguments: given, result: { text: answer }, ...more };
  const read: TestCall = { tool: "look", result: { reads: text === null ? [] : [wholeRead(PATH, text)] } };
  const history = buildHistory(trajectoryOf([read, call]), null);
  const content = history.files.get(PATH)?.versions.at(-1)?.content;
  const write = history.writes.at(-1);
  return [
    content?.kind === "whole" ? content.text : (content?.kind ?? null),
    write?.status ?? "none",
    write?.reason ?? null,
  ];
}

const replace = (before: string, fresh?: string): CallItem["arguments"] => ({
  command: "str_replace",
  path: PATH,
  old_str: before,
  ...(fresh === undefined ? {} : { new_str: fresh }),
});
const insert = (line: number, text: string): CallItem["arguments"] => ({
  command: "insert",
  path: PATH,
  insert_line: line,
  new_str: text,
});

describe("W1, when the tool says that it worked", () => {
  it.each([
    ["replaces a line", "a\nb\nc\n", replace("b", "B"), "a\nB\nc\n"],
    ["replaces inside a line", "let x = 1;\n", replace("x = 1", "y = 2"), "let y = 2;\n"],
    ["replaces over lines", "a\nb\nc\n", replace("a\nb", "z"), "z\nc\n"],
    ["takes a missing new_str for a deletion", "a\nb\nc\n", replace("b\n"), "a\nc\n"],
    ["joins lines when a line end goes", "a\nb\nc\n", replace("a\n", ""), "b\nc\n"],
    ["joins two lines", "ab\ncd\nef\n", replace("b\nc", "-"), "a-d\nef\n"],
    ["keeps a missing last line end", "a\nb", replace("b", "B"), "a\nB"],
    ["keeps the file's CRLF", "a\r\nb\r\nc\r\n", replace("a\nb", "x\ny"), "x\r\ny\r\nc\r\n"],
    ["does not read a replacement's $ signs", "a\n", replace("a", "$& $1 $$"), "$& $1 $$\n"],
    ["does not read a text as a pattern", "a.c\nabc\n", replace("a.c", "x"), "x\nabc\n"],
    [
      "turns the tabs of the whole file into spaces",
      "\tif x:\n\t\ty\n",
      replace("if x:", "if z:"),
      "        if z:\n                y\n",
    ],
    ["inserts at the top", "a\nb\n", insert(0, "x"), "x\na\nb\n"],
    ["inserts after a line", "a\nb\n", insert(1, "x\ny"), "a\nx\ny\nb\n"],
    ["inserts at the end", "a\nb\n", insert(2, "x"), "a\nb\nx\n"],
    ["inserts after the file's last line end", "a\nb\n", insert(3, "x"), "a\nb\n\nx"],
    ["inserts behind a last line without an end", "a\nb", insert(2, "x"), "a\nb\nx"],
    ["inserts one more line for a line end", "a\nb\n", insert(1, "x\n"), "a\nx\n\nb\n"],
  ])("%s", (_, text, given, expected) => {
    expect(outcomeOf(text, given, EDITED)).toEqual([expected, "applied", null]);
  });

  it("creates a file exactly as given", () => {
    for (const text of ["", "a", "a\n", "a\r\n\tb"]) {
      expect(outcomeOf(null, { command: "create", path: PATH, file_text: text }, CREATED)).toEqual([
        text,
        "applied",
        null,
      ]);
    }
  });

  it("splits the command line that stands for missing arguments", () => {
    const text = `str_replace_editor str_replace ${PATH}   --old_str 'it'"'"'s' --new_str 'was "it"'`;
    expect(outcomeOf("it's\n", null, EDITED, { text })[0]).toBe('was "it"\n');
    const created = `str_replace_editor create ${PATH} --file_text 'a\n$HOME \\n'`;
    expect(outcomeOf(null, null, CREATED, { text: created })[0]).toBe("a\n$HOME \\n");
  });
});

describe("W1, when the tool says that nothing was changed", () => {
  it.each([
    ["No replacement was performed, old_str `b` did not appear verbatim in /repo/a.py."],
    ["No replacement was performed. Multiple occurrences of old_str `b` in lines [1, 2]. Please ensure it is unique"],
    ["No replacement was performed, old_str `b` is the same as new_str `b`."],
    ["File already exists at: /repo/a.py. Cannot overwrite files using command `create`."],
    ["Invalid `insert_line` parameter: 9. It should be within the range of lines of the file: [0, 3]"],
    ["The path /repo/a.py does not exist. Please provide a valid path."],
    ["No edit history found for /repo/a.py."],
    ["The path a.py is not an absolute path, it should start with `/`. Maybe you meant /repo/a.py?"],
    ["The parent directory /repo/x does not exist. Please create it first."],
  ])("%s", (answer) => {
    for (const given of [
      replace("b", "B"),
      insert(1, "x"),
      { command: "create", path: PATH, file_text: "z" },
      { command: "undo_edit", path: PATH },
    ]) {
      expect(outcomeOf("a\nb\n", given, answer)).toEqual(["a\nb\n", "refused", answer]);
    }
  });

  it("believes an error flag whatever the words", () => {
    const result = { text: "something broke", isError: true };
    expect(outcomeOf("b\n", replace("b", "B"), "", { result })).toEqual(["b\n", "refused", "something broke"]);
  });

  it("does not take the text of a file for the tool's words", () => {
    const answer = `${EDITED}     1\tNo replacement was performed\n`;
    expect(outcomeOf("b\n", replace("b", "No replacement was performed"), answer)).toEqual([
      "No replacement was performed\n",
      "applied",
      null,
    ]);
  });
});

describe("W1, what is no write", () => {
  it.each([
    [{ command: "view", path: PATH }],
    [{ command: "str_replace", path: PATH }],
    [{ command: "create", path: PATH }],
    [{ command: "insert", path: PATH, insert_line: "nine", new_str: "x" }],
    [{ command: "insert", path: PATH, insert_line: -1, new_str: "x" }],
    [{ command: "fly", path: PATH }],
    [{ path: PATH }],
    [{ command: 7, path: PATH }],
  ])("%j", (given) => {
    expect(outcomeOf("a\n", given, "")).toEqual(["a\n", "none", null]);
  });
});
