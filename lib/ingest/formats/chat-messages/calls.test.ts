import { describe, expect, it } from "vitest";
import { isShellTool } from "@/lib/artefact/shell-tools";
import { turnsOf } from "@/lib/trajectory/schema";
import { answer, call, calls, callsOf, countOf, paired, read, resultsOf, task, told } from "./test-messages";
import { SHELL_TOOLS } from "./tools";

describe("calls and what answers them", () => {
  const bash = (id: string | undefined, command: string): object => call(id, "bash", { command });

  it.each([
    ["out of order", [calls(bash("1", "a"), bash("2", "b")), answer("2", "B"), answer("1", "A")], ["a: A", "b: B"]],
    [
      "one identifier twice in a message",
      [calls(bash("1", "a"), bash("1", "b")), answer("1", "A"), answer("1", "B")],
      ["a: A", "b: B"],
    ],
    [
      "one identifier in three messages",
      [...["a", "b", "c"].map((name) => calls(bash("1", name))), ...["C", "B", "A"].map((text) => answer("1", text))],
      ["a: A", "b: B", "c: C"],
    ],
    ["a second answer", [calls(bash("1", "a")), answer("1", "A"), answer("1", "again")], ["a: A, again"]],
    [
      "no identifiers",
      [calls(bash(undefined, "a"), bash(undefined, "b")), answer(undefined, "A"), answer(undefined, "B")],
      ["a: A", "b: B"],
    ],
    [
      "names instead",
      [calls(bash(undefined, "a"), call(undefined, "ls", { path: "p" })), answer(undefined, "P", { name: "ls" })],
      ["a: ", "p: P"],
    ],
    ["a call that is not answered", [calls(bash("1", "a"))], ["a: "]],
    [
      "the older shape",
      [
        { role: "assistant", content: null, function_call: { name: "bash", arguments: '{"command":"a"}' } },
        { role: "function", name: "bash", content: "A" },
      ],
      ["a: A"],
    ],
    [
      "blocks",
      [
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "Bash", input: { command: "a" } }] },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "A" }] }] },
      ],
      ["a: A"],
    ],
    [
      "items",
      [
        { type: "function_call", call_id: "1", name: "bash", arguments: '{"command":"a"}' },
        { type: "function_call_output", call_id: "1", output: "A" },
      ],
      ["a: A"],
    ],
  ])("pairs them: %s", (_, messages, expected) => {
    const trajectory = read([task, ...messages]);
    expect(paired(trajectory)).toEqual(expected);
    expect(countOf(trajectory, "result_without_call")).toBe(0);
  });

  it("keeps an answer that comes before anything was called, and one of another call", () => {
    const trajectory = read([answer("1", "early"), task, calls(bash("1", "a")), answer("9", "of nothing")]);
    expect(told(trajectory)[0]).toBe("injected/tool: early");
    expect(resultsOf(trajectory).map(({ text, callItem }) => [text, callItem])).toEqual([["of nothing", null]]);
    expect(countOf(trajectory, "result_without_call")).toBe(2);
  });

  it.each([
    ["JSON text", '{"command":"ls"}', { command: "ls" }, null],
    ["an object", { command: "ls" }, { command: "ls" }, null],
    ["nothing", "", {}, null],
    ["cut JSON", '{"command":"l', null, '{"command":"l'],
    ["a list", "[1]", null, "[1]"],
  ])("reads arguments that are %s", (_, given, values, text) => {
    const trajectory = read([task, calls({ id: "1", function: { name: "x", arguments: given } })]);
    expect(callsOf(trajectory)[0]).toMatchObject({ arguments: values, text });
    expect(countOf(trajectory, "arguments_not_json")).toBe(values === null ? 1 : 0);
  });

  it.each([
    [["bash", "-lc", "cd /w && ls"], "cd /w && ls"],
    [["ls", "-a", "my file"], "ls -a 'my file'"],
    ["ls -a", null],
  ])("reads a command line out of %j", (command, text) => {
    const trajectory = read([task, calls(call("1", "shell", { command, workdir: "/w" }))]);
    expect(callsOf(trajectory)[0]).toMatchObject({ arguments: { command }, text, callKind: "read" });
    expect(turnsOf(trajectory)[0]?.state).toMatchObject({ when: "before", workingDirectory: "/w" });
  });

  it.each([
    ["Bash", { command: "pytest -q" }, "execute"],
    ["bash", { command: "grep -r a ." }, "search"],
    ["execute_bash", { command: "echo a > b" }, "write"],
    ["str_replace_editor", { command: "view", path: "/a" }, "read"],
    ["str_replace_based_edit_tool", { command: "insert", path: "/a" }, "write"],
    ["str_replace_editor", { command: "dance" }, "other"],
    ["Read", { file_path: "/a" }, "read"],
    ["MultiEdit", { file_path: "/a" }, "write"],
    ["mcp__files__read_file", { path: "/a" }, "read"],
    ["functions.apply_patch", { input: "x" }, "write"],
    ["grep_search", {}, "search"],
    ["Task", { prompt: "x" }, "delegate"],
    ["finish", {}, "submit"],
    ["python", { code: "x" }, "execute"],
    ["python", "print(1)", "other"],
    ["constructor", {}, "other"],
  ])("says what kind of call %s %j is", (tool, given, kind) => {
    expect(callsOf(read([task, calls(call("1", tool, given))]))[0]?.callKind).toBe(kind);
  });

  it("knows the same shells as the history of files", () => {
    expect([...SHELL_TOOLS].filter((tool) => !isShellTool(tool))).toEqual([]);
  });

  it("keeps the text of a custom tool as its call", () => {
    const custom = { id: "1", type: "custom", custom: { name: "apply_patch", input: "*** Begin Patch" } };
    const [made] = callsOf(read([task, calls(custom)]));
    expect(made).toMatchObject({ tool: "apply_patch", callKind: "write", arguments: null, text: "*** Begin Patch" });
  });
});
