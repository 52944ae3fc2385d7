import { describe, expect, it } from "vitest";
import { SampleRun } from "@/lib/investigator/test-support/sample-run";
import type { Turn } from "@/lib/trajectory/schema";
import { oneLine } from "./one-line";
import { outlineTurn, TITLE_MAX_CHARS } from "./outline";

const outline = (run: SampleRun) => outlineTurn(run.turn().at(0), run.writesOf(0));
const one = (build: (run: SampleRun) => SampleRun) => outline(build(new SampleRun().turn("I will do this.")));

describe("outline titles", () => {
  it.each<[string, (run: SampleRun) => SampleRun, string, string]>([
    ["a new file", (run) => run.write("/repo/reproduce.py", "print(1)"), "Writes reproduce.py", "write"],
    ["an edit", (run) => run.write("/repo/src/wrap.py", "a\nb\nc", { before: "x" }), "Edits wrap.py +3 −1", "write"],
    [
      "two edits of a file and one of another",
      (run) =>
        run
          .write("/repo/a.py", "1\n2", { before: "x" })
          .write("/repo/a.py", "3", { before: "x" })
          .write("/repo/b.py", "4"),
      "Edits a.py +3 −2 and 1 more",
      "write",
    ],
    [
      "an edit of unknown size",
      (run) => run.write("/repo/a.py", "1", { before: "x", addedLines: null }),
      "Edits a.py",
      "write",
    ],
    [
      "an overwrite",
      (run) => run.write("/repo/a.py", "1", { operation: "overwrite", versionBefore: 0 }),
      "Overwrites a.py +1 −0",
      "write",
    ],
    ["a deletion", (run) => run.write("/repo/a.py", "", { operation: "delete" }), "Deletes a.py", "write"],
    [
      "a refused edit",
      (run) => run.write("/repo/a.py", "1", { before: "x", status: "refused", reason: "introduced a syntax error" }),
      "Edit refused, syntax",
      "write",
    ],
    [
      "a refused edit for another reason",
      (run) => run.write("/repo/a.py", "1", { before: "x", status: "refused", reason: "the tool was busy" }),
      "Edit refused, a.py",
      "write",
    ],
    [
      "a test run",
      (run) => run.run("cd /repo && python -m pytest tests/x 2>&1", "1 passed in 0.1s"),
      "Runs pytest tests/x",
      "test",
    ],
    ["a command", (run) => run.run("make all\necho done", "ok"), "Runs make all", "execute"],
    ["a search", (run) => run.run('grep -rn "same_host" src', "", {}, "search"), "Searches same_host", "search"],
    ["a file search", (run) => run.run("find . -name '*.cfg'", "", {}, "search"), "Searches *.cfg", "search"],
    ["a whole file", (run) => run.read("/repo/src/models.py"), "Reads models.py", "read"],
    ["a part of a file", (run) => run.read("/repo/src/models.py", "a\nb\nc\n", 40), "Reads models.py 40–42", "read"],
    [
      "a file by command",
      (run) => run.run("cd /repo && tail -n 8 src/a.py | cat", "x", {}, "read"),
      "Reads a.py",
      "read",
    ],
    [
      "a part of a file by command",
      (run) => run.run("cd /repo && sed -n '40,97p' src/models.py", "x", {}, "read"),
      "Reads models.py 40–97",
      "read",
    ],
    ["one line by command", (run) => run.run("sed -n 7p a.py | cat", "x", {}, "read"), "Reads a.py 7", "read"],
    ["the rest by command", (run) => run.run('sed -n "7,$p" a.py', "x", {}, "read"), "Reads a.py from 7", "read"],
    ["a listing by command", (run) => run.run("ls -la", "x", {}, "read"), "Runs ls -la", "read"],
    ["a write that makes no file", (run) => run.run("mkdir -p out", "", {}, "write"), "Runs mkdir -p out", "write"],
    [
      "a to-do list",
      (run) => run.result(run.call({ tool: "TodoWrite", callKind: "other" }), "ok"),
      "Updates its plan",
      "other",
    ],
    ["a submit", (run) => run.submit(), "Submits", "submit"],
    ["words only", (run) => run, "Thinks: I will do this.", "think"],
  ])("%s", (_, build, title, activity) => expect(one(build)).toMatchObject({ title, activity }));

  it("says when a result failed, and when an edit was refused", () => {
    expect(one((run) => run.run("ls", "", { exitCode: 2 })).hasError).toBe(true);
    expect(one((run) => run.run("ls", "", { exitCode: 0 })).hasError).toBe(false);
    expect(one((run) => run.write("/repo/a.py", "1", { before: "x", status: "refused" })).hasError).toBe(true);
  });

  it("copes with an empty turn", () => {
    const turn: Turn = new SampleRun().turn().at(0);
    expect(outlineTurn(turn, [])).toEqual({ title: "Thinks", activity: "think", hasError: false, sizeChars: 0 });
  });

  it("X7, X8: keeps hostile text to one short harmless line", () => {
    const hostile = "\u001b]0;owned\u0007\u202egnp.exe\u202c\r\n\u0000<script>alert(1)</script>\u001b[31m".padEnd(
      100_000,
      "x",
    );
    for (const build of [
      (run: SampleRun) => run.run(hostile, ""),
      (run: SampleRun) => run.write(`/repo/${hostile}`, "x"),
      (run: SampleRun) => run.read(`/repo/${hostile}`),
      (run: SampleRun) => run.run(`grep ${hostile}`, "", {}, "search"),
      () => new SampleRun().turn(hostile),
    ]) {
      const { title } = outline(build(new SampleRun().turn()));
      expect([...title].length).toBeLessThanOrEqual(TITLE_MAX_CHARS);
      expect([...title].every((char) => char >= " " && char !== "\u202e" && char !== "\u007f")).toBe(true);
    }
  });
});

describe("oneLine", () => {
  it.each([
    ["a\n\t b", 80, "a b"],
    ["\u001b[1;31mred\u001b[0m", 80, "red"],
    ["\u001b]8;;https://x\u0007link\u001b]8;;\u001b\\", 80, "link"],
    ["\u001b]0;title\u0007rest", 80, "rest"],
    ["\u001b", 80, ""],
    ["a\u200bb\u202ec\ufeff", 80, "abc"],
    ["\ud800x", 80, "\ufffdx"],
    ["abcdef", 4, "abc…"],
    ["😀😀😀", 2, "😀…"],
    ["ab cd", 5, "ab cd"],
  ])("%j", (text, max, line) => expect(oneLine(text, max)).toBe(line));
});
