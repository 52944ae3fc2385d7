import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { processorMs } from "@/lib/test-support/processor-time";
import { type CallItem, type Item, type ResultItem, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { detect, type Ingested, ingest } from "../ingest";
import { FIXTURES, readFixture } from "../test-support/fixtures";

const load = (name: string): Ingested => ingest({ name, bytes: readFixture(`${FIXTURES}/message-rows/${name}`) });
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const read = (messages: unknown, more: object = {}): Ingested =>
  ingest({ name: "x", bytes: encode([{ instance_id: "a__b-1", messages, ...more }]) });
const itemsOf = (trajectory: Trajectory): Item[] => turnsOf(trajectory).flatMap(({ items }) => items);
const callsOf = (trajectory: Trajectory): CallItem[] => itemsOf(trajectory).filter((item) => item.kind === "call");
const resultsOf = (trajectory: Trajectory): ResultItem[] =>
  itemsOf(trajectory).filter((item) => item.kind === "result");
const told = (trajectory: Trajectory): string[] =>
  trajectory.entries.flatMap((entry) =>
    entry.kind === "context" ? [`${entry.contextKind}: ${entry.text.slice(0, 30)}`] : [],
  );
const stepsOf = (trajectory: Trajectory, convention: string): string[][] =>
  turnsOf(trajectory).map((turn) =>
    turn.sourceSteps.filter((step) => step.convention === convention).map(({ step }) => step),
  );
const writesOf = (trajectory: Trajectory): string[] =>
  buildHistory(trajectory, null).writes.map(({ grammar, path, status }) => `${grammar} ${path} ${status}`);
const notesOf = (trajectory: Trajectory): Record<string, number> =>
  Object.fromEntries(trajectory.notes.map((note) => [note.code, note.count]));

const say = (role: string, content: unknown, more: object = {}): object => ({ role, content, ...more });
const call = (id: string, name: string, args: unknown): object => ({
  id,
  type: "function",
  function: { name, arguments: typeof args === "string" ? args : JSON.stringify(args) },
});

describe("a row of SWE-Gym", () => {
  const { trajectory, failure } = load("swe-gym/openhands.json");

  it("numbers calls as labels count them: messages without a call have no number", () => {
    expect(stepsOf(trajectory, "call")).toEqual([["0"], [], ["1"], ["2"], ["3"], ["4"]]);
    expect(stepsOf(trajectory, "message")[0]).toEqual(["2", "3"]);
  });

  it("takes what the harness says to a message without a call as injected, never as a task", () => {
    expect(told(trajectory)).toContain("injected: Please continue working on the");
    expect(told(trajectory).filter((text) => text.startsWith("task"))).toHaveLength(1);
  });

  it("reads edits, refusals and views, and where the shell stands", () => {
    expect(writesOf(trajectory)).toEqual([
      "W1 /workspace/acme__tally__1.2/core.py refused",
      "W1 /workspace/acme__tally__1.2/core.py applied",
    ]);
    expect(resultsOf(trajectory)[0]?.reads).toMatchObject([{ whole: true, totalLines: 5 }]);
    expect(resultsOf(trajectory)[3]).toMatchObject({ exitCode: 2, isError: true });
    expect(turnsOf(trajectory)[4]?.state).toMatchObject({
      when: "after",
      workingDirectory: "/workspace/acme__tally__1.2",
    });
  });

  it("reads the test result as failure context", () => {
    expect(failure).toMatchObject({ outcome: "failed", errorReport: expect.stringContaining("test_empty") });
    expect(trajectory.deliveredPatch).toContain("+        result += item");
    expect(JSON.stringify(trajectory.entries)).not.toContain("test_empty");
  });
});

describe("a row of SWE-rebench", () => {
  const { trajectory, failure } = load("swe-rebench/row.json");

  it("keeps parallel calls in one turn, each with its answer, whatever the order", () => {
    const [first] = turnsOf(trajectory);
    expect(first?.items.map((item) => item.kind)).toEqual(["message", "call", "result", "call", "result"]);
    const [ls, view] = resultsOf(trajectory);
    expect(ls?.text).toMatch(/^core\.py/);
    expect(view?.text).toContain("cat -n");
  });

  it("keeps arguments that are no JSON as text, and takes those that are an object", () => {
    expect(callsOf(trajectory).map((item) => item.arguments === null)).toEqual([false, false, true, false, false]);
    expect(notesOf(trajectory)).toMatchObject({ arguments_not_json: 1 });
  });

  it("answers the later call of an identifier that repeats, and keeps an answer to no call", () => {
    const results = resultsOf(trajectory);
    expect(results.find(({ text }) => text.startsWith("\n[The command"))?.callItem).toBe("t2.0");
    expect(results.find(({ text }) => text === "An answer to nothing")).toMatchObject({ callItem: null });
  });

  it("keeps a message that says nothing, and roles that nobody knows", () => {
    expect(notesOf(trajectory)).toMatchObject({ empty_message: 1, message_not_understood: 1 });
  });

  it("takes 1 for solved, and a share between for no verdict", () => {
    expect(failure.outcome).toBe("resolved");
    expect(failure.verification).toContainEqual({ name: "gen_tests_correct", passed: null, detail: "0.5" });
  });
});

describe("rows of SWE-smith", () => {
  const { trajectory } = load("swe-smith/xml.json");

  it("reads calls that stand in the text, but not those of the prompt", () => {
    expect(callsOf(trajectory).map(({ tool }) => tool)).toEqual([
      "str_replace_editor",
      "str_replace_editor",
      "str_replace_editor",
      "bash",
      "submit",
    ]);
    expect(writesOf(trajectory)).toEqual([
      "W1 /testbed/core.py applied",
      "W1 /testbed/page.html applied",
      "W7 /testbed/page.html assumed",
    ]);
  });

  it("takes observations in the person's role as answers, also without the mark, and reads views with CR and LF", () => {
    expect(told(trajectory).map((text) => text.split(":")[0])).toEqual(["metadata", "system", "task"]);
    expect(resultsOf(trajectory)[3]?.text).toMatch(/^Your command ran successfully/);
    expect(resultsOf(trajectory)[0]?.reads[0]?.text).toBe(
      "def total(items):\n    result = 0\n    for item in items:\n        result = item\n    return result\n",
    );
  });

  it("reads messages that are JSON text, and commands in a block of code where an observation follows", () => {
    const { trajectory: ticks } = load("swe-smith/ticks.jsonl");
    expect(callsOf(ticks)).toMatchObject([{ tool: "bash", text: "echo 'a note' > /testbed/note.txt" }]);
    expect(writesOf(ticks)).toEqual(["W7 /testbed/note.txt assumed"]);
    expect(turnsOf(ticks)).toHaveLength(3);
  });

  it("keeps a call that breaks off with its source, and runs nothing of it", () => {
    const last = turnsOf(load("swe-smith/ticks.jsonl").trajectory).at(-1);
    expect(last?.items.at(-1)).toMatchObject({ kind: "opaque", reason: "a call that breaks off" });
  });
});

describe("a row of Moatless", () => {
  const { trajectory, failure } = load("swe-gym/moatless.json");

  it("keeps the prompts of all states in place and says a repeated one once", () => {
    expect(told(trajectory).filter((text) => text.startsWith("system"))).toHaveLength(3);
    expect(notesOf(trajectory)).toMatchObject({ repeated_message: 2 });
  });

  it("takes an answer that a later state quotes as the earlier turn", () => {
    expect(turnsOf(trajectory)).toHaveLength(4);
    expect(stepsOf(trajectory, "message")).toEqual([["2"], ["5", "11"], ["8", "12"], ["13"]]);
  });

  it("takes the change that the harness applied as recorded by the trace", () => {
    expect(writesOf(trajectory)).toEqual(["W8 core.py applied"]);
    expect(resultsOf(trajectory)[0]?.recorded).toMatchObject([
      { path: "core.py", patch: expect.stringContaining("+        result += item\n") },
    ]);
  });

  it("does not take `fail` for a verdict", () => {
    expect(failure).toMatchObject({
      outcome: "unknown",
      verification: [{ name: "fail", passed: null, detail: "false" }],
    });
  });
});

describe("rows of other making", () => {
  it("read the older function_call, reasoning, parts, demonstrations and several identifiers", () => {
    const { trajectory } = read([
      say("system", "You act."),
      say("user", "A demonstration", { is_demo: true }),
      say("user", [
        { type: "text", text: "Do it." },
        { type: "image_url", image_url: { url: "x" } },
      ]),
      say("assistant", null, {
        function_call: { name: "execute_bash", arguments: '{"command":"ls"}' },
        reasoning_content: "Hm.",
      }),
      say("function", "a.py", { name: "execute_bash" }),
      say("assistant", "", { tool_calls: JSON.stringify([call("c1", "bash", { command: "pwd" })]) }),
      say("tool", [{ type: "text", text: "OBSERVATION:\n/w" }], { tool_call_ids: ["c1"] }),
    ]);
    expect(told(trajectory).map((text) => text.split(":")[0])).toEqual(["metadata", "system", "demonstration", "task"]);
    expect(itemsOf(trajectory).map((item) => item.kind)).toEqual(["thought", "call", "result", "call", "result"]);
    expect(resultsOf(trajectory).map(({ text, callItem }) => [text, callItem])).toEqual([
      ["a.py", "t0.1"],
      ["/w", "t1.0"],
    ]);
  });

  it("answer the calls of the latest turn with an identifier, though an earlier one still waits", () => {
    const { trajectory } = read([
      say("user", "Do it."),
      say("assistant", "", { tool_calls: [call("x", "bash", { command: "one" })] }),
      say("assistant", "", { tool_calls: [call("x", "bash", { command: "two" })] }),
      say("tool", "of two", { tool_call_id: "x" }),
    ]);
    expect(resultsOf(trajectory).map(({ text, callItem }) => [text, callItem])).toEqual([["of two", "t1.0"]]);
  });

  it("belong to the format only with a column of a data set", () => {
    const messages = [say("user", "Do it."), say("assistant", "Done.")];
    const formatOf = (row: object): string => detect({ name: "x", bytes: encode([row, row]) }).format;
    expect(formatOf({ instance_id: "a", messages })).toBe("message-rows");
    expect(formatOf({ messages })).toBe("chat-messages");
  });

  it("pair many calls in time that grows with their number", () => {
    const many = Array.from({ length: 20_000 }, (_, n) => call(n % 2 === 0 ? "same" : `c${n}`, "bash", {}));
    const answers = many.map((_, n) => say("tool", "ok", { tool_call_id: n % 2 === 0 ? "same" : `c${n}` }));
    const bytes = encode([{ instance_id: "a", messages: [say("assistant", "", { tool_calls: many }), ...answers] }]);
    const unnamed = many.map(() => say("tool", "ok"));
    const others = encode([{ instance_id: "a", messages: [say("assistant", "", { tool_calls: many }), ...unnamed] }]);
    expect(processorMs(() => ingest({ name: "x", bytes }))).toBeLessThan(5_000);
    expect(processorMs(() => ingest({ name: "x", bytes: others }))).toBeLessThan(5_000);
  });
});
