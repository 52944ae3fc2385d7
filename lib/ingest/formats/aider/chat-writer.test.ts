import { describe, expect, it } from "vitest";
import { type ResultItem, type Turn, turnsOf } from "@/lib/trajectory/schema";
import { answer, block, callsIn, contextsIn, notesOf, person, read, START, said } from "./test-history";

describe("what aider tells", () => {
  const usageOf = (line: string): Turn["usage"] | undefined =>
    turnsOf(read(`${START}${person("a")}${answer("b")}${said(line)}`).trajectory)[0]?.usage;

  it.each([
    ["Tokens: 12k sent, 1.2k received. Cost: $0.01 message, $0.05 session.", [12_000, null, 1_200, 0.01]],
    ["Tokens: 5,244 sent, 371 received. Cost: $0.02 request, $0.12 session.", [5_244, null, 371, 0.02]],
    ["Tokens: 2.6k sent, 3k cache write, 1.1k cache hit, 9 received.", [2_600, 1_100, 9, null]],
    ["Tokens: 1.5M sent, 0 received.", [1_500_000, null, 0, null]],
  ])("of tokens and cost: %s", (line, [inputTokens, cachedTokens, outputTokens, costUsd]) => {
    expect(usageOf(line)).toEqual({ inputTokens, cachedTokens, outputTokens, costUsd });
  });

  it("of the session's cost counts once, as last told", () => {
    const tokens = (cost: string): string =>
      said(`Tokens: 1k sent, 1 received. Cost: $0.01 message, $${cost} session.`);
    const text = `${START}${person("a")}${answer("b")}${tokens("0.05")}${person("c")}${answer("d")}${tokens("0.09")}`;
    expect(read(text).trajectory.totals).toMatchObject({ inputTokens: 2_000, costUsd: 0.09 });
  });

  it("of models holds until another is told", () => {
    const first = said("Main model: gpt-4o with diff edit format", "Weak model: gpt-4o-mini");
    const then = said("Models: claude-3-5-sonnet-20240620 with ♾️ diff edit format, weak model claude-3-haiku-20240307");
    const text = `${START}${first}${person("a")}${answer("b")}${person("/model sonnet")}${then}${person("c")}${answer("d")}`;
    const { trajectory } = read(text);
    expect(turnsOf(trajectory).map(({ model }) => model)).toEqual(["gpt-4o", "claude-3-5-sonnet-20240620"]);
    expect(trajectory.models).toEqual([
      "gpt-4o",
      "gpt-4o-mini",
      "claude-3-5-sonnet-20240620",
      "claude-3-haiku-20240307",
    ]);
    expect(trajectory.framework.version).toBe("0.75.1");
  });

  it("of a command that it ran is a call, of one that it only suggests is not", () => {
    const text = (reply: string, ...more: string[]): string =>
      `${START}${person("a")}${answer("b")}${said("make", `Run shell command? (Y)es/(N)o [Yes]: ${reply}`, ...more)}`;
    expect(callsIn(text("y", "Running make"))[0]).toMatchObject({
      callKind: "execute",
      arguments: { command: "make" },
    });
    expect(callsIn(text("n"))).toEqual([]);
  });
});

describe("what a person does between turns", () => {
  const turn = (path: string, commit: string): string =>
    `${person("go")}${answer(`${path}\n${block("a\n", "b\n")}`)}${said(`Applied edit to ${path}`, `Commit ${commit} done`)}`;

  it("stands at the end of the turn before, as a call of the person", () => {
    const text = `${START}${turn("a.py", "1a2b3c4")}${person("/run make test")}${said("ok")}${person("!ls")}${person("/git status")}`;
    const calls = callsIn(text).filter(({ author }) => author.role === "person");
    expect(calls.map((call) => call.arguments)).toEqual([
      { command: "make test" },
      { command: "ls" },
      { command: "git status" },
    ]);
    expect(contextsIn(read(text)).filter((one) => one.includes("make"))).toEqual([]);
  });

  it("before the first turn is context", () => {
    expect(contextsIn(read(`${START}${person("/run make")}${said("ok")}${person("a")}${answer("b")}`))).toContain(
      "person /run make",
    );
  });

  it("with /undo takes back the edits of the commit that aider names", () => {
    const removed = said("Removed: 1a2b3c4 done", "Now at:  0000000 before");
    const text = `${START}${turn("a.py", "1a2b3c4")}${person("/undo")}${removed}`;
    expect(callsIn(text).at(-1)).toMatchObject({
      tool: "aider_undo",
      author: { role: "person" },
      arguments: { commits: ["1a2b3c4"], files: [{ path: "a.py", edits: 1 }] },
    });
    const both = `${START}${turn("a.py", "1a2b3c4")}${turn("a.py", "5d6e7f8")}${person("/undo")}${said("Removed: 5d6e7f8 done")}`;
    expect(callsIn(both).at(-1)?.arguments?.files).toEqual([{ path: "a.py", edits: 1 }]);
    const other = read(`${START}${turn("a.py", "1a2b3c4")}${person("/undo")}${said("Removed: fffffff x")}`);
    expect(notesOf(other)).toEqual({ undo_not_followed: 1 });
    const refused = read(`${START}${turn("a.py", "1a2b3c4")}${person("/undo")}${said("No git repository found.")}`);
    const result = turnsOf(refused.trajectory)[0]?.items.findLast((item): item is ResultItem => item.kind === "result");
    expect(result).toMatchObject({ isError: true, text: "No git repository found." });
  });
});
