import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { processorMs } from "@/lib/test-support/processor-time";
import { type CallItem, type ContextItem, type ResultItem, type Turn, turnsOf } from "@/lib/trajectory/schema";
import { detect, type Ingested, ingest } from "../ingest";
import { fixturesOf, readFixture } from "../test-support/fixtures";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (value: unknown): Ingested => ingest({ name: "x", bytes: encode(JSON.stringify(value)) });
const readText = (text: string): Ingested => ingest({ name: "x", bytes: encode(text) });

function fixture(name: string): Ingested {
  const file = fixturesOf("autogen").find((path) => path.endsWith(name));
  if (file === undefined) throw new Error(`no fixture ${name}`);
  return ingest({ name, bytes: readFixture(file) });
}

const stepsOf = (turn: Turn | undefined): string[] => (turn?.sourceSteps ?? []).map(({ step }) => step);
const callsOf = (turn: Turn | undefined): CallItem[] => (turn?.items ?? []).filter((item) => item.kind === "call");
const resultsOf = (turn: Turn | undefined): ResultItem[] =>
  (turn?.items ?? []).filter((item) => item.kind === "result");
const contextsOf = ({ trajectory }: Ingested, kind: ContextItem["contextKind"]): ContextItem[] =>
  trajectory.entries.filter((entry) => entry.kind === "context").filter(({ contextKind }) => contextKind === kind);
const speakers = ({ trajectory }: Ingested): string[] => turnsOf(trajectory).map(({ agent }) => agent);

const DASHES = "-".repeat(80);
const printed = (author: string, to: string, body: string): string => `${author} (to ${to}):\n\n${body}\n\n${DASHES}\n`;

describe("who is an agent in a chat of 0.2", () => {
  it("is told by the name; the role is the other way round for the other side", () => {
    const found = fixture("chat-history.json");
    expect(found.trajectory.agents.map(({ name }) => name)).toEqual(["coder"]);
    expect(contextsOf(found, "task").map(({ author, text }) => [author.name, text])).toEqual([
      ["user_proxy", "Sort the names in names.txt and keep them sorted."],
    ]);
    expect(contextsOf(found, "person").map(({ text }) => text)).toEqual(["Please use a newer sort."]);
    expect(contextsOf(found, "injected").map(({ text }) => text)).toEqual([""]);
  });

  it("is told by the side where nobody has a name: whoever began is the person", () => {
    const found = fixture("unnamed.json");
    expect(speakers(found)).toEqual(["assistant", "assistant"]);
    expect(contextsOf(found, "person").map(({ text }) => text)).toEqual(["And a beetle?"]);
  });

  it("is not whoever only runs the functions of others, whatever the name is", () => {
    const call = { id: "a", type: "function", function: { name: "weigh", arguments: "{}" } };
    const found = read([
      { role: "user", name: "Admin", content: "How heavy is it?" },
      { role: "assistant", name: "asker", content: null, tool_calls: [call] },
      { role: "tool", name: "scales", content: "two", tool_responses: [{ tool_call_id: "a", content: "two" }] },
      { role: "user", name: "scales", content: "nothing to add" },
      { role: "assistant", name: "asker", content: "Two kilograms." },
    ]);
    expect(found.trajectory.agents.map(({ name }) => name)).toEqual(["asker"]);
    expect(contextsOf(found, "injected").map(({ author }) => author.name)).toEqual(["scales"]);
  });

  it("keeps the first message as the task unless it acts", () => {
    const code = "Count.\n\n```python\nprint(1)\n```";
    const rows = (second: string): object[] => [
      { role: "assistant", name: "Expert", content: code },
      { role: "user", name: "Terminal", content: second },
      { role: "user", name: "Other", content: "Thank you." },
    ];
    expect(speakers(read(rows("It is one.")))).toEqual(["Terminal", "Other"]);
    const acted = read(rows("exitcode: 0 (execution succeeded)\nCode output: 1"));
    expect(speakers(acted)).toEqual(["Expert", "Other"]);
    expect(stepsOf(turnsOf(acted.trajectory)[0])).toEqual(["0", "1"]);
    expect(acted.trajectory.task.statement).toBe(code);
  });
});

describe("calls and answers of 0.2", () => {
  it("keep parallel calls in one turn, and answers once although the content repeats them", () => {
    const { trajectory } = fixture("tools.json");
    const [first] = turnsOf(trajectory);
    expect(callsOf(first).map(({ callId, arguments: given, text }) => [callId, given, text])).toEqual([
      ["call_a", { city: "Bonn" }, null],
      ["call_b", null, '{"city": "Ulm"'],
    ]);
    expect(resultsOf(first).map(({ text, isError }) => [text, isError])).toEqual([
      ["rain and wind", null],
      ["Error: cut arguments", true],
    ]);
    expect(JSON.stringify(trajectory.entries)).not.toContain("wind\\n\\nError");
  });

  it("know the spelling with identifiers of the repeated content", () => {
    const found = read([
      { role: "assistant", name: "asker", content: "", tool_calls: [{ id: "t1", function: { name: "look" } }] },
      {
        role: "tool",
        name: "runner",
        content: "Tool Call Id: t1\na tree",
        tool_responses: [{ tool_call_id: "t1", role: "tool", content: "a tree" }],
      },
      { role: "assistant", name: "asker", content: "I see a tree." },
    ]);
    expect(JSON.stringify(found.trajectory.entries)).not.toContain("Tool Call Id");
  });

  it("read a function call without an identifier; its answer carries the function's name, which is no agent", () => {
    const { trajectory } = fixture("tools.json");
    const turn = turnsOf(trajectory)[2];
    expect(resultsOf(turn).map(({ callItem, author }) => [callItem, author.name])).toEqual([
      ["t2.0", "write_file"],
      [null, null],
    ]);
    expect(trajectory.agents.map(({ name }) => name)).toEqual(["planner", "reviewer"]);
    expect(buildHistory(trajectory, null).writes).toMatchObject([{ path: "report.txt", grammar: "W3" }]);
  });

  it("name pictures and count them", () => {
    const { trajectory } = fixture("tools.json");
    expect(JSON.stringify(trajectory.entries)).not.toContain("iVBORw0KGgo");
    expect(trajectory.notes).toContainEqual(expect.objectContaining({ code: "picture", count: 1 }));
  });
});

describe("code that an executor runs", () => {
  it("writes the files that are named, and what the shell writes", () => {
    const { trajectory } = fixture("chat-history.json");
    const { writes, files } = buildHistory(trajectory, null);
    expect(writes.map(({ path, grammar, turn }) => [path, grammar, turn])).toEqual([
      ["tools/sort_names.py", "W8", 0],
      ["last.txt", "W7", 1],
      ["check.py", "W8", 2],
      ["never.py", "W8", 2],
    ]);
    expect(files.get("tools/sort_names.py")?.versions.at(-1)?.content).toMatchObject({
      text: "# filename: tools/sort_names.py\nlines = sorted(open('names.txt'))\nopen('names.txt', 'w').writelines(lines)",
    });
    expect(files.get("last.txt")?.versions.at(-1)?.content).toMatchObject({ text: "Cleo\n" });
    // The first block failed: whether the second one was reached is not told.
    expect(files.get("never.py")?.versions.at(-1)?.content).toEqual({ kind: "unknown" });
  });

  it("is one call a block, and an exit code of 0 speaks for all of them", () => {
    const { trajectory } = fixture("chat-history.json");
    const [first, , third] = turnsOf(trajectory);
    expect(resultsOf(first).map(({ exitCode, text }) => [exitCode, text])).toEqual([
      [0, ""],
      [0, "Ada\nBea\n"],
    ]);
    expect(resultsOf(third).map(({ callItem, exitCode }) => [callItem, exitCode])).toEqual([["t2.2", 3]]);
  });

  it("is no shell line when it is Python", () => {
    const { trajectory } = read([
      { role: "user", name: "user", content: "Go." },
      { role: "assistant", name: "coder", content: "```python\necho = 1 > 0\nrm = 'a.txt'\n```" },
      { role: "user", name: "user", content: "exitcode: 0 (execution succeeded)\nCode output: " },
    ]);
    expect(buildHistory(trajectory, null).writes).toEqual([]);
  });

  it("says nothing about a block that nobody ran", () => {
    const { trajectory } = read([
      { role: "user", name: "user", content: "Go." },
      { role: "assistant", name: "coder", content: "```sh\n# filename: a.sh\necho x > a.txt\n```" },
      { role: "user", name: "critic", content: "Better not." },
    ]);
    expect(turnsOf(trajectory).flatMap(callsOf)).toEqual([]);
    expect(buildHistory(trajectory, null).writes).toEqual([]);
  });

  it("does not know the text of a file whose installation was made quiet before it was saved", () => {
    const { trajectory } = read([
      { role: "user", name: "user", content: "Go." },
      { role: "assistant", name: "coder", content: "```sh\n# filename: set_up.sh\npip install tides\n```" },
      { role: "user", name: "user", content: "exitcode: 0 (execution succeeded)\nCode output: " },
    ]);
    const { files } = buildHistory(trajectory, null);
    expect(files.get("set_up.sh")?.versions.at(-1)?.content).toEqual({ kind: "unknown" });
  });

  it("starts each block in the executor's folder", () => {
    const { trajectory } = read([
      { role: "user", name: "user", content: "Go." },
      { role: "assistant", name: "coder", content: "```sh\ncd /srv/deep\n```" },
      { role: "user", name: "user", content: "exitcode: 0 (execution succeeded)\nCode output: " },
      { role: "assistant", name: "coder", content: "```sh\necho x > a.txt\n```" },
      { role: "user", name: "user", content: "exitcode: 0 (execution succeeded)\nCode output: " },
    ]);
    expect(buildHistory(trajectory, null).writes.map(({ path }) => path)).toEqual(["a.txt"]);
  });
});

describe("what is printed by 0.2", () => {
  it("is taken apart into the same messages", () => {
    const { trajectory } = fixture("console.txt");
    const [first, second] = turnsOf(trajectory);
    expect(callsOf(first).map(({ tool, callId, arguments: given }) => [tool, callId, given])).toEqual([
      ["list_files", "call_1", { path: "." }],
      ["shell", "call_2", { command: "echo done > state.txt" }],
    ]);
    expect(resultsOf(first).map(({ text, callId }) => [text, callId])).toEqual([
      ["a.txt\nb.txt", "call_1"],
      ["", "call_2"],
    ]);
    expect(resultsOf(second)).toMatchObject([{ exitCode: 0, recorded: [{ path: "count.py" }] }]);
    expect(trajectory.exitStatus).toBe("TERMINATE");
  });

  it("keeps a line of dashes inside a message", () => {
    const [, second] = turnsOf(fixture("console.txt").trajectory);
    expect(second?.items[0]?.text).toContain(`name\n${DASHES}\na.txt`);
  });

  it("keeps a line like a header inside a message, also without blank lines and with CRLF", () => {
    const found = fixture("group-console.log");
    expect(speakers(found)).toEqual(["weigher", "weigher", "critic"]);
    expect(turnsOf(found.trajectory)[1]?.items[0]?.text).toMatch(/then it said:\nother \(to nobody\):$/);
    expect(resultsOf(turnsOf(found.trajectory)[0]).map(({ text }) => text)).toEqual(["four kilograms"]);
  });

  it("shows what else was printed, in its place", () => {
    const found = fixture("console.txt");
    expect(contextsOf(found, "metadata").map(({ text }) => text.split("\n").at(-1))).toEqual([
      "loading settings of the program",
      "a line that the function itself printed",
    ]);
  });

  it("is without colours", () => {
    const text = printed("\u001b[33muser\u001b[0m", "helper", "Hello.") + printed("helper", "user", "Good day.");
    const found = readText(text);
    expect(found.trajectory.agents.map(({ name }) => name)).toEqual(["helper"]);
    expect(contextsOf(found, "task")[0]?.author.name).toBe("user");
  });

  it("tells several answers that one message gives from each other", () => {
    const block = (head: string, body: string): string => `${head}\n${body}\n${"*".repeat(head.length)}`;
    const answer = (id: string, text: string): string => block(`***** Response from calling tool (${id}) *****`, text);
    const call = (id: string): string => block(`***** Suggested tool call (${id}): look *****`, "Arguments: \n{}");
    const found = readText(
      printed("user", "helper", "Look.") +
        printed("helper", "user", `${call("a")}\n${call("b")}`) +
        printed("user", "helper", `${answer("a", "a tree")}\n\n${DASHES}\n${answer("b", "a lake")}`) +
        printed("helper", "user", "A tree and a lake."),
    );
    expect(resultsOf(turnsOf(found.trajectory)[0]).map(({ text, callItem }) => [text, callItem])).toEqual([
      ["a tree", "t0.0"],
      ["a lake", "t0.1"],
    ]);
    expect(turnsOf(found.trajectory)).toHaveLength(2);
    expect(contextsOf(found, "injected")).toEqual([]);
  });

  it("is not believed of any text with a colon", () => {
    expect(() => detect({ name: "x", bytes: encode(`Ada (to Bea):\n\nhello\n`) })).toThrowError();
  });
});

describe("messages of 0.4", () => {
  it("make one turn of a model's answer: thoughts, calls, their answers and the handoff", () => {
    const { trajectory } = fixture("messages.json");
    expect(turnsOf(trajectory).map((turn) => [turn.agent, stepsOf(turn), turn.items.map(({ kind }) => kind)])).toEqual([
      ["finder", ["1", "2", "3", "4"], ["thought", "call", "result", "call", "result"]],
      ["finder", ["5", "6", "7"], ["call", "result", "handoff"]],
      ["writer", ["8", "9"], ["call", "result"]],
      ["writer", ["10"], ["message"]],
      ["writer", ["13"], ["message"]],
    ]);
    expect(resultsOf(turnsOf(trajectory)[0]).map(({ isError }) => isError)).toEqual([false, true]);
    expect(trajectory.exitStatus).toBe("Text 'enough' mentioned");
  });

  it("count tokens once, and take the time of the first and the last event", () => {
    const { trajectory } = fixture("messages.json");
    expect(trajectory.totals).toMatchObject({ inputTokens: 460, outputTokens: 61, durationMs: 12_000 });
    expect(turnsOf(trajectory)[0]).toMatchObject({
      usage: { inputTokens: 120, outputTokens: 30 },
      startedAt: "2025-05-01T10:00:01Z",
      endedAt: "2025-05-01T10:00:04Z",
    });
  });

  it("say a summary only when it is more than the answers", () => {
    const { trajectory } = fixture("messages.json");
    expect(JSON.stringify(trajectory.entries)).not.toContain("five\\nno such page");
    const call = { id: "c", name: "look", arguments: "{}" };
    const other = read([
      { source: "a", type: "ToolCallRequestEvent", content: [call] },
      { source: "a", type: "ToolCallExecutionEvent", content: [{ call_id: "c", content: "tree", is_error: false }] },
      { source: "a", type: "ToolCallSummaryMessage", content: "It is a tree." },
    ]);
    expect(turnsOf(other.trajectory)).toMatchObject([{ items: [{}, {}, { kind: "message", text: "It is a tree." }] }]);
  });

  it("join the pieces of a streamed answer with the message that repeats them", () => {
    const found = fixture("events.jsonl");
    expect(turnsOf(found.trajectory)[0]?.items[0]).toMatchObject({ text: "Let me count.", raw: [{}, {}, {}] });
    expect(contextsOf(found, "metadata").map(({ text }) => text)).toContain("A piece that no message repeats");
  });

  it("make code a call that was generated and executed, or that an executor answers", () => {
    const { trajectory } = fixture("events.jsonl");
    const { writes } = buildHistory(trajectory, null);
    expect(writes.map(({ path, grammar, status }) => [path, grammar, status])).toEqual([
      ["primes.py", "W8", "applied"],
      ["count.txt", "W7", "refused"],
    ]);
    expect(trajectory.agents.map(({ name }) => name)).toEqual(["coder", "painter"]);
  });

  it("believe an executor without an exit code, but not that it worked", () => {
    const { trajectory } = read([
      { source: "user", type: "TextMessage", content: "Go." },
      { source: "coder", type: "TextMessage", content: "```sh\necho x > a.txt\n```" },
      { source: "code_executor", type: "TextMessage", content: "done" },
    ]);
    expect(resultsOf(turnsOf(trajectory)[0])).toMatchObject([{ exitCode: null, isError: null, text: "done" }]);
    expect(buildHistory(trajectory, null).writes).toMatchObject([{ path: "a.txt", status: "assumed" }]);
  });

  it("keep what is not known, with its place", () => {
    const found = fixture("events.jsonl");
    expect(contextsOf(found, "opaque").map(({ text }) => text)).toEqual([
      expect.stringContaining("four strokes of a pen"),
      "not a line of JSON",
    ]);
    expect(turnsOf(found.trajectory).at(-1)?.items[0]?.text).toBe("something of a type that nobody knows");
  });
});

describe("a saved state", () => {
  it("is in the order of the team's thread, with what only one agent knows before the message it led to", () => {
    const found = fixture("team-state.json");
    expect(
      turnsOf(found.trajectory).map(({ agent, items }) => [agent, items.map(({ kind, text }) => text ?? kind)]),
    ).toEqual([
      ["poet", ["A rhyme would help here.", "call", "wide and side"]],
      ["poet", ["The sea is wide,\nits hours are tide."]],
      ["critic", ["Shorter, please."]],
      ["poet", ["Wide sea, slow tide."]],
    ]);
    expect(contextsOf(found, "system").map(({ author }) => author.name)).toEqual(["poet"]);
  });

  it("says each message once, with every place of it and exact bytes", () => {
    const file = fixturesOf("autogen").find((path) => path.endsWith("team-state.json")) ?? "";
    const bytes = readFixture(file);
    const { trajectory } = ingest({ name: "x", bytes });
    const raw = turnsOf(trajectory)[3]?.items[0]?.raw ?? [];
    expect(raw.map(({ pointer }) => pointer?.replace(/9f7c0000/, "id"))).toEqual([
      "/agent_states/RoundRobinGroupChatManager~1id/message_thread/3",
      "/agent_states/poet~1id/agent_state/llm_context/messages/6",
      "/agent_states/critic~1id/message_buffer/0",
    ]);
    for (const { start, end } of raw) {
      const text = new TextDecoder().decode(bytes.subarray(start ?? 0, end ?? 0));
      expect(JSON.parse(text)).toMatchObject({ content: "Wide sea, slow tide." });
    }
  });

  it("puts each call before the message that it led to, not before the first one", () => {
    const said = (content: string): object => ({ source: "a", type: "TextMessage", content });
    const spoken = (content: string): object => ({ source: "a", type: "AssistantMessage", content });
    const called = (id: string): object => ({
      source: "a",
      type: "AssistantMessage",
      content: [{ id, name: "look", arguments: "{}" }],
    });
    const messages = [called("c1"), spoken("One."), called("c2"), spoken("Two.")];
    const { trajectory } = read({
      type: "TeamState",
      agent_states: {
        a: { agent_state: { type: "AssistantAgentState", llm_context: { messages } } },
        manager: { message_thread: [said("One."), said("Two.")] },
      },
    });
    const items = turnsOf(trajectory).flatMap((turn) => turn.items);
    expect(items.map((item) => (item.kind === "call" ? item.callId : item.text))).toEqual(["c1", "One.", "c2", "Two."]);
  });

  it("of one agent alone is its memory", () => {
    const found = fixture("agent-state.json");
    expect(speakers(found)).toEqual(["assistant", "assistant"]);
    expect(contextsOf(found, "task").map(({ text }) => text)).toEqual(["What is seven times six?"]);
  });
});

describe("hostile chats take time in proportion", () => {
  const many = 40_000;

  it.each([
    [
      "calls that nobody answers, and answers that nobody asked for",
      (n: number): string => {
        const tool_calls = Array.from({ length: n }, (_, i) => ({
          id: `c${i}`,
          function: { name: "f", arguments: "{}" },
        }));
        const tool_responses = Array.from({ length: n }, (_, i) => ({ tool_call_id: `d${i}`, content: "x" }));
        return JSON.stringify([
          { role: "assistant", name: "a", content: "", tool_calls },
          { role: "tool", name: "b", content: "", tool_responses },
        ]);
      },
    ],
    [
      "fences that are not closed",
      (n: number): string => {
        const content = "```python\n".repeat(n);
        return JSON.stringify([
          { role: "user", name: "user", content },
          { role: "assistant", name: "a", content },
          { role: "user", name: "user", content: "exitcode: 0 (execution succeeded)\nCode output: x" },
        ]);
      },
    ],
    [
      "answers that are not closed",
      (n: number): string =>
        printed("b", "a", "x") +
        printed("a", "b", "***** Response from calling tool (x) *****\n".repeat(n)) +
        printed("b", "a", "x"),
    ],
    ["headers without an end", (n: number): string => printed("a", "b", "x") + "a (to b):\n\n".repeat(n)],
  ])("%s", (_, make) => {
    const time = (n: number): number => processorMs(() => readText(make(n)));
    time(many / 4);
    expect(time(many)).toBeLessThan(12 * time(many / 4) + 300);
  });
});
