import { describe, expect, it } from "vitest";
import { blame } from "./blame";
import { buildHistory } from "./history";
import type { ArtefactHistory } from "./model";
import { encodeVersions } from "./storage";
import { recordOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const OK = { text: "Success. Updated the following files:\nM a.py\n" };
const patch = (...lines: string[]): string => ["*** Begin Patch", ...lines, "*** End Patch"].join("\n");
const CHANGE = patch("*** Update File: a.py", "@@", "-a", "+A");

/** The history after files were read and calls were made. */
function historyOf(files: Record<string, string>, ...calls: TestCall[]): ArtefactHistory {
  const reads = Object.entries(files).map(([path, text]) => wholeRead(`/repo/${path}`, text));
  return buildHistory(trajectoryOf([{ tool: "look", result: { reads } }, ...calls]), null);
}

/** The newest content of each file: its text, or what is known of it. */
function contents(history: ArtefactHistory): Record<string, string> {
  return Object.fromEntries(
    [...history.files].map(([path, { versions }]) => {
      const content = versions.at(-1)?.content;
      return [path.replace("/repo/", ""), content?.kind === "whole" ? content.text : (content?.kind ?? "")];
    }),
  );
}

const writes = (history: ArtefactHistory): string[] =>
  history.writes.map(
    ({ path, grammar, operation, status }) => `${grammar} ${path.replace("/repo/", "")} ${operation} ${status}`,
  );

describe("a patch in each of its shapes", () => {
  const heredoc = `apply_patch <<'PATCH'\n${CHANGE}\nPATCH\n`;
  it.each<[string, TestCall]>([
    ["text", { tool: "apply_patch", text: CHANGE }],
    ["argument input", { tool: "apply_patch", arguments: { input: CHANGE } }],
    ["argument patch", { tool: "apply_patch", arguments: { patch: CHANGE } }],
    ["argument with a here-document", { tool: "apply_patch", arguments: { input: `<<'EOF'\n${CHANGE}\nEOF\n` } }],
    ["here-document", { tool: "shell", text: heredoc }],
    ["here-document with quotes in quotes", { tool: "bash", text: `applypatch <<"X"\n${CHANGE}\nX` }],
    ["words of a list", { tool: "shell", text: `apply_patch '${CHANGE}'` }],
    ["bash -lc", { tool: "shell", text: `bash -lc "apply_patch <<'PATCH'\n${CHANGE}\nPATCH"` }],
    ["plain delimiter, nothing to fill in", { tool: "shell", text: `apply_patch <<EOF\n${CHANGE}\nEOF` }],
    ["one operation", { tool: "apply_patch", arguments: { type: "update_file", path: "a.py", diff: "@@\n-a\n+A" } }],
  ])("%s", (_, call) => {
    const history = historyOf({ "a.py": "a\nb\n" }, { ...call, result: OK });
    expect(contents(history)).toEqual({ "a.py": "A\nb\n" });
    expect(writes(history)).toEqual(["W4 a.py edit applied"]);
    expect(history.writes[0]).toMatchObject({ addedLines: 1, removedLines: 1, fragment: { before: "a", after: "A" } });
  });

  it.each([
    ["cd sub && apply_patch <<'EOF'", "sub/a.py"],
    ["cd '/else where' && apply_patch <<'EOF'", "/else where/a.py"],
    ["cd ..  &&\napply_patch <<'EOF'", "/a.py"],
  ])("behind a change of directory: %s", (start, path) => {
    const history = historyOf({}, { tool: "shell", text: `${start}\n${CHANGE}\nEOF`, result: OK });
    expect(history.writes.map((write) => write.path.replace("/repo/", ""))).toEqual([path]);
  });

  it("among other commands, in the folder where they stand", () => {
    const line = `cd sub && cat > a.py <<'E'\na\nb\nE\napply_patch <<'PATCH'\n${CHANGE}\nPATCH\necho done`;
    const history = historyOf({}, { tool: "shell", text: line, result: { text: "Success.\ndone\n", exitCode: 0 } });
    expect(contents(history)).toEqual({ "sub/a.py": "A\nb\n" });
    expect(writes(history)).toEqual(["W7 sub/a.py overwrite applied", "W7 sub/a.py edit applied"]);
  });

  it("in the folder in which the call asks to run, which is that call's alone", () => {
    const call = (workdir: string | null): TestCall => ({
      tool: "shell",
      text: `apply_patch <<'E'\n${CHANGE}\nE`,
      arguments: workdir === null ? {} : { workdir },
      // Nothing but the call itself tells where it runs.
      state: { workingDirectory: null },
      result: { ...OK, reads: [wholeRead("r.py", "r\n")] },
    });
    const history = historyOf({}, call("/else"), call("sub"), call(null));
    expect(history.writes.map(({ path }) => path)).toEqual(["/else/a.py", "/repo/sub/a.py", "/repo/a.py"]);
    expect([...history.files.keys()].filter((path) => path.endsWith("r.py"))).toEqual([
      "/else/r.py",
      "/repo/sub/r.py",
      "/repo/r.py",
    ]);
  });

  it("is not told when the shell fills something in", () => {
    const filled = patch("*** Update File: a.py", "@@", "-a", "+$HOME");
    const history = historyOf(
      { "a.py": "a\n" },
      { tool: "shell", text: `apply_patch <<EOF\n${filled}\nEOF`, result: OK },
    );
    expect([contents(history), writes(history)]).toEqual([{ "a.py": "unknown" }, ["W4 a.py opaque opaque"]]);
  });
});

describe("what a patch does to files", () => {
  it("adds, changes, moves and deletes", () => {
    const all = patch(
      "*** Add File: new/n.py",
      "+one",
      "+",
      "*** Update File: a.py",
      "*** Move to: b.py",
      "@@",
      "-a",
      "+A",
      "*** Delete File: d.py",
    );
    const history = historyOf({ "a.py": "a\nb\n", "d.py": "d\n" }, { tool: "apply_patch", text: all, result: OK });
    expect(contents(history)).toEqual({ "a.py": "absent", "d.py": "absent", "new/n.py": "one\n\n", "b.py": "A\nb\n" });
    expect(writes(history)).toEqual([
      "W4 new/n.py create applied",
      "W4 a.py edit applied",
      "W4 b.py move applied",
      "W4 a.py delete applied",
      "W4 d.py delete applied",
    ]);
    expect(history.conflicts).toEqual([]);
  });

  it("moves a file without changing it, over one that stands there", () => {
    const move = patch("*** Update File: a.py", "*** Move to: b.py");
    const history = historyOf({ "a.py": "a\n", "b.py": "b\n" }, { tool: "apply_patch", text: move, result: OK });
    expect(contents(history)).toEqual({ "a.py": "absent", "b.py": "a\n" });
  });

  it("writes a file anew that an addition names", () => {
    const add = patch("*** Add File: a.py", "+x");
    expect(contents(historyOf({ "a.py": "a\n" }, { tool: "apply_patch", text: add, result: OK }))).toEqual({
      "a.py": "x\n",
    });
  });

  it("is the writer of the lines that came, and of no others", () => {
    const history = historyOf(
      { "a.py": "x\na\ny\n" },
      { tool: "apply_patch", text: patch("*** Update File: a.py", "@@", " x", "-a", "+A", " y"), result: OK },
    );
    const file = history.files.get("/repo/a.py");
    const runs = file ? blame(file.versions, encodeVersions(file.versions), 1) : [];
    expect(runs.map(({ startLine, lineCount, turn }) => [startLine, lineCount, turn])).toEqual([
      [1, 1, null],
      [2, 1, 1],
      [3, 1, null],
    ]);
  });
});

describe("a patch that the tool did not take", () => {
  const two = patch("*** Update File: a.py", "@@", "-a", "+A", "*** Update File: b.py", "@@", "-z", "+Z");
  const files = { "a.py": "a\n", "b.py": "b\n" };

  it.each([
    ["apply_patch verification failed: Failed to find expected lines in /repo/b.py:\nz", null],
    ["patch rejected by user", null],
    ["Invalid patch hunk on line 3", null],
    ["no permission", true],
  ])("changes nothing: %s", (text, isError) => {
    const history = historyOf(files, { tool: "apply_patch", text: two, result: { text, isError } });
    expect(contents(history)).toEqual(files);
    expect(writes(history)).toEqual(["W4 a.py edit refused", "W4 b.py edit refused"]);
    expect(history.writes[0]?.reason).toBe(text.split("\n")[0]);
  });

  it("changes nothing when nobody answers and one of its files does not fit", () => {
    const history = historyOf(files, { tool: "apply_patch", text: two, result: null });
    expect(contents(history)).toEqual(files);
    expect(writes(history)).toEqual(["W4 a.py edit refused", "W4 b.py edit refused"]);
    expect(history.writes[0]?.reason).toMatch(/expects are not in the file: 'z' \(b\.py\)/);
  });

  it("may have changed the files before the one at which it failed", () => {
    const text = "Failed to find expected lines in b.py:\nz";
    const history = historyOf(files, {
      tool: "shell",
      text: `apply_patch <<'E'\n${two}\nE`,
      result: { text, exitCode: 1 },
    });
    expect(contents(history)).toEqual({ ...files, "a.py": "unknown" });
    expect(writes(history)).toEqual(["W4 a.py opaque opaque", "W4 b.py edit refused"]);
  });

  it("is a conflict when the tool says that it took what cannot fit", () => {
    const history = historyOf(files, { tool: "apply_patch", text: two, result: OK });
    expect(contents(history)).toEqual({ "a.py": "A\n", "b.py": "unknown" });
    expect(history.conflicts.map(({ path, kind }) => [path, kind])).toEqual([
      ["/repo/b.py", "replay_differs_from_record"],
    ]);
  });

  it.each([
    ["no beginning", "*** Update File: a.py\n@@\n-a\n+A\n*** End Patch"],
    ["no end", "*** Begin Patch\n*** Update File: a.py\n@@\n-a\n+A"],
    ["nothing to change", patch("*** Update File: a.py")],
    ["a line without a sign", patch("*** Update File: a.py", "@@", "a")],
    ["an unknown part", patch("*** Update File: a.py", "@@", "-a", "+A", "*** Rename File: a.py")],
  ])("cannot be read: %s", (_, text) => {
    const silent = historyOf(files, { tool: "apply_patch", text, result: null });
    expect([contents(silent), writes(silent)]).toEqual([files, ["W4 a.py opaque refused"]]);
    const taken = historyOf(files, { tool: "apply_patch", text, result: OK });
    expect([contents(taken)["a.py"], writes(taken)]).toEqual(["unknown", ["W4 a.py opaque opaque"]]);
  });
});

describe("what the trace records of a patch", () => {
  const unified = "@@ -1,2 +1,2 @@\n-a\n+A\n b\n";

  it("agrees with the patch, line ends and all", () => {
    const recorded = [recordOf("/repo/a.py", { patch: unified, existedBefore: true })];
    const history = historyOf({ "a.py": "a\nb\n" }, { tool: "apply_patch", text: CHANGE, result: { ...OK, recorded } });
    expect([contents(history), history.conflicts]).toEqual([{ "a.py": "A\nb\n" }, []]);
    expect(history.files.get("/repo/a.py")?.versions.at(-1)?.certainty).toBe("recorded");
  });

  it("counts more than the patch, and the difference is a conflict", () => {
    const recorded = [recordOf("/repo/a.py", { patch: unified.replace("+A", "+AA"), existedBefore: true })];
    const history = historyOf({ "a.py": "a\nb\n" }, { tool: "apply_patch", text: CHANGE, result: { ...OK, recorded } });
    expect(contents(history)).toEqual({ "a.py": "AA\nb\n" });
    expect(history.conflicts).toHaveLength(1);
  });

  it("tells the place of a change in lines that nobody read", () => {
    const recorded = [recordOf("/repo/a.py", { patch: "@@ -41,1 +41,1 @@\n-a\n+A\n", existedBefore: true })];
    const history = historyOf({}, { tool: "apply_patch", text: CHANGE, result: { ...OK, recorded } });
    expect(history.files.get("/repo/a.py")?.versions.at(-1)?.content).toMatchObject({
      ranges: [{ startLine: 41, lines: ["A\n"] }],
    });
  });

  it("is all that there is when only the changes are listed", () => {
    const changes = {
      "/repo/a.py": { type: "update", unified_diff: unified },
      "/repo/d.py": { delete: { content: "d\n" } },
    };
    const recorded = [
      recordOf("/repo/a.py", { patch: unified }),
      recordOf("/repo/d.py", { before: "d\n", existedBefore: true }),
    ];
    const history = historyOf(
      { "a.py": "a\nb\n" },
      { tool: "apply_patch", arguments: { changes }, result: { isError: false, recorded } },
    );
    expect(contents(history)).toEqual({ "a.py": "A\nb\n", "d.py": "absent" });
  });

  it("names files and no content when only their paths are listed", () => {
    const changes = [
      { path: "/repo/a.py", kind: "update" },
      { path: "/repo/d.py", kind: { type: "delete" } },
    ];
    const listed = (isError: boolean): ArtefactHistory =>
      historyOf({ "a.py": "a\n", "d.py": "d\n" }, { tool: "apply_patch", arguments: { changes }, result: { isError } });
    expect(contents(listed(false))).toEqual({ "a.py": "unknown", "d.py": "absent" });
    expect(contents(listed(true))).toEqual({ "a.py": "a\n", "d.py": "d\n" });
  });
});
