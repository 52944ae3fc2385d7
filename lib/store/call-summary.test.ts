import { describe, expect, it } from "vitest";
import { SUMMARY_CHARS, summariseCall } from "./call-summary";

const json = (value: unknown): string => JSON.stringify(value, null, 2);

describe("summariseCall", () => {
  it.each([
    ["bash", "ls -la\nrm x", null, "ls -la"],
    ["Bash", null, json({ command: "pytest -q tests", description: "Run the tests" }), "pytest -q tests"],
    ["Bash", null, json({ command: "ls", description: "List files" }), "ls"],
    [
      "str_replace_editor",
      null,
      json({ command: "view", path: "/testbed/a.py" }),
      "str_replace_editor view /testbed/a.py",
    ],
    ["Grep", null, json({ pattern: "def f", path: "src" }), "Grep src"],
    ["TodoWrite", null, json({ todos: [{ content: "x" }] }), "TodoWrite"],
    ["Task", null, json({ description: "Find the bug", prompt: "long" }), "Task Find the bug"],
    ["", "", null, ""],
  ])("%s %j %j", (tool, text, given, summary) => {
    expect(summariseCall(tool, text, given)).toBe(summary);
  });

  it("reads arguments that are cut in the middle", () => {
    const cut = json({ command: "create", path: "/x/y.py", file_text: "z".repeat(9_000) }).slice(0, 4_000);
    expect(summariseCall("str_replace_editor", null, cut)).toBe("str_replace_editor create /x/y.py");
  });

  it("cuts a long command with a count", () => {
    expect(summariseCall("bash", "x".repeat(5_000), null)).toBe(
      `${"x".repeat(SUMMARY_CHARS)}… (4,700 more characters)`,
    );
  });
});
