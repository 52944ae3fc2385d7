import { describe, expect, it } from "vitest";
import type { CallItem } from "@/lib/trajectory/schema";
import { buildHistory } from "./history";
import { type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.py";
const TEXT = "a\nb\n";

/** What is known of a file of two lines after one call: its text, or `unknown`; and each write's path and status. */
function outcomeOf(
  tool: string,
  given: CallItem["arguments"],
  answer: TestCall["result"] = {},
  text: string | null = null,
): { file: string | undefined; writes: string[] } {
  const read: TestCall = { tool: "look", result: { reads: [wholeRead(PATH, TEXT)] } };
  const history = buildHistory(trajectoryOf([read, { tool, arguments: given, text, result: answer }]), null);
  const content = history.files.get(PATH)?.versions.at(-1)?.content;
  return {
    file: content?.kind === "whole" ? content.text : content?.kind,
    writes: history.writes.map(({ path, grammar, status }) => `${grammar} ${path} ${status}`),
  };
}

describe("tools of other names for the same edits", () => {
  it.each([
    ["create", { path: PATH, content: "x\n" }, "x\n", "W3"],
    ["create_file", { filePath: PATH, content: "x\n" }, "x\n", "W3"],
    ["write_to_file", { path: PATH, content: "x\n" }, "x\n", "W3"],
    ["str_replace", { path: PATH, old_str: "b", new_str: "B" }, "a\nB\n", "W3"],
    ["replace_string_in_file", { filePath: PATH, oldString: "b", newString: "B" }, "a\nB\n", "W3"],
    ["search_replace", { file_path: PATH, old_string: "b", new_string: "B" }, "a\nB\n", "W3"],
    ["text_editor", { command: "str_replace", path: PATH, old_str: "b", new_str: "B" }, "a\nB\n", "W1"],
    ["text_editor", { command: "insert", path: PATH, insert_line: 1, insert_text: "x" }, "a\nx\nb\n", "W1"],
    ["developer__text_editor", { command: "write", path: PATH, file_text: "x\n" }, "x\n", "W1"],
    ["exec_command", { cmd: "echo x > /repo/a.py" }, "x\n", "W7"],
    ["shell_command", { command: "echo x > /repo/a.py" }, "x\n", "W7"],
  ])("%s %j", (tool, given, file, grammar) => {
    expect(outcomeOf(tool, given)).toEqual({ file, writes: [`${grammar} ${PATH} assumed`] });
  });
});

describe("tools that write a file in a way that is not known", () => {
  it.each([
    ["insert_edit_into_file", { filePath: PATH, code: "x" }],
    ["replace_in_file", { path: PATH, diff: "x" }],
    ["insert", { path: PATH, line: 1, text: "x" }],
    ["create", { path: PATH, file_text: "x" }],
    ["create", { filename: PATH, content: "x" }],
  ])("make it unknown: %s", (tool, given) => {
    expect(outcomeOf(tool, given)).toEqual({ file: "unknown", writes: [`W3 ${PATH} opaque`] });
  });

  it("change nothing when they failed", () => {
    const { file, writes } = outcomeOf(
      "replace_in_file",
      { path: PATH, diff: "x" },
      { isError: true, text: "no match" },
    );
    expect({ file, writes }).toEqual({ file: TEXT, writes: [`W3 ${PATH} refused`] });
  });
});
