import { describe, expect, it } from "vitest";
import { blame } from "./blame";
import { buildHistory } from "./history";
import { encodeVersions } from "./storage";
import { readOf, recordOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.py";
const OK = { text: "The file has been edited. Here's the result" };

/** Who wrote each known line at the end: `·` inherited, `?` uncertain, else the turn's number from 0. */
function writers(calls: TestCall[], n?: number): string {
  const versions = buildHistory(trajectoryOf(calls), null).files.get(PATH)?.versions ?? [];
  const last = n ?? versions.length - 1;
  return blame(versions, encodeVersions(versions), last)
    .map(
      (run) =>
        `${run.startLine}:${(run.uncertain ? "?" : run.turn === null ? "·" : String(run.turn)).repeat(run.lineCount)}`,
    )
    .join(" ");
}

const look = (text: string): TestCall => ({ tool: "look", result: { reads: [wholeRead(PATH, text)] } });
const view = (startLine: number, text: string): TestCall => ({
  tool: "look",
  result: { reads: [readOf(PATH, text, startLine)] },
});
const replace = (before: string, after: string): TestCall => ({
  tool: "file_editor",
  arguments: { command: "str_replace", path: PATH, old_str: before, new_str: after },
  result: OK,
});
const write = (content: string): TestCall => ({
  tool: "Write",
  arguments: { file_path: PATH, content },
  result: { text: "has been updated" },
});
const black: TestCall = { tool: "bash", text: "black a.py", result: { exitCode: 0 } };

describe("blame", () => {
  it("tells inherited lines from written ones", () => {
    expect(writers([look("a\nb\nc\n")])).toBe("1:···");
    expect(writers([look("a\nb\nc\n"), replace("b", "x\ny")])).toBe("1:· 2:11 4:·");
    expect(writers([look("a\nb\nc\n"), replace("b", "x\ny"), replace("y\nc", "z")])).toBe("1:· 2:1 3:2");
    expect(writers([look("a\nb\nc\n"), replace("b", "x\ny"), replace("y\nc", "z")], 1)).toBe("1:· 2:11 4:·");
  });

  it("keeps the writer of context lines that an edit only repeats", () => {
    expect(writers([look("a\nb\nc\n"), replace("a\nb\nc", "a\nB\nc")])).toBe("1:· 2:1 3:·");
  });

  it("gives every line of a new file to the write, and only changed lines of an overwrite", () => {
    expect(writers([write("a\nb\n")])).toBe("1:00");
    expect(writers([look("a\nb\nc\n"), write("a\nB\nc\nd\n")])).toBe("1:· 2:1 3:· 4:1");
  });

  it("does not say who wrote what appeared while the file was not known", () => {
    expect(writers([look("a\nb\n"), replace("a", "x"), black, look("X\nb\n")])).toBe("1:??");
    expect(writers([look("a\nb\n"), black, look("A\nb\n"), replace("b", "z")])).toBe("1:? 2:3");
  });

  it("marks as uncertain only the lines in which a record differs from what was known", () => {
    const changed: TestCall = {
      tool: "Edit",
      arguments: { file_path: PATH, old_string: "b", new_string: "x" },
      result: {
        text: "has been updated",
        recorded: [recordOf(PATH, { before: "other\nb\nc\n", after: "other\nx\nc\n" })],
      },
    };
    expect(writers([look("a\nb\nc\n"), changed])).toBe("1:? 2:1 3:·");
  });

  it("follows lines through gaps by their numbers", () => {
    const insert: TestCall = {
      tool: "file_editor",
      arguments: { command: "insert", path: PATH, insert_line: 2, new_str: "n" },
      result: OK,
    };
    expect(writers([view(1, "a\nb\n"), insert, view(10, "late\n")])).toBe("1:·· 3:1 10:·");
  });

  it("does not say who wrote lines around an edit whose place is not known", () => {
    expect(writers([view(5, "e\nf\n"), replace("far away", "near"), view(9, "i\n")])).toBe("5:?? 9:?");
  });

  it("starts again after a file was removed", () => {
    const remove: TestCall = { tool: "bash", text: "rm a.py", result: { exitCode: 0 } };
    expect(writers([look("a\n"), remove])).toBe("");
    expect(writers([look("a\n"), remove, write("a\nb\n")])).toBe("1:22");
    expect(writers([look("a\n"), remove, look("a\n")])).toBe("1:?");
  });
});
