import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type ResultItem, type Trajectory, type Turn, trajectorySchema, turnsOf } from "@/lib/trajectory/schema";
import { ingest } from "../ingest";

const fixtures = join(import.meta.dirname, "fixtures", "claude-code");
const load = (name: string): Trajectory =>
  ingest({ name, bytes: new Uint8Array(readFileSync(join(fixtures, name))) }).trajectory;
const from = (lines: unknown[]): Trajectory => {
  const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
  return ingest({ name: "x", bytes: new TextEncoder().encode(text) }).trajectory;
};
const results = (turn: Turn | undefined): ResultItem[] => (turn?.items ?? []).filter((item) => item.kind === "result");
const notesOf = (trajectory: Trajectory): Record<string, number> =>
  Object.fromEntries(trajectory.notes.map((note) => [note.code, note.count]));
const line = (
  uuid: string,
  parentUuid: string | null,
  type: "user" | "assistant",
  message: unknown,
  more = {},
): unknown => ({
  uuid,
  parentUuid,
  isSidechain: false,
  sessionId: "s",
  type,
  message,
  ...more,
});
const said = (id: string, ...content: unknown[]): unknown => ({ id, role: "assistant", model: "m", content });
const text = (words: string): unknown => ({ type: "text", text: words });

describe("a session", () => {
  const trajectory = load("2.x/session.jsonl");
  const turns = turnsOf(trajectory);

  it("makes one turn of the lines of one API message, with its usage once", () => {
    expect(turns).toHaveLength(5);
    expect(turns[0]?.items.map((item) => item.kind)).toEqual(["thought", "message", "call", "result"]);
    expect(turns[0]?.sourceSteps.map(({ step }) => step)).toEqual(["6", "7", "8"]);
    expect(turns[0]?.usage).toEqual({ inputTokens: 1110, cachedTokens: 1000, outputTokens: 42, costUsd: null });
  });

  it("finds the task behind commands and injected text", () => {
    expect(trajectory.task.statement).toBe("Splitting 10.00 between three people loses a cent. Fix it.");
    const contexts = trajectory.entries.filter((entry) => entry.kind === "context");
    expect(contexts.map((context) => [context.contextKind, context.author.role])).toEqual([
      ["metadata", "harness"],
      ["metadata", "harness"],
      ["injected", "person"],
      ["injected", "harness"],
      ["task", "person"],
      ["injected", "harness"],
      ["metadata", "harness"],
    ]);
    expect(trajectory.title).toBe("Fix the lost cent");
  });

  it("carries what the trace recorded about files", () => {
    expect(results(turns[0])[0]?.reads).toEqual([
      expect.objectContaining({ path: "/ledger/split.py", startLine: 1, totalLines: 3, whole: true }),
    ]);
    const [edit] = results(turns[1])[0]?.recorded ?? [];
    expect(edit).toMatchObject({ existedBefore: true, after: null, byPerson: false });
    expect(edit?.before).toContain("return [share] * people\n");
    expect(edit?.patch).toMatch(/^@@ -1,3 \+1,4 @@\n def split/);
  });

  it("says when a person changed the text that was written", () => {
    const [write] = results(turns[3])[0]?.recorded ?? [];
    expect(write).toMatchObject({ existedBefore: false, byPerson: true, after: expect.stringContaining("3.34") });
  });

  it("takes errors, exit codes and interruptions from where they stand", () => {
    expect(results(turns[1])[1]).toMatchObject({ isError: true, exitCode: 1 });
    expect(results(turns[4])[0]).toMatchObject({ isError: true, recorded: [] });
    expect(trajectory.exitStatus).toBe("interrupted");
  });

  it("shows a to-do list as a plan beside its call", () => {
    expect(turns[2]?.items.map((item) => item.kind)).toEqual(["plan", "call", "result"]);
    expect(turns[2]?.items[0]).toMatchObject({ text: "- [completed] Keep the rest\n- [pending] Write a test" });
  });
});

describe("sub-agents", () => {
  const trajectory = load("2.x/sub-agents.jsonl");
  const turns = turnsOf(trajectory);

  it("are agents of their own, linked to the calls that started them", () => {
    expect(trajectory.agents.map(({ name, startedByTurn }) => [name, startedByTurn])).toEqual([
      ["Claude Code", null],
      ["general-purpose", 0],
      ["Explore", 0],
    ]);
    expect(turns.map((turn) => turn.parentTurn)).toEqual([null, 0, 0, 0, null]);
    const prompts = trajectory.entries.filter((entry) => entry.kind === "context" && entry.author.role === "agent");
    expect(prompts).toHaveLength(2);
    expect(trajectory.task.statement).toBe("Look at both modules.");
  });

  it("that ran side by side arrive in the order of time, not of the file", () => {
    const write = turns[3]?.items[1]?.arrival ?? -1;
    const read = turns[1]?.items[1]?.arrival ?? -1;
    const report = results(turns[0])[0]?.arrival ?? -1;
    expect(write).toBeLessThan(read);
    expect(read).toBeLessThan(report);
  });

  it("have a file of their own in newer versions, where they are the main agent", () => {
    const own = load("2.x/sub-agent-file.jsonl");
    expect(own.agents).toHaveLength(1);
    expect(own.format.variant).toBe("sub-agent session");
    expect(turnsOf(own).map((turn) => turn.agent)).toEqual(["main", "main"]);
  });

  it("of which the start cannot be told are not linked to a guess", () => {
    const lone = from([
      line("a", null, "user", { role: "user", content: "Do it." }),
      line(
        "b",
        "a",
        "assistant",
        said("m1", { type: "tool_use", id: "t", name: "Task", input: { prompt: "One thing." } }),
      ),
      line("c", null, "user", { role: "user", content: "Another thing." }, { isSidechain: true }),
      line("d", "c", "assistant", said("m2", text("Done.")), { isSidechain: true }),
    ]);
    expect(lone.agents[1]?.startedByTurn).toBeNull();
    expect(notesOf(lone)).toEqual({ agent_not_linked: 1 });
  });
});

describe("rewinds", () => {
  it("name the turns that were left behind, and not the forks of parallel calls", () => {
    const trajectory = load("2.x/rewind-and-compaction.jsonl");
    expect(turnsOf(trajectory).map((turn) => turn.branch)).toEqual([null, "rewind 1", "rewind 1", null, null]);
    expect(trajectory.format.variant).toBe("session with rewinds");
  });

  it("survive parents that go in a circle", () => {
    const trajectory = from([
      line("a", "c", "user", { role: "user", content: "x" }),
      line("b", "a", "assistant", said("m1", text("one"))),
      line("c", "b", "assistant", said("m2", text("two"))),
      line("d", "d", "assistant", said("m3", text("three"))),
    ]);
    expect(turnsOf(trajectory)).toHaveLength(3);
  });
});

describe("lines that come again, late, or not as they should", () => {
  it("show repeats of a resumed session once, with the places of both", () => {
    const trajectory = load("2.x/resumed-with-background.jsonl");
    expect(turnsOf(trajectory)).toHaveLength(3);
    expect(notesOf(trajectory)).toEqual({ repeated_line: 3, repeated_block: 1, several_sessions: 2 });
    expect(turnsOf(trajectory)[0]?.items[0]?.raw.map((span) => span.line)).toEqual([2, 7]);
  });

  it("show a late report with its call, and count it from its arrival", () => {
    const [first, second] = turnsOf(load("2.x/resumed-with-background.jsonl"));
    const [started, report] = results(first);
    expect(report).toMatchObject({ callItem: started?.callItem, author: { role: "harness" } });
    expect(report?.arrival).toBeGreaterThan(results(second)[0]?.arrival ?? Number.POSITIVE_INFINITY);
  });

  it("keep what is not understood, in place, with its source", () => {
    const trajectory = load("2.x/odd-lines-and-cut-end.jsonl");
    expect(notesOf(trajectory)).toEqual({
      line_not_understood: 9,
      block_not_understood: 2,
      picture_not_shown: 1,
      result_without_call: 2,
    });
    const last = trajectory.entries.at(-1);
    expect(last).toMatchObject({ contextKind: "opaque", text: expect.stringMatching(/the file ends in the midd$/) });
    expect(trajectory.title).toBe("Odd lines");
  });

  it("pair calls and results without identifiers in order", () => {
    const turn = turnsOf(load("1.x/without-identifiers.jsonl"))[0];
    const call = turn?.items.find((item) => item.kind === "call");
    expect(results(turn)[0]?.callItem).toBe(call?.id);
  });

  it("give an identifier that repeats to the call that waits", () => {
    const call = (id: string): unknown =>
      said(id, { type: "tool_use", id: "same", name: "Bash", input: { command: "ls" } });
    const answer = (words: string): unknown => ({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "same", content: words }],
    });
    const turns = turnsOf(
      from([
        line("a", null, "assistant", call("m1")),
        line("b", "a", "user", answer("first")),
        line("c", "b", "assistant", call("m2")),
        line("d", "c", "user", answer("second")),
      ]),
    );
    expect(turns.map((turn) => results(turn).map((result) => result.text))).toEqual([["first"], ["second"]]);
  });

  it("accept a result before its call", () => {
    const trajectory = from([
      line("a", null, "user", { role: "user", content: [{ type: "tool_result", tool_use_id: "t", content: "early" }] }),
      line("b", "a", "assistant", said("m1", { type: "tool_use", id: "t", name: "Bash", input: {} })),
    ]);
    expect(trajectory.entries[0]).toMatchObject({ kind: "context", text: "early", author: { role: "tool" } });
  });

  it("do not make an API error a turn of the agent", () => {
    const trajectory = load("2.x/resumed-with-background.jsonl");
    const context = trajectory.entries.find((entry) => entry.kind === "context" && entry.text.startsWith("API Error"));
    expect(context).toMatchObject({ contextKind: "injected", author: { role: "harness" } });
  });

  it("keep bytes that JSON and Postgres refuse as U+FFFD, and count them", () => {
    const odd = JSON.stringify(line("a", null, "user", { role: "user", content: "x" })).replace(
      '"x"',
      '"a\\u0000b\\ud800"',
    );
    const trajectory = from([odd, line("b", "a", "assistant", said("m1", text("ok")))]);
    expect(trajectory.entries[0]).toMatchObject({ text: "a\ufffdb\ufffd" });
    expect(notesOf(trajectory)).toEqual({ nul_character: 1, lone_surrogate: 1 });
  });

  it("say that the record of a tool belongs to no one result", () => {
    const answer = (id: string): unknown => ({ type: "tool_result", tool_use_id: id, content: `of ${id}` });
    const trajectory = from([
      line("a", null, "assistant", said("m1", ...["t1", "t2"].map((id) => ({ type: "tool_use", id, name: "Bash" })))),
      line("b", "a", "user", { role: "user", content: ["t1", "t2"].map(answer) }, { toolUseResult: { stdout: "x" } }),
    ]);
    expect(results(turnsOf(trajectory)[0]).map((result) => result.text)).toEqual(["of t1", "of t2"]);
    expect(notesOf(trajectory)).toEqual({ tool_record_not_used: 1 });
  });

  it("show a message of nothing but a signature as such", () => {
    const thinking = { type: "thinking", thinking: "", signature: "c2lnbmVk" };
    const [turn] = turnsOf(from([line("a", null, "assistant", said("m1", thinking))]));
    expect(turn?.items).toMatchObject([{ kind: "opaque", text: expect.stringContaining("c2lnbmVk") }]);
  });

  it("keep an argument called `__proto__`", () => {
    const call = JSON.stringify(
      line("a", null, "assistant", said("m1", { type: "tool_use", id: "t", name: "X", input: 0 })),
    );
    const trajectory = from([call.replace('"input":0', '"input":{"__proto__":{"isAdmin":true}}')]);
    const read = trajectorySchema.parse(JSON.parse(JSON.stringify(trajectory)));
    expect(JSON.stringify(read)).toContain('"arguments":{"__proto__":{"isAdmin":true}}');
    expect(Reflect.get({}, "isAdmin")).toBeUndefined();
  });
});
