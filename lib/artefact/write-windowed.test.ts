import { describe, expect, it } from "vitest";
import type { CallItem } from "@/lib/trajectory/schema";
import { buildHistory } from "./history";
import { readOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.py";
const UPDATED = "File updated. Please review the changes and make sure they are correct (correct indentation)";
const REJECTED =
  "Your proposed edit has introduced new syntax error(s). Please understand the fixes and retry.\n\nERRORS:\n- E999";

const open = (text: string): TestCall => ({
  tool: "open",
  text: "open a.py",
  result: {
    text: `[File: /repo/a.py (${text.split("\n").length - 1} lines total)]\n1:x`,
    reads: [wholeRead(PATH, text)],
  },
});
const openState: TestCall["state"] = { openFile: PATH };

function run(calls: TestCall[]): { text: string | null; statuses: string[]; reason: string | null } {
  const history = buildHistory(trajectoryOf(calls), null);
  const content = history.files.get(PATH)?.versions.at(-1)?.content;
  return {
    text: content?.kind === "whole" ? content.text : (content?.kind ?? null),
    statuses: history.writes.map((write) => write.status),
    reason: history.writes.at(-1)?.reason ?? null,
  };
}

function edited(text: string, action: string, answer = UPDATED, more: Partial<TestCall> = {}): ReturnType<typeof run> {
  return run([
    open(text),
    { tool: action.split(/\s/)[0] ?? "", text: action, result: { text: answer }, state: openState, ...more },
  ]);
}

describe("W2, edits by lines", () => {
  it.each([
    ["edit 2:2\nB\nend_of_edit", "a\nb\nc\n", "a\nB\nc\n"],
    ["edit 1:3\nx\ny\nend_of_edit\n", "a\nb\nc\n", "x\ny\n"],
    ["edit 2:9\nx\nend_of_edit", "a\nb\nc\n", "a\nx\n"],
    ["edit 2:2\n\nend_of_edit", "a\nb\nc\n", "a\nc\n"],
    ["edit 2:2\nend_of_edit", "a\nb\nc\n", "a\nc\n"],
    ["edit 2:2\n    x\n\n    y\nend_of_edit", "a\nb\nc\n", "a\n    x\n\n    y\nc\n"],
    ["edit 2:2\r\nB\r\nend_of_edit\r\n", "a\nb\nc\n", "a\nB\nc\n"],
    ["edit 1:1\nx\nend_of_edit", "a\r\nb\r\n", "x\r\nb\r\n"],
  ])("%j", (action, text, expected) => {
    expect(edited(text, action)).toMatchObject({ text: expected, statuses: ["applied"] });
  });

  it("takes the structured form too", () => {
    const given: CallItem["arguments"] = { line_range: "2:2", replacement_text: "B\n" };
    expect(edited("a\nb\n", "edit", UPDATED, { arguments: given, text: null }).text).toBe("a\nB\n");
  });

  it("changes nothing when the edit was rejected", () => {
    expect(edited("a\nb\n", "edit 2:2\nB(\nend_of_edit", REJECTED)).toEqual({
      text: "a\nb\n",
      statuses: ["refused"],
      reason: "Your proposed edit has introduced new syntax error(s). Please understand the fixes and retry.",
    });
  });

  it("goes to the file that is open, from the state or from the last window", () => {
    const other = {
      tool: "open",
      text: "open b.py",
      result: { text: "[File: /repo/b.py (1 lines total)]\n1:z", reads: [wholeRead("/repo/b.py", "z\n")] },
    };
    const edit = { tool: "edit", text: "edit 1:1\nZ\nend_of_edit", result: { text: UPDATED } };
    const history = buildHistory(trajectoryOf([open("a\n"), other, edit]), null);
    expect(history.writes.map((write) => write.path)).toEqual(["/repo/b.py"]);
    const back = buildHistory(trajectoryOf([open("a\n"), other, { ...edit, state: openState }]), null);
    expect(back.writes.map((write) => write.path)).toEqual([PATH]);
  });

  it("does not guess when no file is open", () => {
    expect(
      buildHistory(trajectoryOf([{ tool: "edit", text: "edit 1:1\nZ\nend_of_edit", result: { text: UPDATED } }]), null)
        .writes,
    ).toEqual([]);
  });
});

describe("W2, search and replace", () => {
  const replaced = "Text replaced. Please review the changes and make sure they are correct:";
  it.each([
    ["edit 'b' 'B'", "a\nb\n", "a\nB\n"],
    [`edit 'it'"'"'s' "was"`, "it's\n", "was\n"],
    ["edit 'b\nc' 'x'", "a\nb\nc\n", "a\nx\n"],
    ["edit 'b' 'B' True", "b\nb\n", "B\nB\n"],
  ])("%j", (action, text, expected) => {
    expect(edited(text, action, replaced)).toMatchObject({ text: expected, statuses: ["applied"] });
  });

  it("takes the occurrence that the window showed", () => {
    const text = `${Array.from({ length: 20 }, (_, n) => (n === 2 || n === 15 ? "same" : `l${n}`)).join("\n")}\n`;
    const window = `[File: /repo/a.py (20 lines total)]\n(14 more lines above)\n15:l14\n16:same\n17:l16\n`;
    const goto: TestCall = { tool: "goto", text: "goto 15", result: { text: window }, state: openState };
    const edit: TestCall = { tool: "edit", text: "edit 'same' 'other'", result: { text: replaced }, state: openState };
    const lines = run([open(text), goto, edit]).text?.split("\n");
    expect([lines?.[2], lines?.[15]]).toEqual(["same", "other"]);
  });

  it("changes nothing when it was not applied", () => {
    const answer = "Your edit was not applied (file not modified): Text 'x' not found in displayed lines.";
    expect(edited("a\n", "edit 'x' 'y'", answer)).toEqual({ text: "a\n", statuses: ["refused"], reason: answer });
  });
});

describe("W2, cursors", () => {
  const window = (from: number, to: number): string => {
    const lines = ["a", "b", "c"].flatMap((line, n) => [
      ...(n + 1 === from ? ["<<<<< START CURSOR >>>>>"] : []),
      `${n + 1}:${line}`,
      ...(n + 1 === to ? ["<<<<< END CURSOR >>>>>"] : []),
    ]);
    return `[File: /repo/a.py (3 lines total)]\n${lines.join("\n")}\n`;
  };

  it.each([
    [2, 2, "a\nX\nc\n"],
    [1, 3, "X\n"],
    [2, 3, "a\nX\n"],
  ])("edits between %i and %i", (from, to, expected) => {
    const set: TestCall = {
      tool: "set_cursors",
      text: `set_cursors ${from} ${to}`,
      result: { text: window(from, to) },
      state: openState,
    };
    const edit: TestCall = { tool: "edit", text: "edit\nX\nend_of_edit", result: { text: UPDATED }, state: openState };
    expect(run([open("a\nb\nc\n"), set, edit])).toMatchObject({ text: expected, statuses: ["applied"] });
  });

  it("inserts at the top with both cursors at 0", () => {
    const set: TestCall = { tool: "set_cursors", text: "set_cursors 0 0", result: { text: "" }, state: openState };
    const edit: TestCall = { tool: "edit", text: "edit\nX\nend_of_edit", result: { text: UPDATED }, state: openState };
    expect(run([open("a\n"), set, edit]).text).toBe("X\na\n");
  });

  it("makes the file unknown when nothing tells where they are", () => {
    const edit: TestCall = { tool: "edit", text: "edit\nX\nend_of_edit", result: { text: UPDATED }, state: openState };
    expect(run([open("a\n"), edit])).toMatchObject({ text: "unknown", statuses: ["opaque"] });
  });
});

describe("W2, creating and inserting", () => {
  const created = { text: "[File: a.py (1 lines total)]\n1:" };

  it("creates a file of one empty line and opens it", () => {
    const create: TestCall = { tool: "create", text: "create a.py", result: created };
    const edit: TestCall = { tool: "edit", text: "edit 1:1\nx\nend_of_edit", result: { text: UPDATED } };
    expect(run([create]).text).toBe("\n");
    expect(run([create, edit])).toMatchObject({ text: "x\n", statuses: ["applied", "applied"] });
  });

  it.each([
    ["insert 'x\ny'", "a\n", "a\nx\ny"],
    ["insert 'x' 1", "a\nb\n", "a\nx\nb\n"],
    ["insert 'x' 0", "a\n", "x\na\n"],
  ])("%j", (action, text, expected) => {
    expect(edited(text, action, "[File: /repo/a.py (9 lines total)]\n1:a")).toMatchObject({
      text: expected,
      statuses: ["applied"],
    });
  });

  it("edits lines of a file of which only a part was seen", () => {
    const view: TestCall = {
      tool: "open",
      text: "open a.py 50",
      result: {
        text: "[File: /repo/a.py (90 lines total)]\n",
        reads: [readOf(PATH, "l50\nl51\nl52\n", 50, { totalLines: 90 })],
      },
    };
    const edit: TestCall = {
      tool: "edit",
      text: "edit 51:51\nx\ny\nend_of_edit",
      result: { text: UPDATED },
      state: openState,
    };
    const content = buildHistory(trajectoryOf([view, edit]), null)
      .files.get(PATH)
      ?.versions.at(-1)?.content;
    expect(content).toEqual({
      kind: "partial",
      totalLines: 91,
      ranges: [{ startLine: 50, lines: ["l50\n", "x\n", "y\n", "l52\n"] }],
    });
  });
});
