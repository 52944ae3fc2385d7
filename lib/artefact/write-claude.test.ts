import { describe, expect, it } from "vitest";
import type { CallItem } from "@/lib/trajectory/schema";
import { buildHistory } from "./history";
import { type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.ts";

function outcomeOf(
  text: string | null,
  tool: string,
  given: CallItem["arguments"],
  result: TestCall["result"],
): [string | null, string, string | null] {
  const read: TestCall = { tool: "Read", result: { reads: text === null ? [] : [wholeRead(PATH, text)] } };
  const history = buildHistory(trajectoryOf([read, { tool, arguments: given, result }]), null);
  const content = history.files.get(PATH)?.versions.at(-1)?.content;
  const write = history.writes.at(-1);
  return [
    content?.kind === "whole" ? content.text : (content?.kind ?? null),
    write?.status ?? "none",
    write?.reason ?? null,
  ];
}

const edit = (before: string, fresh: string, all = false): CallItem["arguments"] => ({
  file_path: PATH,
  old_string: before,
  new_string: fresh,
  ...(all ? { replace_all: true } : {}),
});
const multi = (...edits: [string, string, boolean?][]): CallItem["arguments"] => ({
  file_path: PATH,
  edits: edits.map(([old_string, new_string, all]) => ({ old_string, new_string, replace_all: all === true })),
});
const OK = { text: "The file /repo/a.ts has been updated." };

describe("W3, when it worked", () => {
  it.each([
    ["Edit", "a\nb\n", edit("b", "B"), "a\nB\n"],
    ["Edit", "x x\nx\n", edit("x", "yy", true), "yy yy\nyy\n"],
    ["Edit", "aaa\n", edit("aa", "b", true), "ba\n"],
    ["Edit", "a\nb\nc\n", edit("b", ""), "a\nc\n"],
    ["Edit", "a\r\nb\r\n", edit("a\nb", "c\nd"), "c\r\nd\r\n"],
    ["Edit", "", edit("", "new\n"), "new\n"],
    ["Edit", "one\ntwo", edit("two", "2"), "one\n2"],
    ["MultiEdit", "a\nb\n", multi(["a", "b2"], ["b2", "c"]), "c\nb\n"],
    ["MultiEdit", "a\nb\na\n", multi(["a", "x", true], ["b", "y"]), "x\ny\nx\n"],
    ["Write", "a\nb\n", { file_path: PATH, content: "b\nc\n" }, "b\nc\n"],
    ["write_file", null, { path: PATH, content: "no end" }, "no end"],
    ["edit", "a\n", { filePath: PATH, oldString: "a", newString: "b" }, "b\n"],
  ])("%s on %j", (tool, text, given, expected) => {
    expect(outcomeOf(text, tool, given, OK)).toEqual([expected, "applied", null]);
  });

  it("creates a file with an edit of nothing", () => {
    expect(outcomeOf(null, "Edit", edit("", "x\n"), { text: "File created successfully" })[0]).toBe("x\n");
  });
});

describe("W3, when nothing was changed", () => {
  it.each([
    [
      "<tool_use_error>File has not been read yet. Read it first before writing to it.</tool_use_error>",
      "File has not been read yet. Read it first before writing to it.",
    ],
    [
      "<tool_use_error>String to replace not found in file.\nString: b</tool_use_error>",
      "String to replace not found in file.",
    ],
    [
      "Found 2 matches of the string to replace, but replace_all is false.",
      "Found 2 matches of the string to replace, but replace_all is false.",
    ],
    [
      "Claude requested permissions to write to /repo/a.ts, but you haven't granted it yet.",
      "Claude requested permissions to write to /repo/a.ts, but you haven't granted it yet.",
    ],
    ["The user doesn't want to proceed with this tool use.", "The user doesn't want to proceed with this tool use."],
  ])("%s", (text, reason) => {
    for (const isError of [true, null]) {
      expect(outcomeOf("a\nb\n", "Edit", edit("b", "B"), { text, isError })).toEqual(["a\nb\n", "refused", reason]);
      expect(outcomeOf("a\nb\n", "MultiEdit", multi(["a", "x"], ["nowhere", "y"]), { text, isError })[0]).toBe(
        "a\nb\n",
      );
    }
  });

  it("applies all edits of a MultiEdit or none", () => {
    expect(outcomeOf("a\nb\n", "MultiEdit", multi(["a", "x"], ["nowhere", "y"]), null)).toEqual([
      "a\nb\n",
      "refused",
      "the text to replace is not in the file",
    ]);
  });

  it("refuses a text that is not unique when nothing says that it worked", () => {
    expect(outcomeOf("b\nb\n", "Edit", edit("b", "c"), null)).toEqual([
      "b\nb\n",
      "refused",
      "the text to replace is not unique in the file",
    ]);
  });
});

describe("W3, what cannot be followed", () => {
  it("makes a notebook unknown", () => {
    expect(
      outcomeOf(
        "{}\n",
        "NotebookEdit",
        { notebook_path: PATH, new_source: "x", cell_id: "1" },
        { text: "Updated cell 1" },
      ),
    ).toEqual(["unknown", "opaque", "a notebook's cell was edited; what its file looks like is not told"]);
  });

  it.each([
    [{ file_path: PATH }],
    [{ file_path: PATH, old_string: "a" }],
    [{ file_path: PATH, edits: "x" }],
    [{ file_path: PATH, edits: [1] }],
    [{ old_string: "a", new_string: "b" }],
    [null],
  ])("takes no write from %j", (given) => {
    for (const tool of ["Edit", "MultiEdit", "Write"])
      expect(outcomeOf("a\n", tool, given, OK)).toEqual(["a\n", "none", null]);
  });
});

describe("W3, as Deep Agents answers", () => {
  it.each([
    [
      "edit_file",
      "a\nb\n",
      edit("b", "B"),
      "Successfully replaced 1 instance(s) of the string in '/repo/a.ts'",
      "a\nB\n",
    ],
    // Its replacement takes the text and nothing of the line around it.
    [
      "edit_file",
      "a\nb\nc\n",
      edit("b", ""),
      "Successfully replaced 1 instance(s) of the string in '/repo/a.ts'",
      "a\n\nc\n",
    ],
    ["write_file", null, { file_path: PATH, content: "x\n" }, "Updated file /repo/a.ts", "x\n"],
  ])("%s on %j: it worked", (tool, text, given, answer, expected) => {
    expect(outcomeOf(text, tool, given, { text: answer })).toEqual([expected, "applied", null]);
  });

  it.each([
    ["edit_file", edit("b", "B"), "Error: String not found in file: 'b'"],
    [
      "edit_file",
      edit("a", "B"),
      "Error: String 'a' appears 2 times in file. Use replace_all=True to replace all instances",
    ],
    ["edit_file", edit("b", "B"), "Error: File '/repo/a.ts' not found"],
    [
      "write_file",
      { file_path: PATH, content: "x" },
      "Cannot write to /repo/a.ts because it already exists. Read and then make an edit, or write to a new path.",
    ],
  ])("%s changes nothing: %j %s", (tool, given, answer) => {
    expect(outcomeOf("a\na\n", tool, given, { text: answer })).toEqual(["a\na\n", "refused", answer]);
  });
});
