import { describe, expect, it } from "vitest";
import type { ResultItem } from "@/lib/trajectory/schema";
import { answer, call, calls, read, resultsOf, task } from "./test-messages";

describe("files that answers show", () => {
  const viewed = (tool: string, given: object, text: string): ResultItem["reads"] | undefined =>
    resultsOf(read([task, calls(call("1", tool, given)), answer("1", text)]))[0]?.reads;
  const editor = "str_replace_based_edit_tool";
  const header = "Here's the result of running `cat -n` on /a.py:\n";

  it("takes a whole view for the file, byte for byte", () => {
    const rows = `${header}     1\ta\n     2\t\tb\n     3\t\n`;
    expect(viewed(editor, { command: "view", path: "/a.py" }, rows)).toEqual([
      { path: "/a.py", startLine: 1, text: "a\n\tb\n", totalLines: 2, whole: true },
    ]);
  });

  it.each([
    [editor, { command: "view", path: "/a.py", view_range: [2, 3] }, `${header}     2\tb\n     3\tc\n`, 2, "b\nc\n"],
    [editor, { command: "view", path: "/a.py" }, `${header}     1\ta\n     2\tb\n<response clipped>`, 1, "a\n"],
    [
      editor,
      { command: "insert", path: "/a.py" },
      `edited. ${header.replace("on", "on a snippet of")}     4\td\n`,
      4,
      "d\n",
    ],
    ["Read", { file_path: "/a.py" }, "     5→a\n     6→b\n\n<system-reminder>\nx\n</system-reminder>", 5, "a\nb\n"],
    ["read_file", { path: "/a.py" }, "<file>\n1\ta\n2\tb\n4\td", 1, "a\nb\n"],
    ["read_file", { path: "/a.py" }, "1\ta\r\n2\tb\r\n3\tc\r", 1, "a\nb\nc\n"],
    ["read_file", { path: "/a.py" }, "1\ta\n2\tb\u2028c\n3\td", 1, "a\n"],
    ["read_file", { path: "/a.py" }, `${"x\n".repeat(21)}7\ta`, 7, "a\n"],
  ])("takes numbered lines of %s %j", (tool, given, text, startLine, lines) => {
    expect(viewed(tool, given, text)).toEqual([
      { path: "/a.py", startLine, text: lines, totalLines: null, whole: false },
    ]);
  });

  it.each([
    ["read_file", { path: "/a.py" }, "a\nb\n"],
    ["bash", { command: "cat -n /a.py" }, "     1\ta\n"],
    ["Read", { file_path: "/a.py" }, "     1→a... [truncated]\n"],
    ["Grep", { path: "/a.py" }, "1\ta\n"],
    ["read_file", { path: "/a.py" }, `${"x\n".repeat(22)}7\ta`],
    ["read_file", { path: "/a.py" }, "1234567890\ta"],
    ["read_file", { path: "/a.py" }, "0\ta"],
  ])("concludes nothing from %s %j %j", (tool, given, text) => {
    expect(viewed(tool, given, text)).toEqual([]);
  });
});
