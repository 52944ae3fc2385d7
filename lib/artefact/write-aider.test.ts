import { describe, expect, it } from "vitest";
import { buildHistory } from "./history";
import { readOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "a.py";
const TEXT = "def f():\n    return 1\n";
const SAID = { isError: false, text: "Applied edit to a.py" };

const look = (text: string): TestCall => ({ tool: "look", result: { reads: [wholeRead(PATH, text)] } });
const block = (search: string, replace: string, result: TestCall["result"] = SAID, path = PATH): TestCall => ({
  tool: "aider_search_replace",
  arguments: { path, search, replace },
  result,
});

/** What is known of the file after the calls, and each write. */
function outcomeOf(calls: TestCall[], path = PATH): { file: string | undefined; writes: string[]; reasons: unknown[] } {
  const { files, writes } = buildHistory(trajectoryOf(calls, { directory: null }), null);
  const content = files.get(path)?.versions.at(-1)?.content;
  return {
    file: content?.kind === "whole" ? content.text : content?.kind,
    writes: writes.map(({ grammar, operation, status }) => `${grammar} ${operation} ${status}`),
    reasons: writes.map(({ reason }) => reason),
  };
}

describe("edits in the words of aider's model (W5)", () => {
  it("are applied when aider says so", () => {
    const { file, writes } = outcomeOf([look(TEXT), block("    return 1\n", "    return 2\n")]);
    expect(file).toBe("def f():\n    return 2\n");
    expect(writes).toEqual(["W5 edit applied"]);
  });

  it("are refused when aider says nothing of them, or says why", () => {
    const silent = outcomeOf([look(TEXT), block("    return 1\n", "x\n", { isError: true, text: "" })]);
    expect(silent).toEqual({
      file: TEXT,
      writes: ["W5 edit refused"],
      reasons: ["aider does not say that it made this edit"],
    });
    const told = outcomeOf([
      look(TEXT),
      block("    return 1\n", "x\n", { isError: true, text: "Skipping edits to a.py" }),
    ]);
    expect(told.reasons).toEqual(["Skipping edits to a.py"]);
  });

  it("are assumed without a word, unless the file cannot hold them", () => {
    expect(outcomeOf([look(TEXT), block("    return 1\n", "    return 2\n", null)]).writes).toEqual([
      "W5 edit assumed",
    ]);
    const other = outcomeOf([look(TEXT), block("    return 7\n", "x\n", null)]);
    expect(other).toMatchObject({ file: TEXT, writes: ["W5 edit refused"] });
  });

  it("make the file unknown when aider applied what its known text does not hold", () => {
    const { files, conflicts } = buildHistory(
      trajectoryOf([look(TEXT), block("other\n", "x\n")], { directory: null }),
      null,
    );
    expect(files.get(PATH)?.versions.at(-1)?.content.kind).toBe("unknown");
    expect(conflicts.map(({ message }) => message)).toEqual([
      expect.stringContaining("SEARCH lines are not in the file"),
    ]);
  });

  it("without SEARCH lines create a file where aider says that it is new, else add to it", () => {
    const create: TestCall = {
      tool: "aider_search_replace",
      arguments: { path: PATH, search: "", replace: "x\n", created: true },
      result: SAID,
    };
    expect(outcomeOf([create])).toMatchObject({ file: "x\n", writes: ["W5 create applied"] });
    expect(outcomeOf([look("a\n"), block("", "x\n")])).toMatchObject({ file: "a\nx\n", writes: ["W5 append applied"] });
    expect(outcomeOf([block("", "x\n")])).toMatchObject({ file: "unknown", writes: ["W5 append applied"] });
  });

  it("may repeat the file's name and a fence inside, which aider takes off", () => {
    const wrapped = block("src/a.py\n```python\n    return 1\n```\n", "```python\n    return 2\n```\n");
    expect(outcomeOf([look(TEXT), wrapped]).file).toBe("def f():\n    return 2\n");
  });

  it("of whole files write what they hold", () => {
    const write = (given: TestCall["arguments"]): TestCall => ({
      tool: "aider_whole_file",
      arguments: given,
      result: SAID,
    });
    const { file, writes } = outcomeOf([look(TEXT), write({ path: PATH, content: "x\n" })]);
    expect({ file, writes }).toEqual({ file: "x\n", writes: ["W5 overwrite applied"] });
  });

  it("of hunks are followed only where alone they stand", () => {
    const hunk = (search: string): TestCall => ({
      tool: "aider_udiff",
      arguments: { path: PATH, search, replace: "x\n" },
      result: SAID,
    });
    expect(outcomeOf([look("a\nb\n"), hunk("b\n")]).file).toBe("a\nx\n");
    expect(outcomeOf([look("b\nb\n"), hunk("b\n")]).file).toBe("unknown");
    expect(outcomeOf([look("a\n"), hunk("b\n")]).file).toBe("unknown");
  });

  it("are followed in a file with gaps only before the first gap", () => {
    const part = (startLine: number): TestCall => ({
      tool: "look",
      result: { reads: [readOf(PATH, "a\nb\n", startLine)] },
    });
    const known = (start: number) =>
      buildHistory(trajectoryOf([part(start), block("b\n", "x\ny\n")], { directory: null }), null)
        .files.get(PATH)
        ?.versions.at(-1)?.content;
    expect(known(1)).toEqual({
      kind: "partial",
      ranges: [{ startLine: 1, lines: ["a\n", "x\n", "y\n"] }],
      totalLines: null,
    });
    expect(known(5)).toEqual({ kind: "unknown" });
  });

  it("that were not found make the file unknown, those without a path nothing", () => {
    const applied: TestCall = { tool: "aider_edit", arguments: { path: PATH }, result: SAID };
    expect(outcomeOf([look(TEXT), applied])).toMatchObject({ file: "unknown", writes: ["W5 opaque opaque"] });
    const nameless: TestCall = { tool: "aider_search_replace", arguments: { search: "a", replace: "b" }, result: SAID };
    expect(outcomeOf([nameless]).writes).toEqual([]);
  });
});

describe("/undo", () => {
  const undo = (edits: unknown, isError = false): TestCall => ({
    tool: "aider_undo",
    arguments: { commits: ["1a2b3c4"], files: [{ path: PATH, edits: typeof edits === "number" ? edits : "many" }] },
    result: { isError, text: isError ? "The last commit was not made by aider" : "Removed: 1a2b3c4 fix" },
  });
  const edits = [look("a\nb\n"), block("a\n", "A\n"), block("b\n", "B\n")];

  it("brings back what was there before the edits of the commit", () => {
    expect(outcomeOf([...edits, undo(1)]).file).toBe("A\nb\n");
    expect(outcomeOf([...edits, undo(2)]).file).toBe("a\nb\n");
    expect(outcomeOf([...edits, undo(1), undo(1)]).file).toBe("a\nb\n");
  });

  it("also behind an edit that cannot be followed", () => {
    const lost: TestCall = { tool: "aider_edit", arguments: { path: PATH }, result: SAID };
    expect(outcomeOf([look("a\n"), lost]).file).toBe("unknown");
    expect(outcomeOf([look("a\n"), lost, undo(1)]).file).toBe("a\n");
  });

  it("changes nothing when aider refuses, and reads no number that is none", () => {
    expect(outcomeOf([...edits, undo(1, true)]).file).toBe("A\nB\n");
    for (const odd of [0, -1, 0.5, "many"]) expect(outcomeOf([...edits, undo(odd)]).writes).toHaveLength(2);
  });

  it("leaves the file unknown when what was there is not known", () => {
    expect(outcomeOf([block("a\n", "A\n"), undo(1)]).file).toBe("unknown");
    expect(outcomeOf([look("a\n"), undo(1)]).file).toBe("unknown");
  });
});
