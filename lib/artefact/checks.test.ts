import { describe, expect, it } from "vitest";
import { buildHistory } from "./history";
import { nothingChecked } from "./model";
import { readOf, recordOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.py";
const read = (text: string): TestCall => ({
  tool: "str_replace_editor",
  arguments: { command: "view", path: PATH },
  result: { reads: [wholeRead(PATH, text)] },
});
const edit = (before: string, after: string, recorded: TestCall["result"] = {}): TestCall => ({
  tool: "Edit",
  arguments: { file_path: PATH, old_string: before, new_string: after },
  result: { text: "The file has been updated.", ...recorded },
});
const checks = (calls: TestCall[], deliveredPatch: string | null = null) =>
  buildHistory(trajectoryOf(calls, { deliveredPatch }), null).checks;
const patch = (path: string, before: string, after: string): string =>
  `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${before}\n+${after}\n`;

describe("how often the writes could be held against another source", () => {
  it("counts a record that says the same after an edit, and before the next one", () => {
    const first = edit("one", "two", { recorded: [recordOf(PATH, { before: "one\n", after: "two\n" })] });
    const second = edit("two", "three", { recorded: [recordOf(PATH, { before: "two\n", after: "three\n" })] });
    expect(checks([first, second]).recorded).toEqual({ agreed: 3, differed: 0 });
  });

  it("counts one that says something else, and not one that a person changed", () => {
    const other = edit("one", "two", { recorded: [recordOf(PATH, { before: "one\n", after: "deux\n" })] });
    expect(checks([other]).recorded).toEqual({ agreed: 0, differed: 1 });
    const byPerson = edit("one", "two", {
      recorded: [recordOf(PATH, { before: "one\n", after: "deux\n", byPerson: true })],
    });
    expect(checks([byPerson]).recorded).toEqual({ agreed: 0, differed: 0 });
  });

  it("counts lines that are shown again, not those that were not known", () => {
    expect(checks([read("one\ntwo\n")]).read).toEqual({ agreed: 0, differed: 0 });
    expect(checks([read("one\n"), edit("one", "two"), read("two\n")]).read).toEqual({ agreed: 1, differed: 0 });
    expect(checks([read("one\n"), edit("one", "two"), read("one\n")]).read).toEqual({ agreed: 0, differed: 1 });
    const apart: TestCall[] = [1, 9].map((line) => ({
      tool: "str_replace_editor",
      arguments: { command: "view", path: PATH },
      result: { reads: [readOf(PATH, "x\n", line)] },
    }));
    expect(checks(apart).read).toEqual({ agreed: 0, differed: 0 });
  });

  it("counts the files of the delivered patch: those that agree, those that differ, and those that are not known", () => {
    const calls = [read("one\n"), edit("one", "two")];
    expect(checks(calls, patch("a.py", "one", "two")).delivered).toEqual({ agreed: 1, differed: 0, unknown: 0 });
    expect(checks(calls, patch("a.py", "one", "three")).delivered).toEqual({ agreed: 0, differed: 1, unknown: 0 });
    expect(checks(calls, patch("b.py", "one", "two")).delivered).toEqual({ agreed: 0, differed: 0, unknown: 1 });
    const formatted = [...calls, { tool: "bash", text: "black a.py", result: { text: "", exitCode: 0 } }];
    expect(checks(formatted, patch("a.py", "one", "two")).delivered).toEqual({ agreed: 0, differed: 0, unknown: 1 });
  });

  it("counts the files of a diff that the agent looked at", () => {
    const look: TestCall = {
      tool: "bash",
      text: "git diff",
      result: { text: patch("a.py", "one", "two"), exitCode: 0 },
    };
    expect(checks([read("one\n"), edit("one", "two"), look]).diff).toEqual({ agreed: 1, differed: 0 });
    expect(checks([look])).toEqual(nothingChecked());
  });
});
