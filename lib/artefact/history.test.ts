import { describe, expect, it } from "vitest";
import { buildHistory } from "./history";
import { type ArtefactHistory, type FileVersion, nothingChecked } from "./model";
import { readOf, recordOf, type TestCall, trajectoryOf, wholeRead } from "./testing-trajectory";

const PATH = "/repo/a.py";

function last(history: ArtefactHistory, path = PATH): FileVersion {
  const version = history.files.get(path)?.versions.at(-1);
  if (version === undefined) throw new Error(`no version of ${path}`);
  return version;
}

function textOf(history: ArtefactHistory, path = PATH): string | null {
  const { content } = last(history, path);
  return content.kind === "whole" ? content.text : null;
}

const read = (text: string, path = PATH): TestCall => ({
  tool: "str_replace_editor",
  arguments: { command: "view", path },
  result: { reads: [wholeRead(path, text)] },
});

const replace = (before: string, after: string | undefined, result: TestCall["result"] = OK): TestCall => ({
  tool: "str_replace_editor",
  arguments: {
    command: "str_replace",
    path: PATH,
    old_str: before,
    ...(after === undefined ? {} : { new_str: after }),
  },
  result,
});

const OK = { text: "The file /repo/a.py has been edited. Here's the result of running `cat -n` on a snippet" };

describe("buildHistory", () => {
  it("is empty for a trajectory without files", () => {
    const history = buildHistory(trajectoryOf([]), null);
    expect(history).toEqual({ root: null, files: new Map(), writes: [], conflicts: [], checks: nothingChecked() });
  });

  it("replays edits on a file that was read", () => {
    const history = buildHistory(trajectoryOf([read("one\ntwo\nthree\n"), replace("two", "2")]), null);
    expect(textOf(history)).toBe("one\n2\nthree\n");
    expect(history.files.get(PATH)?.versions.map((version) => [version.operation, version.certainty])).toEqual([
      ["observe", "recorded"],
      ["edit", "replayed"],
    ]);
    expect(history.writes).toMatchObject([
      { grammar: "W1", status: "applied", versionBefore: 0, versionAfter: 1, addedLines: 1, removedLines: 1, turn: 1 },
    ]);
    expect(history.conflicts).toEqual([]);
  });

  it("U4: keeps a file whose path is an object's own name", () => {
    const call = {
      tool: "Write",
      arguments: { file_path: "__proto__", content: "x\n" },
      result: { text: "File created successfully at: __proto__" },
    };
    const history = buildHistory(trajectoryOf([call], { directory: null }), null);
    expect(textOf(history, "__proto__")).toBe("x\n");
  });

  it("changes nothing when an edit failed, and says why", () => {
    const failed = { text: "No replacement was performed, old_str `zwei` did not appear verbatim in /repo/a.py." };
    const history = buildHistory(trajectoryOf([read("one\n"), replace("zwei", "2", failed)]), null);
    expect(textOf(history)).toBe("one\n");
    expect(history.writes).toMatchObject([{ status: "refused", versionAfter: null, reason: failed.text }]);
  });

  it("counts a result from its arrival, not from where it is shown", () => {
    const first = replace("one", "two", { ...OK, late: 2 });
    const second = replace("one", "three", OK);
    const history = buildHistory(trajectoryOf([read("one\n"), first, second]), null);
    // The second edit came first, so the text of the late one is no longer there.
    expect(history.writes.map((write) => write.turn)).toEqual([2, 1]);
    expect(history.conflicts).toMatchObject([{ kind: "replay_differs_from_record", turn: 1 }]);
    expect(last(history).certainty).toBe("unknown");
  });

  it("assumes an edit without a result, and says so", () => {
    const history = buildHistory(trajectoryOf([read("one\n"), replace("one", "two", null)]), null);
    expect(textOf(history)).toBe("two\n");
    expect(history.writes).toMatchObject([{ status: "assumed" }]);
    expect(last(history).note).toContain("nothing says");
  });

  it("refuses an edit without a result that the known text contradicts", () => {
    const history = buildHistory(trajectoryOf([read("one\n"), replace("zwei", "two", null)]), null);
    expect(textOf(history)).toBe("one\n");
    expect(history.writes).toMatchObject([{ status: "refused", reason: "the text to replace is not in the file" }]);
  });

  it("finds one file under two spellings", () => {
    const edit: TestCall = {
      tool: "Edit",
      arguments: { file_path: "./src/../a.py", old_string: "one", new_string: "two" },
      result: { text: "The file a.py has been updated." },
    };
    const history = buildHistory(trajectoryOf([read("one\n"), edit]), null);
    expect([...history.files.keys()]).toEqual([PATH]);
    expect(history.files.get(PATH)?.aliases).toEqual(["./src/../a.py"]);
    expect(textOf(history)).toBe("two\n");
  });

  it("forgets a file after an opaque write until it is read again", () => {
    const black = { tool: "bash", text: "black a.py", result: { text: "reformatted a.py", exitCode: 0 } };
    const calls = [read("one\n"), black];
    const unknown = buildHistory(trajectoryOf(calls), null);
    expect(last(unknown)).toMatchObject({ operation: "opaque", certainty: "unknown", content: { kind: "unknown" } });
    const again = buildHistory(trajectoryOf([...calls, read("ONE\n")]), null);
    expect(textOf(again)).toBe("ONE\n");
    expect(again.conflicts).toEqual([]);
  });

  it("lets a recorded content win over the replay and reports the difference", () => {
    const call: TestCall = {
      tool: "Edit",
      arguments: { file_path: PATH, old_string: "one", new_string: "two" },
      result: { text: "The file has been updated.", recorded: [recordOf(PATH, { before: "one\n", after: "two \n" })] },
    };
    const history = buildHistory(trajectoryOf([call]), null);
    expect(textOf(history)).toBe("two \n");
    expect(last(history).certainty).toBe("recorded");
    expect(history.conflicts).toMatchObject([{ kind: "replay_differs_from_record", path: PATH, turn: 0 }]);
  });

  it("takes a text that a person changed from the record without calling it a conflict", () => {
    const patch = "@@ -1,2 +1,2 @@\n-one\n+uno\n two\n";
    const call: TestCall = {
      tool: "Edit",
      arguments: { file_path: PATH, old_string: "one", new_string: "1" },
      result: {
        text: "The file has been updated.",
        recorded: [recordOf(PATH, { before: "one\ntwo\n", patch, byPerson: true })],
      },
    };
    const history = buildHistory(trajectoryOf([call]), null);
    expect(textOf(history)).toBe("uno\ntwo\n");
    expect(history.conflicts).toEqual([]);
    expect(last(history).note).toContain("a person changed");
  });

  it("reports a content before the write that was not the one known, and goes on from the record", () => {
    const call: TestCall = {
      tool: "Edit",
      arguments: { file_path: PATH, old_string: "two", new_string: "2" },
      result: {
        text: "has been updated",
        recorded: [recordOf(PATH, { before: "zero\ntwo\n", patch: "@@ -1,2 +1,2 @@\n zero\n-two\n+2\n" })],
      },
    };
    const history = buildHistory(trajectoryOf([read("one\ntwo\n"), call]), null);
    expect(textOf(history)).toBe("zero\n2\n");
    expect(history.conflicts).toHaveLength(1);
    expect(history.files.get(PATH)?.versions.map((version) => version.operation)).toEqual([
      "observe",
      "observe",
      "edit",
    ]);
  });

  it("keeps recorded files of calls that it cannot read", () => {
    const call: TestCall = {
      tool: "Mystery",
      result: { recorded: [recordOf(PATH, { after: "x\n", existedBefore: false })] },
    };
    const history = buildHistory(trajectoryOf([call]), null);
    expect(history.writes).toMatchObject([{ grammar: "W8", operation: "create", status: "applied" }]);
    expect(textOf(history)).toBe("x\n");
  });

  it("keeps gaps: an edit outside the known lines leaves them as they are", () => {
    const shown = readOf(PATH, "l5\nl6\nl7\n", 5, { totalLines: 20 });
    const view: TestCall = {
      tool: "str_replace_editor",
      arguments: { command: "view", path: PATH },
      result: { reads: [shown] },
    };
    const history = buildHistory(trajectoryOf([view, replace("far away", "near", OK)]), null);
    expect(last(history)).toMatchObject({
      certainty: "partial",
      content: { kind: "partial", totalLines: 20, ranges: [{ startLine: 5 }] },
    });
    expect(history.conflicts).toEqual([]);
  });

  it("never matches across a gap", () => {
    const reads = [readOf(PATH, "one\n", 1), readOf(PATH, "two\n", 3)];
    const view: TestCall = {
      tool: "str_replace_editor",
      arguments: { command: "view", path: PATH },
      result: { reads },
    };
    const history = buildHistory(trajectoryOf([view, replace("one\ntwo\n", "x\n", OK)]), null);
    const { content } = last(history);
    // The edit reached into lines that are not known: what it touched is known no more.
    expect(JSON.stringify(content)).not.toContain("x\\n");
  });

  it("places an edit by the lines that the answer shows", () => {
    const reads = [readOf(PATH, "l9\nnew\nl11\n", 9)];
    const history = buildHistory(trajectoryOf([replace("old", "new", { ...OK, reads })]), null);
    expect(last(history).content).toEqual({
      kind: "partial",
      ranges: [{ startLine: 9, lines: ["l9\n", "new\n", "l11\n"] }],
      totalLines: null,
    });
  });

  it("starts from the baseline and checks it against what was read", () => {
    const baseline = { files: new Map([["a.py", "one\ntwo\n"]]) };
    const same = buildHistory(trajectoryOf([read("one\ntwo\n"), replace("one", "1")]), baseline);
    expect(same.files.get(PATH)?.versions.map((version) => version.certainty)).toEqual(["given", "replayed"]);
    expect(same.files.get(PATH)?.versions[0]).toMatchObject({
      turn: null,
      item: null,
      arrival: -1,
      operation: "baseline",
    });
    expect(same.conflicts).toEqual([]);
    const other = buildHistory(trajectoryOf([read("one\nother\n")]), baseline);
    expect(other.conflicts).toMatchObject([{ kind: "baseline_differs_from_read", path: PATH, turn: 0 }]);
    expect(textOf(other)).toBe("one\nother\n");
  });

  it("compares the delivered patch with the replay", () => {
    const patch = (line: string): string =>
      `diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-one\n+${line}\n`;
    const calls = [read("one\n"), replace("one", "two")];
    expect(buildHistory(trajectoryOf(calls, { deliveredPatch: patch("two") }), null).conflicts).toEqual([]);
    expect(buildHistory(trajectoryOf(calls, { deliveredPatch: patch("three") }), null).conflicts).toMatchObject([
      { kind: "patch_differs_from_replay", path: PATH, turn: null },
    ]);
  });

  it("compares a recorded cumulative diff, which may lag one step behind", () => {
    const diff = (line: string): string =>
      `diff --git a/a.py b/a.py\n--- a/a.py\n+++ b/a.py\n@@ -1,1 +1,1 @@\n-one\n+${line}\n`;
    const state = (line: string): TestCall["state"] => ({ when: "after", cumulativeDiff: diff(line) });
    const calls = (line: string): TestCall[] => [
      read("one\n"),
      replace("one", "two"),
      { ...replace("two", "three"), state: state(line) },
    ];
    expect(buildHistory(trajectoryOf(calls("three")), null).conflicts).toEqual([]);
    expect(buildHistory(trajectoryOf(calls("two")), null).conflicts).toEqual([]);
    expect(buildHistory(trajectoryOf(calls("four")), null).conflicts).toHaveLength(1);
  });

  it("compares the diff that a command prints", () => {
    const diff = "diff --git a/a.py b/a.py\r\n--- a/a.py\r\n+++ b/a.py\r\n@@ -1 +1 @@\r\n-one\r\n+";
    const calls = (line: string, text = "git diff"): TestCall[] => [
      read("one\n"),
      replace("one", "two"),
      { tool: "bash", text, result: { text: `${diff}${line}\r\n`, exitCode: 0 } },
    ];
    expect(buildHistory(trajectoryOf(calls("two")), null).conflicts).toEqual([]);
    expect(buildHistory(trajectoryOf(calls("three")), null).conflicts).toMatchObject([
      { kind: "patch_differs_from_replay", path: PATH, turn: 2 },
    ]);
    const structured = calls("three").map((call) => ({ ...call, text: null, arguments: { command: call.text ?? "" } }));
    const [edited, printed] = [calls("three").slice(0, 2), structured.slice(2)];
    expect(buildHistory(trajectoryOf([...edited, ...printed]), null).conflicts).toHaveLength(1);
    // Another commit's diff says nothing of the files as they are now.
    expect(buildHistory(trajectoryOf(calls("three", "git show HEAD~1")), null).conflicts).toEqual([]);
  });

  it("finds the input in an archive that puts everything into one folder", () => {
    const baseline = {
      files: new Map([
        ["repo-1a2b/a.py", "one\n"],
        ["repo-1a2b/src/b.py", "b\n"],
      ]),
    };
    const history = buildHistory(trajectoryOf([replace("one", "two")]), baseline);
    expect(textOf(history)).toBe("two\n");
  });

  it("takes edits back one by one", () => {
    const undo: TestCall = {
      tool: "str_replace_editor",
      arguments: { command: "undo_edit", path: PATH },
      result: { text: "Last edit to /repo/a.py undone successfully." },
    };
    const calls = [read("one\n"), replace("one", "two"), replace("two", "three"), undo];
    expect(textOf(buildHistory(trajectoryOf(calls), null))).toBe("two\n");
    expect(textOf(buildHistory(trajectoryOf([...calls, undo]), null))).toBe("one\n");
    expect(last(buildHistory(trajectoryOf([...calls, undo, undo]), null)).content.kind).toBe("unknown");
  });

  it("gives both sides of a move", () => {
    const move: TestCall = { tool: "bash", text: "mv a.py b.py", result: { exitCode: 0 } };
    const history = buildHistory(trajectoryOf([read("one\n"), move]), null);
    expect(textOf(history, "/repo/b.py")).toBe("one\n");
    expect(last(history).content.kind).toBe("absent");
  });

  describe("with agents that share a shell", () => {
    const bash = (text: string, agent: string, directory = "/repo"): TestCall => ({
      tool: "Bash",
      arguments: { command: text },
      result: { isError: false },
      agent,
      state: { workingDirectory: directory },
    });
    const shared = (calls: TestCall[]): ArtefactHistory => {
      const trajectory = trajectoryOf(calls);
      return buildHistory(
        { ...trajectory, agents: [...trajectory.agents, { id: "sub", name: "sub", startedByTurn: 0 }] },
        null,
      );
    };
    const moved = bash("cd /repo/app", "main");

    it("does not say which of two files a relative write changed", () => {
      const history = shared([bash("pwd", "sub"), moved, bash("echo x > a.py", "sub")]);
      expect(history.writes).toMatchObject([
        { path: PATH, status: "opaque" },
        { path: "/repo/app/a.py", status: "opaque" },
      ]);
    });

    it("says it for a full path, after a cd, and when the trace's folder follows", () => {
      const cases: [TestCall[], string][] = [
        [[moved, bash("echo x > /repo/a.py", "sub")], PATH],
        [[moved, bash("cd /repo && echo x > a.py", "sub")], PATH],
        [[moved, bash("cd /repo", "sub"), bash("echo x > a.py", "sub")], PATH],
        [[bash("pwd", "sub"), moved, bash("echo x > a.py", "sub", "/repo/app")], "/repo/app/a.py"],
        [
          [bash("cd nowhere", "main"), bash("echo x > a.py", "sub")].map((call, n) =>
            n === 0 ? { ...call, result: { text: "bash: cd: nowhere: No such file or directory" } } : call,
          ),
          PATH,
        ],
      ];
      for (const [calls, path] of cases) {
        expect(shared(calls).writes).toMatchObject([{ path, status: "applied" }]);
      }
    });

    it("believes the trace's folder when there is one agent only", () => {
      expect(buildHistory(trajectoryOf([moved, bash("echo x > a.py", "main")]), null).writes).toMatchObject([
        { path: PATH, status: "applied" },
      ]);
    });
  });

  it("starts each call where the turn says when every call has a shell of its own", () => {
    const bash = (text: string, directory: string | null): TestCall => ({
      tool: "bash",
      text,
      result: { exitCode: 0 },
      state: { workingDirectory: directory, freshShell: true },
    });
    const inOneTurn = (calls: TestCall[]): ArtefactHistory => {
      const trajectory = trajectoryOf(calls);
      const turns = trajectory.entries.filter((entry) => entry.kind === "turn");
      const items = turns.flatMap((turn) => turn.items);
      return buildHistory({ ...trajectory, entries: turns.slice(0, 1).map((turn) => ({ ...turn, items })) }, null);
    };
    const written = (directory: string | null): string[] =>
      inOneTurn([bash("cd app && echo x > a.py", directory), bash("echo x > a.py", directory)]).writes.map(
        (write) => write.path,
      );
    expect(written("/repo")).toEqual(["/repo/app/a.py", "/repo/a.py"]);
    expect(written(null)).toEqual(["app/a.py", "a.py"]);
  });
});
