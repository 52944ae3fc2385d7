import { describe, expect, it } from "vitest";
import type { Trajectory } from "@/lib/trajectory/schema";
import { buildHistory } from "./history";
import type { ArtefactHistory } from "./model";
import { recordOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.py";
const read = (text: string): TestCall => ({ tool: "look", result: { reads: [wholeRead(PATH, text)] } });
const historyOf = (...calls: TestCall[]): ArtefactHistory => buildHistory(trajectoryOf(calls), null);
const lastOf = (history: ArtefactHistory): string | undefined => {
  const content = history.files.get(PATH)?.versions.at(-1)?.content;
  return content?.kind === "whole" ? content.text : content?.kind;
};
const edited = { text: "The file /repo/a.py has been edited. Here's the result" };

describe("the editor under the name of the action", () => {
  it.each([
    [{ command: "str_replace", old_str: "b", new_str: "B", content: "", start: 1, end: -1 }, "a\nB\n"],
    [{ command: "insert", insert_line: 1, new_str: "x", content: "", start: 1, end: -1 }, "a\nx\nb\n"],
  ])("edit %j", (given, after) => {
    const history = historyOf(read("a\nb\n"), { tool: "edit", arguments: { path: PATH, ...given }, result: edited });
    expect(lastOf(history)).toBe(after);
    expect(history.writes).toMatchObject([{ grammar: "W1", status: "applied" }]);
  });

  it("creates a file", () => {
    const given = { path: PATH, command: "create", file_text: "x\n", content: "", start: 1, end: -1 };
    const text = "File created successfully at: /repo/a.py";
    expect(lastOf(historyOf({ tool: "edit", arguments: given, result: { text } }))).toBe("x\n");
  });
});

describe("what its records tell of the editor", () => {
  const replace = (old_str: string, new_str: string, before: string, after: string): ArtefactHistory =>
    historyOf({
      tool: "str_replace_editor",
      arguments: { command: "str_replace", path: PATH, old_str, new_str },
      result: { ...edited, recorded: [recordOf(PATH, { before, after, existedBefore: true })] },
    });

  it("keeps tabs where the record does, and expands them where it does", () => {
    expect(replace("1", "2", "\tx = 1\n", "\tx = 2\n").conflicts).toEqual([]);
    expect(replace("1", "2", "\tx = 1\n", "        x = 2\n").conflicts).toEqual([]);
  });

  it("looks again for a text without the blanks at its ends", () => {
    expect(replace("  b  ", "  c  ", "a\nb\n", "a\nc\n").conflicts).toEqual([]);
    // Exact text counts first, and another result is told.
    expect(replace(" b", "c", "a\n b\n", "a\nc\n").conflicts).toEqual([]);
    expect(replace("  b  ", "  c  ", "a\nb\n", "a\n  c  \n").conflicts).toHaveLength(1);
  });

  it("does not look again in traces without records: there the tool is another", () => {
    const call = {
      tool: "str_replace_editor",
      arguments: { command: "str_replace", path: PATH, old_str: " b ", new_str: "c" },
    };
    expect(historyOf(read("a\nb\n"), { ...call, result: edited }).conflicts).toHaveLength(1);
  });

  it("goes on in a last line that has no line end", () => {
    const call = { tool: "file_editor", arguments: { command: "insert", path: PATH, insert_line: 1, new_str: "b" } };
    expect(lastOf(historyOf(read("a"), { ...call, result: edited }))).toBe("ab\n");
    expect(lastOf(historyOf(read("a"), { ...call, tool: "str_replace_editor", result: edited }))).toBe("a\nb");
  });
});

describe("writes by the runtime", () => {
  it("puts a line feed behind the content", () => {
    const call = {
      tool: "write",
      arguments: { path: PATH, content: "a\nb", start: 0, end: -1 },
      result: { isError: false },
    };
    expect(lastOf(historyOf(call))).toBe("a\nb\n");
    // Another agent's tool of that name writes what it is given.
    expect(lastOf(historyOf({ tool: "write", arguments: { path: PATH, content: "a\nb" } }))).toBe("a\nb");
  });

  it.each([
    ["write", { content: "x", start: 1, end: 2 }, "only lines of the file were written"],
    [
      "edit",
      { content: "# as before\nx", start: 1, end: -1, command: "" },
      "a model fills in what the draft leaves out",
    ],
    ["edit_file", { content: "x", start: 3, end: 4 }, "a model fills in what the draft leaves out"],
  ])("is unknown afterwards without a record: %s %j", (tool, given, reason) => {
    const call = { tool, arguments: { path: PATH, ...given } };
    const history = historyOf(read("a\n"), { ...call, result: { isError: false } });
    expect(lastOf(history)).toBe("unknown");
    expect(history.writes).toMatchObject([{ status: "opaque", reason }]);
    expect(lastOf(historyOf(read("a\n"), { ...call, result: { isError: true, text: "ERROR: no" } }))).toBe("a\n");
  });

  it("is what the trace recorded of an edit by a model", () => {
    const recorded = [recordOf(PATH, { before: "a\n", after: "a\nx\n", existedBefore: true })];
    const call = { tool: "edit_file", arguments: { path: PATH, content: "# as before\nx", start: 1, end: -1 } };
    const history = historyOf(read("a\n"), { ...call, result: { isError: false, recorded } });
    expect(lastOf(history)).toBe("a\nx\n");
    expect(history.writes).toMatchObject([{ status: "applied", versionAfter: 1 }]);
    expect(history.conflicts).toEqual([]);
  });
});

describe("commands that did not run, or are none", () => {
  const line = `echo b > ${PATH}`;
  const answeredBy = (role: "person" | "harness" | "tool", name: string | null): Trajectory => {
    const answer = { isError: true, text: "Not that file." };
    const trajectory = trajectoryOf([read("a\n"), { tool: "run", arguments: { command: line }, result: answer }]);
    for (const entry of trajectory.entries) {
      if (entry.kind !== "turn") continue;
      for (const item of entry.items) if (item.kind === "result") item.author = { role, name };
    }
    return trajectory;
  };

  it("a person or a hook answered in place of the tool: nothing changed", () => {
    for (const [role, name] of [
      ["person", null],
      ["harness", "hook"],
    ] as const) {
      const history = buildHistory(answeredBy(role, name), null);
      expect(lastOf(history)).toBe("a\n");
      expect(history.writes).toMatchObject([{ grammar: "W7", status: "refused", reason: "Not that file." }]);
    }
    expect(lastOf(buildHistory(answeredBy("tool", null), null))).toBe("unknown");
  });

  it("keys for a program that runs are no command line", () => {
    const call = (more: object): TestCall => ({
      tool: "terminal",
      arguments: { command: line, ...more },
      result: { exitCode: 0 },
    });
    expect(lastOf(historyOf(read("a\n"), call({ is_input: true })))).toBe("a\n");
    expect(lastOf(historyOf(read("a\n"), call({ is_input: "true" })))).toBe("a\n");
    expect(lastOf(historyOf(read("a\n"), call({ is_input: false })))).toBe("b\n");
  });
});
