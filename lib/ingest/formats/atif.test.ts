import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import {
  type CallItem,
  type Item,
  type ResultItem,
  type Trajectory,
  type Turn,
  turnsOf,
} from "@/lib/trajectory/schema";
import { detect, type Ingested, ingest, openUpload } from "../ingest";
import type { Source } from "../source";
import { FIXTURES, readFixture } from "../test-support/fixtures";
import { accountBytes } from "../unread";

const load = (name: string): Ingested => ingest({ name, bytes: readFixture(`${FIXTURES}/atif/${name}`) });
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const itemsOf = (trajectory: Trajectory): Item[] => turnsOf(trajectory).flatMap(({ items }) => items);
const callsOf = (trajectory: Trajectory): CallItem[] => itemsOf(trajectory).filter((item) => item.kind === "call");
const resultsOf = (trajectory: Trajectory): ResultItem[] =>
  itemsOf(trajectory).filter((item) => item.kind === "result");
const stepsOf = (turn: Turn | undefined): string[] => (turn?.sourceSteps ?? []).map(({ step }) => step);
const notesOf = (trajectory: Trajectory): Record<string, number> =>
  Object.fromEntries(trajectory.notes.map((note) => [note.code, note.count]));
const told = (trajectory: Trajectory): string[] =>
  trajectory.entries.flatMap((entry) =>
    entry.kind === "context" ? [`${entry.contextKind}/${entry.author.role}`] : [],
  );
const writesOf = (trajectory: Trajectory): string[] =>
  buildHistory(trajectory, null).writes.map(({ grammar, path, status }) => `${grammar} ${path} ${status}`);

const step = (id: number, source: string, message: unknown, more: object = {}): object => ({
  step_id: id,
  source,
  message,
  ...more,
});
const trace = (steps: unknown[], more: object = {}): object => ({
  schema_version: "ATIF-v1.7",
  trajectory_id: "t",
  agent: { name: "a", version: "1" },
  steps,
  ...more,
});
const read = (steps: unknown[], more: object = {}): Ingested =>
  ingest({ name: "x", bytes: encode(trace(steps, more)) });
const results = (...list: object[]): object => ({ observation: { results: list } });

/** An archive of files: values as JSON, texts as they are. */
const archive = (files: Record<string, unknown>): Source => ({
  name: "x.zip",
  bytes: new TextEncoder().encode("an archive"),
  inside: {
    kind: "files",
    files: Object.entries(files).map(([path, value]) => ({
      path,
      bytes: typeof value === "string" ? new TextEncoder().encode(value) : encode(value),
    })),
    skipped: new Map(),
  },
});

describe("a converter that writes one step for each content block", () => {
  const { trajectory } = load("1.2/converter.json");
  const turns = turnsOf(trajectory);

  it("makes one turn of the steps of an answer, and another of an answer with tokens of its own", () => {
    expect(turns.map(stepsOf)).toEqual([["2", "3", "4", "5"], ["6"], ["7"], ["8"]]);
  });

  it("counts tokens once an answer, and says the same reasoning once", () => {
    expect(turns.map(({ usage }) => usage?.inputTokens ?? null)).toEqual([100, 150, 170, null]);
    expect(turns[0]?.items.filter((item) => item.kind === "thought")).toHaveLength(1);
    expect(trajectory.totals).toMatchObject({ inputTokens: 420, cachedTokens: 10, outputTokens: 55 });
  });

  it("does not show the converter's own words as the agent's, or as a tool's", () => {
    expect(JSON.stringify(itemsOf(trajectory))).not.toMatch(/Executed |\[metadata\]|tool reported failure/);
    expect(notesOf(trajectory)).toMatchObject({ converter_words: 4 });
  });

  it("takes contents of files from what was recorded of the tool", () => {
    expect(resultsOf(trajectory)[0]?.reads).toMatchObject([
      { path: "/app/hello.py", text: "print('hi')\n", whole: true },
    ]);
    expect(resultsOf(trajectory)[2]?.recorded).toMatchObject([
      { before: "print('hi')\n", after: "print('good day')\n" },
    ]);
    const history = buildHistory(trajectory, null);
    expect(history.conflicts).toEqual([]);
    expect(writesOf(trajectory)).toEqual(["W3 /app/hello.py applied"]);
  });

  it("knows that a tool failed, with its exit code", () => {
    expect(resultsOf(trajectory)[1]).toMatchObject({ isError: true, exitCode: 2 });
  });

  it("takes the recorded answer where the step holds none, and says of one that belongs to no call that it is not used", () => {
    const extra = {
      tool_result_metadata: { raw_tool_result: { tool_use_id: "a", content: "an answer", is_error: true } },
    };
    const call = { tool_call_id: "a", function_name: "Bash", arguments: {} };
    const found = read([
      step(1, "agent", "One.", { tool_calls: [call], extra }),
      step(2, "agent", "None.", { extra }),
    ]).trajectory;
    expect(resultsOf(found)).toMatchObject([{ text: "an answer", isError: true, callItem: "t0.1" }]);
    expect(notesOf(found)).toMatchObject({ tool_record_not_used: 1 });
  });

  it("keeps calls that the converter added out of time as turns of their own", () => {
    expect(turns[3]?.items).toMatchObject([{ kind: "call", tool: "Bash" }]);
  });

  it("goes by the time of the steps where none states tokens", () => {
    const made = (id: string, at: string): object => ({
      timestamp: `2026-01-01T00:00:0${at}Z`,
      tool_calls: [{ tool_call_id: id, function_name: "Bash", arguments: {} }],
    });
    const { trajectory: found } = read([
      step(1, "user", "Go."),
      step(2, "agent", "Executed Bash a", made("a", "1")),
      step(3, "agent", "Executed Bash b", made("b", "1")),
      step(4, "agent", "Executed Bash c", made("c", "2")),
    ]);
    expect(turnsOf(found).map(stepsOf)).toEqual([["2", "3"], ["4"]]);
  });
});

describe("identifiers, results and parts", () => {
  const { trajectory } = load("1.6/odd.json");
  const turns = turnsOf(trajectory);

  it("gives each of two calls with one identifier its own result, in order", () => {
    expect(
      turns[0]?.items
        .slice(1, 5)
        .map((item) => [item.kind, "text" in item ? (item.text?.split("\n")[0] ?? null) : null]),
    ).toEqual([
      ["call", null],
      ["result", "one"],
      ["call", null],
      ["result", "two"],
    ]);
  });

  it("keeps results for no call, results without content, and calls without a result", () => {
    const orphans = resultsOf(trajectory).filter(({ callItem }) => callItem === null);
    expect(orphans.map(({ text }) => text)).toEqual(["Environment reset.", "never asked"]);
    expect(notesOf(trajectory)).toMatchObject({ result_without_call: 2 });
    expect(resultsOf(trajectory).find(({ callId }) => callId === "y")).toMatchObject({ text: "", callItem: "t0.3" });
  });

  it("takes a result in a later step to the call of the earlier one", () => {
    expect(resultsOf(trajectory).find(({ text }) => text === "slept")).toMatchObject({ callItem: "t1.1" });
  });

  it("merges steps of one response and takes the larger of the tokens that they state", () => {
    expect(stepsOf(turns[2])).toEqual(["4", "5"]);
    expect(turns[2]?.usage).toMatchObject({ inputTokens: 5, outputTokens: 3 });
  });

  it("keeps arguments that are no object, sources that are not known and things that are no step", () => {
    expect(callsOf(trajectory)[2]).toMatchObject({ arguments: null, text: '["fast"]' });
    expect(told(trajectory).filter((kind) => kind.startsWith("opaque"))).toHaveLength(2);
    expect(notesOf(trajectory)).toMatchObject({ step_not_understood: 2, fields_not_shown: 1, media_not_shown: 2 });
  });

  it("takes a reward between 0 and 1 for no verdict, and keeps it out of the trace", () => {
    const { failure } = load("1.6/odd.json");
    expect(failure).toMatchObject({
      outcome: "unknown",
      verification: [{ name: "reward", passed: null, detail: "0.5" }],
    });
    expect(failure.foundAt).toEqual([{ what: "verification", where: "/extra" }]);
    expect(JSON.stringify(trajectory.entries)).not.toContain("reward");
  });
});

describe("agents that speak in their own way", () => {
  it("reads calls that OpenHands writes as text, and leaves one that breaks off in the words", () => {
    const { trajectory } = load("1.5/openhands.json");
    expect(writesOf(trajectory)).toEqual(["W7 /app/a.txt applied", "W1 /app/a.txt applied"]);
    expect(turnsOf(trajectory)[2]?.items).toMatchObject([
      { kind: "message", text: expect.stringContaining("<function=") },
    ]);
    expect(told(trajectory)).toEqual(["metadata/harness", "system/harness", "task/person", "injected/harness"]);
    expect(trajectory.totals).toMatchObject({ inputTokens: 30, outputTokens: 11, costUsd: 0.75 });
  });

  it("reads what terminus-2 says in JSON, and what it types only where that is certain", () => {
    const { trajectory } = load("1.7/terminus.json");
    expect(trajectory.task.statement).toBe("Write two notes.");
    expect(turnsOf(trajectory)[0]?.items.map((item) => item.kind)).toEqual(["thought", "plan", "call", "result"]);
    expect(writesOf(trajectory)).toEqual([
      "W7 a.txt assumed",
      "W7 a.txt opaque",
      "W7 b.txt assumed",
      "W7 c.txt assumed",
    ]);
    const history = buildHistory(trajectory, null);
    expect(history.files.get("c.txt")?.versions.at(-1)?.content).toEqual({ kind: "whole", text: "three\n" });
    expect(history.files.get("a.txt")?.versions.at(-1)?.content.kind).toBe("unknown");
    expect(callsOf(trajectory).at(-1)).toMatchObject({ tool: "task_complete", callKind: "submit" });
  });

  it("makes files unknown that uncertain keystrokes name", () => {
    const keys = (...list: string[]): object => ({
      ...results({ content: "a screen" }),
      tool_calls: list.map((keystrokes, n) => ({
        tool_call_id: `k${n}`,
        function_name: "bash_command",
        arguments: { keystrokes },
      })),
    });
    const { trajectory } = read([
      step(1, "user", "Go."),
      step(2, "agent", "", keys("echo x > a.txt\n", "cat a.txt\t>> a.txt\n")),
    ]);
    expect(writesOf(trajectory)).toEqual(["W7 a.txt assumed", "W7 a.txt opaque"]);
  });

  it("keeps a compaction between the turns", () => {
    expect(told(load("1.7/terminus.json").trajectory)).toContain("compaction/harness");
  });
});

describe("copied context and continuations", () => {
  const first = trace(
    [step(1, "user", "Do it."), step(2, "agent", "One.", { metrics: { prompt_tokens: 10, completion_tokens: 1 } })],
    { final_metrics: { total_prompt_tokens: 10 }, continued_trajectory_ref: "trajectory.cont-1.json" },
  );
  const second = trace(
    [
      step(1, "user", "Do it.", { is_copied_context: true }),
      step(2, "agent", "One.", { is_copied_context: true }),
      step(3, "user", "A summary.", { is_copied_context: true }),
      step(4, "agent", "Two.", { metrics: { prompt_tokens: 20, completion_tokens: 2 } }),
    ],
    { final_metrics: { total_prompt_tokens: 30 } },
  );

  it("makes no turns of copied steps where they stand alone", () => {
    const { trajectory } = ingest({ name: "x", bytes: encode(second) });
    expect(turnsOf(trajectory).map(stepsOf)).toEqual([["4"]]);
    expect(told(trajectory)).toEqual(["metadata/harness", "task/person", "injected/agent", "injected/harness"]);
  });

  it("reads a continuation behind its beginning, says nothing twice and counts tokens once", () => {
    const { trajectory } = ingest(archive({ "agent/trajectory.json": first, "agent/trajectory.cont-1.json": second }));
    expect(turnsOf(trajectory).map(stepsOf)).toEqual([["2"], ["continuation 1:4"]]);
    expect(told(trajectory)).toEqual(["metadata/harness", "task/person", "metadata/harness", "injected/harness"]);
    expect(notesOf(trajectory)).toMatchObject({ copied_step: 2 });
    expect(trajectory.totals.inputTokens).toBe(30);
  });

  it("notes a continuation that is not here, and ends where continuations go round in circles", () => {
    expect(notesOf(ingest({ name: "x", bytes: encode(first) }).trajectory)).toMatchObject({ continuation_missing: 1 });
    const round = trace([step(1, "agent", "Round.")], { continued_trajectory_ref: "trajectory.cont-1.json" });
    const files = { "trajectory.json": first, "trajectory.cont-1.json": { ...round, extra: {} } };
    expect(turnsOf(ingest(archive(files)).trajectory)).toHaveLength(2);
  });
});

describe("sub-agents", () => {
  const { trajectory } = load("1.7/sub-agents.jsonl");

  it("link to the turn that started them, whoever else names them", () => {
    expect(trajectory.agents.map(({ id, name, startedByTurn }) => [id, name, startedByTurn])).toEqual([
      ["main", "lead", null],
      ["sub-1", "helper", 0],
      ["sub-2", "helper", 0],
      ["sub-3", "deep", 2],
      ["sub-4", "lost", null],
    ]);
    expect(turnsOf(trajectory).map((turn) => [turn.agent, turn.parentTurn])).toEqual([
      ["main", null],
      ["sub-1", 0],
      ["sub-2", 0],
      ["sub-3", 2],
      ["main", null],
      ["sub-4", null],
    ]);
  });

  it("do not answer each other's calls, though their identifiers are the same", () => {
    expect(
      resultsOf(trajectory)
        .filter(({ callId }) => callId === "d1")
        .map(({ callItem }) => callItem),
    ).toEqual(["t0.1", "t1.0"]);
  });

  it("are told by the parent, not by a person", () => {
    expect(told(trajectory).filter((kind) => kind === "injected/agent")).toHaveLength(2);
  });

  it("are counted when they are not here", () => {
    expect(notesOf(trajectory)).toMatchObject({ sub_agent_missing: 1 });
  });

  it("are found by their session before v1.7", () => {
    expect(load("1.6/odd.json").trajectory.agents).toMatchObject([
      { id: "main" },
      { name: "inspector", startedByTurn: 3 },
    ]);
  });

  it("are read from files beside the trajectory, once, also when they name each other", () => {
    const ref = (path: string): object =>
      results({ content: "asked", subagent_trajectory_ref: [{ trajectory_path: path }] });
    const files = {
      "agent/trajectory.json": trace([step(1, "user", "Go."), step(2, "agent", "Ask.", ref("sub/a.json"))]),
      "agent/sub/a.json": trace([step(1, "agent", "A asks.", ref("b.json"))]),
      "agent/sub/b.json": trace([step(1, "agent", "B asks.", ref("a.json"))]),
    };
    const found = ingest(archive(files)).trajectory;
    expect(turnsOf(found).map((turn) => [turn.agent, turn.parentTurn])).toEqual([
      ["main", null],
      ["sub-1", 0],
      ["sub-2", 1],
    ]);
    expect(turnsOf(found)[1]?.items[0]?.raw[0]?.file).toBe("agent/sub/a.json");
  });
});

describe("the folder of a trial", () => {
  const run = trace([step(1, "user", "Do it."), step(2, "agent", "Done.")]);
  const result = (more: object): object => ({
    trial_name: "task__1",
    task_name: "task",
    verifier_result: null,
    ...more,
  });

  it.each([
    [{ verifier_result: { rewards: { reward: 1 } } }, "resolved"],
    [{ verifier_result: { rewards: { reward: 0 } } }, "failed"],
    [{ verifier_result: { rewards: { reward: 0.5 } } }, "unknown"],
    [{ verifier_result: { rewards: { style: 1 } } }, "unknown"],
  ])("says by its rewards how it ended: %j", (more, outcome) => {
    const { failure, trajectory } = ingest(archive({ "t/agent/trajectory.json": run, "t/result.json": result(more) }));
    expect(failure.outcome).toBe(outcome);
    expect(failure.foundAt).toContainEqual({ what: "verification", where: "t/result.json" });
    expect(trajectory.task.instance).toBe("task");
  });

  it("keeps the exception and the tests' output as the error report, and names what it does not read", () => {
    const exception = {
      exception_type: "VerifierTimeoutError",
      exception_message: "900 s",
      exception_traceback: "Traceback",
    };
    const source = archive({
      "t/agent/trajectory.json": run,
      "t/result.json": result({ exception_info: exception }),
      "t/exception.txt": "VerifierTimeoutError: 900 s\nTraceback",
      "t/config.json": { a: 1 },
      "t/verifier/test-stdout.txt": "1 failed",
    });
    const { failure, trajectory } = ingest(source);
    expect(failure).toMatchObject({ outcome: "unknown", errorReport: expect.stringContaining("900 s") });
    expect(failure.verification).toContainEqual({ name: "test-stdout.txt", passed: null, detail: "1 failed" });
    expect(trajectory.exitStatus).toBe("VerifierTimeoutError");
    expect(notesOf(trajectory)).toEqual({ failure_context: 3, file_not_read: 1 });
    const files = source.inside?.kind === "files" ? source.inside.files : [];
    for (const { path, bytes } of files) expect(accountBytes(bytes, trajectory, path).unread).toEqual([]);
  });

  it("reads the reward of its own file", () => {
    const files = { "agent/trajectory.json": run, "verifier/reward.txt": "1\n" };
    expect(ingest(archive(files)).failure.outcome).toBe("resolved");
  });

  it("is one of several in the folder of a job, each with its own result", () => {
    const source = archive({
      "job/result.json": { n: 2 },
      "job/one/agent/trajectory.json": run,
      "job/one/result.json": result({ verifier_result: { rewards: { reward: 1 } } }),
      "job/two/agent/trajectory.json": run,
      "job/two/result.json": result({ verifier_result: { rewards: { reward: 0 } } }),
    });
    const opened = openUpload(source);
    if (opened.kind !== "several") throw new Error("one trajectory");
    expect(opened.parts.map(({ name }) => name)).toEqual(["job/one", "job/two"]);
    const outcomes = opened.parts.map((part) => ingest({ ...source, part }).failure.outcome);
    expect(outcomes).toEqual(["resolved", "failed"]);
  });

  it("is left to others when nothing belongs to the trajectory", () => {
    expect(() => detect(archive({ "a.json": { x: 1 }, "b.txt": "words" }))).toThrowError();
    expect(() => detect(archive({ "x.json": [1, 2], "y.json": { z: "ATIF-v" } }))).toThrowError();
  });
});
