import { describe, expect, it } from "vitest";
import { blame } from "./blame";
import { buildHistory } from "./history";
import { encodeVersions } from "./storage";
import { recordOf, type TestCall, trajectoryOf } from "./testing-trajectory";

const BASE = "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\n";

/** A diff that changes one line of BASE. */
function diffOf(path: string, line: number, after: string): string {
  const lines = BASE.split("\n");
  return [
    `diff --git a/${path} b/${path}`,
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -${line},2 +${line},2 @@`,
    `-${lines[line - 1]}`,
    `+${after}`,
    ` ${lines[line]}`,
    "",
  ].join("\n");
}

/** A patch that could be applied, with the diff of each file that it changes. */
function patch(...files: [path: string, line: number, after: string][]): TestCall {
  const edits = files.map(([file]) => ({ file, original: "x", patched: "y" }));
  const recorded = files.map(([path, line, after]) => recordOf(path, { patch: diffOf(path, line, after) }));
  return { tool: "write_patch", arguments: { edits }, result: { isError: false, recorded } };
}

const refused: TestCall = {
  tool: "write_patch",
  arguments: { edits: [{ file: "a.py", original: "x", patched: "y" }] },
  result: { isError: true, text: "RAW_PATCH_BUT_UNMATCHED" },
};

const baseline = (...paths: string[]) => ({ files: new Map(paths.map((path) => [path, BASE])) });

function last(calls: TestCall[], path: string, base = baseline("a.py", "b.py")): string {
  const content = buildHistory(trajectoryOf(calls, { directory: null }), base)
    .files.get(path)
    ?.versions.at(-1)?.content;
  return content?.kind === "whole" ? content.text : (content?.kind ?? "none");
}

describe("patches that each begin with the tree as it was", () => {
  it("are not laid on an earlier one, in the same line or in another", () => {
    expect(last([patch(["a.py", 2, "TWO"]), patch(["a.py", 8, "EIGHT"])], "a.py")).toBe(BASE.replace("eight", "EIGHT"));
    expect(last([patch(["a.py", 2, "TWO"]), patch(["a.py", 2, "zwei"])], "a.py")).toBe(BASE.replace("two", "zwei"));
  });

  it("leave no trace of an earlier one in a file that they do not touch", () => {
    expect(last([patch(["a.py", 2, "TWO"]), patch(["b.py", 2, "TWO"])], "a.py")).toBe(BASE);
  });

  it("hold together when they change several files", () => {
    const calls = [patch(["a.py", 2, "TWO"]), patch(["a.py", 4, "FOUR"], ["b.py", 4, "FOUR"])];
    expect(last(calls, "a.py")).toBe(BASE.replace("four", "FOUR"));
    expect(last(calls, "b.py")).toBe(BASE.replace("four", "FOUR"));
  });

  it("stay when the next attempt is refused", () => {
    expect(last([patch(["a.py", 2, "TWO"]), refused], "a.py")).toBe(BASE.replace("two", "TWO"));
  });

  it("know of a file only what their own diff shows where the file before the run is not known", () => {
    const calls = [patch(["a.py", 2, "TWO"]), patch(["a.py", 8, "EIGHT"])];
    const history = buildHistory(trajectoryOf(calls, { directory: null }), null);
    expect(history.files.get("a.py")?.versions.at(-1)?.content).toMatchObject({
      ranges: [{ startLine: 8, lines: ["EIGHT\n", "nine\n"] }],
    });
    expect(history.conflicts).toEqual([]);
  });

  it("own the lines that they wrote, and none of an earlier one", () => {
    const calls = [patch(["a.py", 2, "TWO"]), patch(["a.py", 8, "EIGHT"])];
    const versions = buildHistory(trajectoryOf(calls, { directory: null }), baseline("a.py")).files.get(
      "a.py",
    )?.versions;
    const runs = versions ? blame(versions, encodeVersions(versions), versions.length - 1) : [];
    expect(
      runs.flatMap(({ startLine, lineCount, turn }) => (turn === null ? [] : [[startLine, lineCount, turn]])),
    ).toEqual([[8, 1, 1]]);
  });

  it("take the tree back in the turn of the next one, which is no write", () => {
    const calls = [patch(["a.py", 2, "TWO"]), patch(["a.py", 8, "EIGHT"])];
    const history = buildHistory(trajectoryOf(calls, { directory: null }), baseline("a.py"));
    expect(history.writes.map(({ turn, status }) => [turn, status])).toEqual([
      [0, "applied"],
      [1, "applied"],
    ]);
    const back = history.files.get("a.py")?.versions.at(-2);
    expect(back).toMatchObject({
      turn: 1,
      operation: "observe",
      note: expect.stringMatching(/goes back to the commit/),
    });
  });
});

describe("the delivered patch of such a run", () => {
  const delivered = (deliveredPatch: string, calls: TestCall[]) => {
    const history = buildHistory(trajectoryOf(calls, { directory: null, deliveredPatch }), null);
    return { ...history.checks.delivered, conflicts: history.conflicts.length };
  };
  const first = patch(["a.py", 2, "TWO"]);
  const both = patch(["a.py", 4, "FOUR"], ["b.py", 4, "FOUR"]);

  it("agrees with whichever attempt gave it", () => {
    expect(delivered(diffOf("a.py", 2, "TWO"), [first, both])).toMatchObject({ agreed: 1, differed: 0, conflicts: 0 });
    const whole = diffOf("a.py", 4, "FOUR") + diffOf("b.py", 4, "FOUR");
    expect(delivered(whole, [both, first])).toMatchObject({ agreed: 2, differed: 0, conflicts: 0 });
  });

  it("does not agree with a part of an attempt, with parts of two, or with one that was refused", () => {
    expect(delivered(diffOf("a.py", 4, "FOUR"), [both, first]).agreed).toBe(0);
    expect(delivered(diffOf("a.py", 2, "TWO") + diffOf("b.py", 4, "FOUR"), [first, both]).agreed).toBeLessThan(2);
    expect(delivered(diffOf("a.py", 2, "TWO"), [refused])).toMatchObject({ agreed: 0, unknown: 1, conflicts: 1 });
  });

  it("differs when no attempt gave its lines", () => {
    expect(delivered(diffOf("a.py", 2, "2"), [first])).toMatchObject({ agreed: 0, differed: 1, conflicts: 1 });
  });
});
