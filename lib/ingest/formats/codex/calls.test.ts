import { describe, expect, it } from "vitest";
import type { ResultItem } from "@/lib/trajectory/schema";
import { call, callsOf, event, from, item, load, noted, output, resultsOf } from "./test-lines";

describe("outputs", () => {
  const shown = (given: unknown, name = "shell"): ResultItem | undefined =>
    resultsOf(from(call("a", name, { command: ["cat", "f"] }), output("a", given)))[0];

  it.each([
    ['{"output":"x\\n","metadata":{"exit_code":2,"duration_seconds":0.5}}', "x\n", 2, 500],
    ["Exit code: 1\nWall time: 0.2 seconds\nOutput:\nx\n", "x\n", 1, 200],
    [
      "Chunk ID: 9\nWall time: 0.1 seconds\nProcess exited with code 0\nOriginal token count: 2\nOutput:\nx",
      "x",
      0,
      100,
    ],
    ["Exit code: 0\nWall time: 3 seconds\nTotal output lines: 9\nOutput:\nx", "Total output lines: 9\n\nx", 0, 3000],
    ["plain", "plain", null, null],
    ["a head\nOutput:\nthat is none", "a head\nOutput:\nthat is none", null, null],
    [[{ type: "input_text", text: "Exit code: 0\nOutput:\nx" }], "x", 0, null],
    [{ type: "input_text", text: "x" }, "x", null, null],
    [{ content: "x", success: false }, "x", null, null],
    [null, "", null, null],
  ])("%j", (given, text, exitCode, durationMs) => {
    expect(shown(given)).toMatchObject({ text, exitCode, durationMs });
  });

  it.each([
    [{ content: "x", success: false }, true],
    ["apply_patch verification failed: Failed to find expected lines in /f:\nx", true],
    ["Exit code: 0\nOutput:\nError: a log", false],
    ["nothing is said", null],
  ])("say whether it worked: %j", (given, isError) => {
    expect(shown(given)?.isError).toBe(isError);
  });

  it("show a file, and both ends of one whose middle is left out", () => {
    const [first, last] = resultsOf(load("0.5x/burst.jsonl"))[2]?.reads ?? [];
    expect(first).toMatchObject({ startLine: 1, text: "row 1\nrow 2\nrow 3\n", whole: false });
    expect(last).toMatchObject({ startLine: 298, text: "row 298\nrow 299\nrow 300\n", whole: false });
  });

  it.each([
    ["Total output lines: 6\n\na\n\n[... omitted 3 of 6 lines ...]\n\nb\n", "a count that does not fit"],
    ["a\n…12 tokens truncated…b\n", "a cut that is not told in lines"],
    ["a\r\nb\r\n", "the line ends of a terminal"],
  ])("show no file: %j, %s", (text) => {
    expect(shown(JSON.stringify({ output: text, metadata: { exit_code: 0 } }))?.reads).toEqual([]);
  });

  it("show no file when a picture stands beside them", () => {
    expect(resultsOf(load("0.14x/completed-items.jsonl"))[0]?.reads).toEqual([]);
  });
});

describe("calls", () => {
  it("keep arguments that are no JSON as text", () => {
    const broken = callsOf(load("0.5x/burst.jsonl")).at(-1);
    expect(broken).toMatchObject({
      arguments: null,
      text: '{"command":["bash","-lc","python -m pyt',
      callKind: "execute",
    });
  });

  it("with the same identifier are answered in order, and a third output goes to the last", () => {
    const trajectory = from(
      call("a", "exec_command", { cmd: "cat 1" }),
      call("a", "exec_command", { cmd: "cat 2" }),
      output("a", "one"),
      output("a", "two"),
      output("a", "three"),
      output("b", "orphan"),
    );
    const [first, second] = callsOf(trajectory);
    expect(resultsOf(trajectory).map(({ text, callItem }) => [text, callItem])).toEqual([
      ["one", first?.id],
      ["two", second?.id],
      ["three", second?.id],
      ["orphan", null],
    ]);
    expect(noted(trajectory)).toEqual({ result_without_call: 1 });
  });

  it("typed into a bare shell are command lines; into another program they are not", () => {
    const typed = callsOf(load("0.9x/live.jsonl")).filter(({ tool }) => tool === "write_stdin");
    expect(typed.map(({ text, callKind }) => [text, callKind])).toEqual([
      [null, "execute"],
      ["echo done > NOTES\n", "write"],
    ]);
  });

  it("carry the script that a shell is started for, or all of its words", () => {
    const lines = [
      ["bash", "-lc", "ls | wc -l"],
      ["git", "commit", "-m", "it's"],
    ].map((command) => callsOf(from(call("a", "shell", { command })))[0]?.text);
    expect(lines).toEqual(["ls | wc -l", "git commit -m 'it'\\''s'"]);
  });

  it("of a custom tool keep free text apart from a command line", () => {
    const custom = item({ type: "custom_tool_call", name: "exec", call_id: "a", input: "const f = (x) => x" });
    expect(callsOf(from(custom))[0]).toMatchObject({ arguments: { input: "const f = (x) => x" }, text: null });
  });
});

describe("files that a patch changed", () => {
  it("are carried as recorded, in the shapes of both ages", () => {
    const [patched] = resultsOf(load("0.9x/live.jsonl")).filter(({ recorded }) => recorded.length > 0);
    expect(patched?.recorded).toEqual([
      expect.objectContaining({
        path: "/home/ada/shop/price.py",
        existedBefore: true,
        patch: expect.stringMatching(/^@@ -1,2/),
      }),
      expect.objectContaining({ path: "/home/ada/shop/CHANGES", after: "Prices are rounded.\n" }),
    ]);
    expect(
      resultsOf(load("exec/events.jsonl"))[0]?.recorded.map(({ path, before, after }) => [path, before, after]),
    ).toEqual([
      ["/home/ada/tool/hello.txt", null, "hello\n"],
      ["/home/ada/tool/bye.txt", null, null],
      ["/home/ada/tool/gone.txt", "x\n", null],
    ]);
  });

  it("are not recorded when the patch failed", () => {
    const changes = { "/f": { type: "add", content: "x" } };
    const end = event({ type: "patch_apply_end", call_id: "a", success: false, stderr: "no", changes });
    expect(resultsOf(from(end))[0]).toMatchObject({ isError: true, recorded: [], text: "no" });
  });
});
