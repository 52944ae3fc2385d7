import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { processorMs } from "@/lib/test-support/processor-time";
import {
  type ContextItem,
  type Item,
  type ResultItem,
  type Trajectory,
  type Turn,
  turnsOf,
} from "@/lib/trajectory/schema";
import { readContent } from "../content";
import { detect, ingest } from "../ingest";
import { miniSweAgent } from "./mini-swe-agent";
import { fencedActions, isSubmission } from "./mini-swe-agent/fences";
import { readObservation } from "./mini-swe-agent/observations";
import { taskOf } from "./mini-swe-agent/run-facts";

const fixtures = join(import.meta.dirname, "fixtures", "mini-swe-agent");
const load = (name: string): Trajectory =>
  ingest({ name, bytes: new Uint8Array(readFileSync(join(fixtures, name))) }).trajectory;
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const run = (messages: unknown[], more: Record<string, unknown> = {}): Trajectory =>
  ingest({ name: "x", bytes: encode({ messages, trajectory_format: "mini-swe-agent-1.1", ...more }) }).trajectory;
const kinds = (turn: Turn | undefined): string[] => (turn?.items ?? []).map((item: Item) => item.kind);
const texts = (turn: Turn | undefined, kind: Item["kind"]): (string | null)[] =>
  (turn?.items ?? []).filter((item) => item.kind === kind).map((item) => item.text);
const results = (turn: Turn | undefined): ResultItem[] => (turn?.items ?? []).filter((item) => item.kind === "result");
const contexts = (trajectory: Trajectory): ContextItem[] =>
  trajectory.entries.filter((entry) => entry.kind === "context");
const note = (trajectory: Trajectory, code: string): number =>
  trajectory.notes.find((one) => one.code === code)?.count ?? 0;
const steps = (turn: Turn | undefined): string[] => (turn?.sourceSteps ?? []).map(({ step }) => step);

const PROMPT = [
  { role: "system", content: "You can use a shell." },
  { role: "user", content: "Mend the kettle. To finish: `echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT`" },
];
const call = (command: string, id = "call_1"): Record<string, unknown> => ({
  id,
  type: "function",
  function: { name: "bash", arguments: JSON.stringify({ command }) },
});
const says = (more: Record<string, unknown>): Record<string, unknown> => ({ role: "assistant", content: "", ...more });
const answer = (raw: string, more: Record<string, unknown> = {}, id = "call_1"): Record<string, unknown> => ({
  role: "tool",
  tool_call_id: id,
  content: `<returncode>0</returncode>\n<output>\n${raw}</output>`,
  extra: { raw_output: raw, returncode: 0, ...more },
});

describe("who claims messages", () => {
  const score = (value: unknown): number => miniSweAgent.sniff(readContent({ name: "x", bytes: encode(value) })).score;
  const block = (language = "bash"): Record<string, unknown> =>
    says({ content: `THOUGHT: Look.\n\n\`\`\`${language}\nls\n\`\`\`` });
  const told = { role: "user", content: "<returncode>0</returncode>\n<output>\n</output>" };

  it("is sure of what the file says itself", () => {
    expect(score({ trajectory_format: "mini-swe-agent-1", messages: [] })).toBe(0.95);
    expect(score({ info: { mini_version: "2.0.0" }, messages: PROMPT })).toBe(0.95);
  });

  it("takes lists by their single blocks together with the words of the harness", () => {
    expect(score([...PROMPT, block(), told])).toBe(0.9);
    expect(score([...PROMPT, block("mswea_bash_command"), told])).toBe(0.9);
    expect(score([{ role: "user", content: "Mend it." }, block(), told])).toBe(0.8);
    expect(score({ messages: [{ role: "user", content: "Mend it." }, block(), told] })).toBe(0.8);
    expect(score(PROMPT)).toBe(0.8);
    expect(
      score([...PROMPT, says({ tool_calls: [call("ls")], extra: { actions: [{ command: "ls" }] } }), answer("")]),
    ).toBe(0.9);
  });

  it.each([
    ["a chat with a block", [{ role: "user", content: "How?" }, block(), { role: "user", content: "Thanks" }]],
    ["a chat without blocks", [{ role: "user", content: "Hi" }, says({ content: "Hello" })]],
    [
      "a chat with tool calls",
      [...PROMPT.slice(0, 1), says({ tool_calls: [call("ls")] }), answer("a", { raw_output: null })],
    ],
    ["two blocks a message", [...PROMPT, says({ content: "```bash\nls\n```\n```bash\nls\n```" }), told]],
    ["other roles", [{ role: "human", content: "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" }]],
    ["no messages", []],
    ["no list", { info: { mini_version: "2" } }],
  ])("not %s", (_, value) => {
    expect(score(value)).toBe(0);
  });

  it("gives the variant for people", () => {
    expect(load("1.x/bash-blocks.json").format.variant).toBe("1.x bash blocks in a list");
    expect(load("1.x/own-blocks.json").format.variant).toBe("1.x own blocks in a list");
    expect(load("1.x/with-info.traj.json").format.variant).toBe("1.x bash blocks");
    expect(load("2.x/tool-calls.traj.json").format.variant).toBe("2.x tool calls");
    expect(load("2.x/without-turns.traj.json").format.variant).toBe("2.x without turns");
    expect(load("2.x/replies.traj.json").format.variant).toBe("2.x replies");
    expect(detect({ name: "x", bytes: encode([...PROMPT, block()]) }).format).toBe("mini-swe-agent");
  });
});

describe("turns", () => {
  it("makes one of a message with several calls, each with its own result", () => {
    const [first] = turnsOf(load("2.x/tool-calls.traj.json"));
    expect(kinds(first)).toEqual(["thought", "call", "result", "call", "result"]);
    expect(results(first).map((result) => [result.callId, result.text])).toEqual([
      ["call_1", expect.stringContaining("def to_celsius")],
      ["call_2", "[metadata]\nname = kettle\n"],
    ]);
    expect(steps(first)).toEqual(["2", "3", "4"]);
  });

  it("takes results by their identifiers, in whatever order they come", () => {
    const calls = [call("echo a", "one"), call("echo b", "two")];
    const [turn] = turnsOf(
      run([...PROMPT, says({ tool_calls: calls }), answer("b\n", {}, "two"), answer("a\n", {}, "one")]),
    );
    expect(texts(turn, "result")).toEqual(["a\n", "b\n"]);
    expect(results(turn).map(({ arrival }) => arrival)).toEqual([5, 4]);
  });

  it("keeps calls without a result, and results without a call", () => {
    const turns = turnsOf(
      run([...PROMPT, says({ tool_calls: [call("ls")] }), answer("late", {}, "call_9"), says({ content: "" })]),
    );
    expect(kinds(turns[0])).toEqual(["call", "result"]);
    expect(results(turns[0])[0]).toMatchObject({ callItem: null, callId: "call_9", text: "late" });
    expect(kinds(turns[1])).toEqual(["message"]);
  });

  it("takes the only block of a text as the call, and the words around it as thoughts", () => {
    const turn = turnsOf(load("1.x/bash-blocks.json"))[3];
    expect(texts(turn, "thought")).toEqual(["THOUGHT: Try it from the folder.\n\n", "\n\nIt should print 100."]);
    expect(turn?.items.find((item) => item.kind === "call")).toMatchObject({
      tool: "bash",
      arguments: null,
      text: 'cd kettle && python -c "import units; print(units.to_celsius(212))"',
    });
  });

  it("does not run an example in another language than the one that the run uses", () => {
    const [first] = turnsOf(load("1.x/own-blocks.json"));
    expect(texts(first, "call")).toEqual(["cat -n kettle/units.py | sed -n '1,3p'"]);
    expect(texts(first, "thought").join("")).toContain("```bash\ncat README.md\n```");
  });

  it("takes what the harness says that it ran for a call, where no call of the message orders it", () => {
    const ran = { command: "ls", tool_call_id: "call_2" };
    const extra = { actions: [{ command: "pwd\n", tool_call_id: "call_1" }, ran] };
    const [turn] = turnsOf(run([...PROMPT, says({ tool_calls: [call("pwd")], extra }), answer("a\n", {}, "call_2")]));
    expect(kinds(turn)).toEqual(["call", "call", "result"]);
    expect(turn?.items[1]).toMatchObject({ tool: "bash", text: "ls", callId: "call_2" });
    expect(results(turn)[0]?.callItem).toBe(turn?.items[1]?.id);
  });

  it("makes a turn of a rejected answer also where no task stands before it", () => {
    const extra = { interrupt_type: "FormatError", model_response: "I would look." };
    const trajectory = run([{ role: "user", content: "Exactly one action.", extra }]);
    expect(turnsOf(trajectory)[0]?.items).toMatchObject([{ kind: "message", text: "I would look." }]);
    expect(trajectory.task.statement).toBeNull();
  });

  it("keeps arguments that are no JSON as text, and tools that are not bash as other", () => {
    const [turn] = turnsOf(load("2.x/unknown-fields.traj.json"));
    expect(turn?.items.findLast((item) => item.kind === "call")).toMatchObject({
      tool: "browse",
      callKind: "other",
      arguments: null,
      text: '{"url": ',
    });
  });

  it("reads a call in the old member of the API, and thinking that stands in blocks", () => {
    const old = { name: "bash", arguments: '{"command": "ls"}' };
    const thinking = [{ type: "thinking", thinking: "Hm.", signature: "abc" }];
    const [turn] = turnsOf(run([...PROMPT, says({ function_call: old, thinking_blocks: thinking })]));
    expect(kinds(turn)).toEqual(["thought", "call"]);
    expect(turn?.items[1]).toMatchObject({ arguments: { command: "ls" }, callId: null });
  });

  it("reads replies of the Responses API", () => {
    const [first, second] = turnsOf(load("2.x/replies.traj.json"));
    expect(kinds(first)).toEqual(["thought", "thought", "call", "result"]);
    expect(results(first)[0]).toMatchObject({ callId: "call_1", exitCode: 0, text: expect.stringMatching(/^def/) });
    expect(first).toMatchObject({
      model: "reasoner-2",
      usage: { inputTokens: 500, cachedTokens: 10, outputTokens: 30 },
    });
    expect(kinds(second)).toEqual(["call", "result"]);
  });

  it("are none when the model never answered: a task and an end", () => {
    const trajectory = load("2.x/without-turns.traj.json");
    expect(turnsOf(trajectory)).toEqual([]);
    expect(contexts(trajectory).map(({ contextKind }) => contextKind)).toEqual([
      "system",
      "task",
      "metadata",
      "metadata",
    ]);
    expect(trajectory).toMatchObject({ exitStatus: "InternalServerError", deliveredPatch: null });
    expect(contexts(trajectory)[2]?.text).toBe(
      'InternalServerError\nInternalServerError: no answer\nTraceback (most recent call last):\n  File "model.py", line 1, in query\nInternalServerError: no answer',
    );
  });
});

describe("what the agent is told", () => {
  it("takes the raw output, also where the agent saw it without its middle", () => {
    const trajectory = load("2.x/format-errors-and-elided.traj.json");
    const result = results(turnsOf(trajectory)[1])[0];
    expect(result?.text.split("\n")).toHaveLength(41);
    expect(result).toMatchObject({ exitCode: 0, isError: false, isCut: false });
    expect(note(trajectory, "output_elided_for_agent")).toBe(1);
  });

  it("says that an output is cut when nothing holds the whole of it", () => {
    const result = results(turnsOf(load("1.x/own-blocks.json"))[1])[0];
    expect(result).toMatchObject({ isCut: true, exitCode: 0, reads: [] });
    expect(result?.text).toMatch(/<output_head>\nheating 20[\s\S]*31337 characters elided/);
  });

  it("takes exit codes, and says of a search that finds nothing no more than that", () => {
    const turns = turnsOf(load("2.x/tool-calls.traj.json"));
    expect(results(turns[1])[0]).toMatchObject({ exitCode: 1, isError: null });
    expect(results(turns[3]).map(({ exitCode, isError }) => [exitCode, isError])).toEqual([
      [0, false],
      [1, null],
    ]);
  });

  it("takes commands that timed out or did not run as failed, in the words of the harness", () => {
    const [turn] = turnsOf(load("2.x/unknown-fields.traj.json"));
    expect(results(turn).slice(0, 2)).toMatchObject([
      { isError: true, exitCode: -1, text: expect.stringMatching(/timed out after 60 seconds$/) },
      { isError: true, exitCode: -1, text: "action was not executed" },
    ]);
    expect(results(turnsOf(load("1.x/own-blocks.json"))[2])[0]).toMatchObject({ isError: true, exitCode: null });
  });

  it.each([
    ["<returncode>0</returncode>\n<output>\na\n</output>", { text: "a\n", exitCode: 0, isError: false, isCut: false }],
    ["<returncode>0</returncode>\n<output>\n</output>", { text: "", exitCode: 0 }],
    [
      "<returncode>-9</returncode>\n<output>\n</output> <output>x</output>",
      { text: "</output> <output>x", exitCode: -9 },
    ],
    [
      "<exception>no shell</exception>\n<returncode>-1</returncode>\n<output>\na</output>",
      { text: "a\nno shell", isError: true },
    ],
    ["<exception>no shell", { text: "<exception>no shell", exitCode: null, isError: null }],
    ["Observation: {'output': 'a\\n', 'returncode': 2}", { text: "{'output': 'a\\n', 'returncode': 2}", exitCode: 2 }],
    ["anything else", { text: "anything else", exitCode: null, isError: null, isCut: false }],
  ])("reads %j", (shown, observation) => {
    expect(readObservation(shown)).toMatchObject(observation);
  });

  it("takes a format error for no result, and the answer that it is about for a turn without a call", () => {
    const list = load("1.x/bash-blocks.json");
    expect(kinds(turnsOf(list)[0])).toEqual(["message"]);
    expect(contexts(list)[2]).toMatchObject({
      contextKind: "injected",
      author: { role: "harness" },
      text: expect.stringContaining("found 0"),
    });
    expect(note(list, "format_error_step")).toBe(1);

    const trajectory = load("2.x/format-errors-and-elided.traj.json");
    const turns = turnsOf(trajectory);
    expect(turns.map(kinds)).toEqual([
      ["message"],
      ["thought", "call", "result"],
      ["message"],
      ["message"],
      ["thought", "call", "result"],
    ]);
    expect(turns[2]?.items[0]?.text).toContain("rm -r kettle");
    expect(turns[3]).toMatchObject({
      usage: { inputTokens: 70, outputTokens: 5 },
      items: [{ text: "Nothing to run." }],
    });
    expect(steps(turns[0])).toEqual(["2"]);
    expect(note(trajectory, "format_error_step")).toBe(3);
  });

  it("makes words of a call that was rejected: it did not run", () => {
    const browse = { id: "call_1", type: "function", function: { name: "browse", arguments: '{"url": "x"}' } };
    const response = { choices: [{ message: { role: "assistant", content: "", tool_calls: [browse] } }] };
    const notice = {
      role: "user",
      content: "Unknown tool 'browse'.",
      extra: { interrupt_type: "FormatError", response },
    };
    const output = [{ type: "function_call", call_id: "call_1", name: "browse", arguments: '{"url": "y"}' }];
    const other = { ...notice, extra: { interrupt_type: "FormatError", response: { output } } };
    const turns = turnsOf(run([...PROMPT, notice, other]));
    expect(turns.map(({ items }) => items.map(({ kind, text }) => [kind, text]))).toEqual([
      [["message", '{"url":"x"}']],
      [["message", '{"url":"y"}']],
    ]);
  });

  it("leaves out the empty message with which older versions stop", () => {
    const trajectory = load("1.x/with-info.traj.json");
    expect(contexts(trajectory).map(({ contextKind }) => contextKind)).toEqual(["system", "task", "metadata"]);
    expect(trajectory.exitStatus).toBe("LimitsExceeded");
  });

  it("does not call what a person types a turn or a result", () => {
    const trajectory = load("2.x/unknown-fields.traj.json");
    const said = contexts(trajectory).filter(({ contextKind }) => contextKind === "person");
    expect(said.map(({ text }) => text)).toEqual([
      expect.stringMatching(/keep the file$/),
      "User command: \n```bash\nls kettle\n```",
    ]);
    expect(note(trajectory, "person_ran_command")).toBe(1);
    expect(contexts(trajectory)).toContainEqual(
      expect.objectContaining({ contextKind: "injected", text: expect.stringContaining("units.py") }),
    );
    const long = { role: "user", content: "<elided_chars>9</elided_chars>", extra: { raw_output: "the whole of it" } };
    const typed = {
      role: "user",
      content: "User command: \n```bash\nls\n```",
      extra: { actions: [{ command: "ls" }] },
    };
    expect(contexts(run([...PROMPT, typed, long]))[3]?.text).toBe("<elided_chars>9</elided_chars>\nthe whole of it");
    const old = run([
      ...PROMPT,
      says({ content: "```bash\nls\n```" }),
      { role: "user", content: "Interrupted by user: stop" },
    ]);
    expect(contexts(old)[2]).toMatchObject({ contextKind: "person", author: { role: "person" } });
    expect(kinds(turnsOf(old)[0])).toEqual(["call"]);
  });
});

describe("handing in", () => {
  it.each([
    ["echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", true],
    ["cd /repo && echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT && cat patch.txt", true],
    ["git add -A; echo 'MINI_SWE_AGENT_FINAL_OUTPUT'", true],
    ["printf 'MICRO_SWE_AGENT_FINAL_OUTPUT\\n'", true],
    ["grep COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT notes.md", false],
    ["cat > a.sh <<'EOF'\necho COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT\nEOF", false],
    ["echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUTS", false],
  ])("%j: %s", (command, expected) => {
    expect(isSubmission(command)).toBe(expected);
    const [turn] = turnsOf(run([...PROMPT, says({ tool_calls: [call(command)] })]));
    expect(turn?.items[0]).toMatchObject({ callKind: expected ? "submit" : expect.not.stringMatching("submit") });
  });

  it("takes the exit message for the result of the call, and the submission for the delivered patch", () => {
    const trajectory = load("2.x/tool-calls.traj.json");
    const last = turnsOf(trajectory).at(-1);
    expect(last?.items.map((item) => item.kind)).toEqual(["thought", "call", "result"]);
    expect(last?.items[1]).toMatchObject({ callKind: "submit" });
    expect(results(last)[0]).toMatchObject({ isError: false, exitCode: null, text: trajectory.deliveredPatch });
    expect(trajectory).toMatchObject({ exitStatus: "Submitted", deliveredPatch: expect.stringMatching(/^diff --git/) });
    expect(contexts(trajectory).at(-1)?.text).not.toContain("diff --git");
  });

  it("takes the last message of a list for the submission", () => {
    const list = load("1.x/bash-blocks.json");
    expect(list.deliveredPatch).toMatch(/^diff --git a\/kettle\/units.py/);
    expect(results(turnsOf(list).at(-1))[0]?.text).toBe(list.deliveredPatch);
    expect(list.exitStatus).toBeNull();
  });

  it("delivers no patch when what was handed in is none, and keeps it", () => {
    expect(load("1.x/own-blocks.json").deliveredPatch).toBeNull();
    const trajectory = load("2.x/unknown-fields.traj.json");
    expect(trajectory.deliveredPatch).toBeNull();
    expect(results(turnsOf(trajectory).at(-1))[0]?.text).toBe("no patch, only words");
    const alone = run(PROMPT, { info: { exit_status: "Submitted", submission: "only words" } });
    expect(contexts(alone).at(-1)?.text).toContain('"submission": "only words"');
  });
});

describe("what a file says about the run", () => {
  it("counts tokens once although the whole reply stands beside the message", () => {
    const trajectory = load("2.x/tool-calls.traj.json");
    expect(turnsOf(trajectory)[0]?.usage).toEqual({
      inputTokens: 1000,
      cachedTokens: 900,
      outputTokens: 50,
      costUsd: 0.001,
    });
    expect(trajectory.totals).toMatchObject({
      inputTokens: 9000,
      cachedTokens: 8400,
      outputTokens: 300,
      costUsd: 0.006,
    });
    expect(note(trajectory, "repeated_reply")).toBe(6);
    expect(note(trajectory, "reply_differs")).toBe(0);
    const reply = { choices: [{ message: { role: "assistant", content: "Other words." } }] };
    expect(note(run([...PROMPT, says({ content: "Words.", extra: { response: reply } })]), "reply_differs")).toBe(1);
    for (const tool_calls of [[], [call("pwd")], [call("ls"), call("ls")]]) {
      const other = { choices: [{ message: { role: "assistant", content: "", tool_calls } }] };
      const trajectory = run([...PROMPT, says({ tool_calls: [call("ls")], extra: { response: other } })]);
      expect(note(trajectory, "reply_differs")).toBe(1);
    }
  });

  it("does not take a cost of zero for free", () => {
    expect(load("1.x/with-info.traj.json").totals).toEqual({
      inputTokens: 1880,
      cachedTokens: null,
      outputTokens: 42,
      costUsd: null,
      durationMs: 3750,
    });
    expect(load("2.x/without-turns.traj.json").totals.costUsd).toBeNull();
  });

  it("names the model as the configuration does, unless the reply is of another one", () => {
    const trajectory = load("2.x/tool-calls.traj.json");
    expect([trajectory.models, turnsOf(trajectory)[0]?.model]).toEqual([["lab/reasoner-1"], "lab/reasoner-1"]);
    expect(load("2.x/replies.traj.json").models).toEqual(["reasoner-2"]);
    expect(load("2.x/without-turns.traj.json").models).toEqual(["lab/reasoner-1"]);
  });

  it("finds the task by its template, and without one by the words around it", () => {
    expect(load("2.x/tool-calls.traj.json").task).toEqual({
      statement: "Water does not boil\r\n\r\nto_celsius(212) should be 100.",
      instance: "kettle__kettle-8",
      repository: null,
      baseCommit: null,
    });
    expect(load("1.x/bash-blocks.json").task.statement).toBe(
      "Water does not boil\n\nto_celsius(212) should be 100, it gives 194.2.",
    );
    expect(load("1.x/own-blocks.json").task.statement).toBe("The kettle never boils");
  });

  it.each([
    ["a {{cwd}} b\n{{task}}\nc {% if x %}", "a /r b\nmend it\nc d", "mend it"],
    ["{{task}}", " mend it ", "mend it"],
    ["go: {{task}}!", "stop: mend it!", "stop: mend it!"],
    [null, "Your task: mend it. Please reply with a single shell command in triple backticks.", "mend it"],
    [null, "anything", "anything"],
  ])("template %j", (template, message, task) => {
    expect(taskOf(message, template)).toBe(task);
  });

  it("gives times in UTC, and takes what is no time for none", () => {
    const [first] = turnsOf(load("1.x/with-info.traj.json"));
    expect(first).toMatchObject({ startedAt: "2026-01-01T00:00:02.250Z", endedAt: "2026-01-01T00:00:02.500Z" });
    for (const timestamp of [1e300, -1, "yesterday", null]) {
      expect(turnsOf(run([...PROMPT, says({ content: "a", extra: { timestamp } })]))[0]?.startedAt).toBeNull();
    }
  });

  it("tells the folder in which every command starts anew", () => {
    expect(turnsOf(load("2.x/tool-calls.traj.json"))[0]?.state).toMatchObject({
      workingDirectory: "/kettle",
      freshShell: true,
    });
    expect(turnsOf(load("1.x/bash-blocks.json"))[0]?.state).toMatchObject({ workingDirectory: null, freshShell: true });
  });
});

describe("what is not understood", () => {
  const files = ["1.x/bash-blocks.json", "1.x/own-blocks.json", "1.x/with-info.traj.json"].concat(
    ["tool-calls", "without-turns", "format-errors-and-elided", "unknown-fields", "replies"].map(
      (n) => `2.x/${n}.traj.json`,
    ),
  );

  /** Every text of a value with its JSON pointer. */
  function* leaves(value: unknown, pointer = ""): Generator<[string, string]> {
    if (typeof value === "string") yield [pointer, value];
    else if (typeof value === "object" && value !== null) {
      for (const [key, held] of Object.entries(value)) yield* leaves(held, `${pointer}/${key}`);
    }
  }
  /** Marks of the API and what repeats a message, as the documents say. */
  const SILENT =
    /\/(?:role|type|object|status|tool_call_id|interrupt_type|exit_status|index)$|\/extra\/(?:response|actions)\b|\/provider_specific_fields\/|\/id$/;
  /** Where the agent was shown less than the result holds. */
  const ELIDED = "<elided_chars>";

  it.each(files)("loses no text of %s", (name) => {
    const document: unknown = JSON.parse(readFileSync(join(fixtures, name), "utf8"));
    const trajectory = load(name);
    const unread = trajectory.notes
      .filter(({ level, code }) => level === "not_understood" || code === "part_left_out")
      .flatMap(({ positions }) => positions.map(({ pointer }) => pointer ?? "?"));
    const shown: string[] = [...leaves(trajectory)].map(([, text]) => text);
    const held = shown.join("\n");
    const lost = [...leaves(document)].filter(([pointer, text]) => {
      if (SILENT.test(pointer) || unread.some((one) => pointer.startsWith(one))) return false;
      if (text.includes(ELIDED) && /\/content$/.test(pointer)) return false;
      const given = parsedArguments(text);
      if (given !== null) return !given.every((part) => held.includes(part));
      // A block stands apart from the words around it; tags of an observation say what its result says.
      const parts = text.split(/```\w*\n?|<\/?(?:returncode|output|exception)>\n?|^Observation: /);
      return !parts.every((part) => held.includes(part.trim()) || held.includes(JSON.stringify(part).slice(1, -1)));
    });
    expect(lost).toEqual([]);
  });

  function parsedArguments(text: string): string[] | null {
    if (!text.startsWith('{"command": ')) return null;
    return [...leaves(JSON.parse(text))].map(([, part]) => part);
  }

  it("names fields and messages that it does not know, with their places", () => {
    const trajectory = load("2.x/unknown-fields.traj.json");
    const places = (code: string): (string | null)[] | undefined =>
      trajectory.notes.find((one) => one.code === code)?.positions.map(({ pointer }) => pointer);
    expect(places("field_not_understood")).toEqual(["/messages/2/annotations", "/messages/2/extra/retries"]);
    expect(places("message_not_understood")).toEqual(["/messages/8", "/messages/9"]);
    expect(places("information_not_understood")).toEqual(["/info/patch_repair", "/seed"]);
    const opaque = contexts(trajectory).filter(({ contextKind }) => contextKind === "opaque");
    expect(opaque.map(({ text }) => text)).toEqual(['{"role":"critic","content":"Looks thin."}', '"a line of text"']);
  });

  it("keeps the rest of a document as context at its end", () => {
    const last = contexts(load("2.x/unknown-fields.traj.json")).at(-1);
    expect(last?.raw.map(({ pointer }) => pointer)).toEqual(["/info", "/trajectory_format", "/seed", "/empty"]);
    expect(JSON.parse(last?.text ?? "")).toMatchObject({
      info: { mini_version: "2.2.7", patch_repair: { tried: true }, model_stats: { api_calls: 1 } },
      seed: 7,
    });
    expect(contexts(load("1.x/bash-blocks.json"))).toHaveLength(3);
  });

  it("names pictures with their size, and counts what a provider signed or hid", () => {
    const trajectory = load("2.x/unknown-fields.traj.json");
    expect(note(trajectory, "part_left_out")).toBe(1);
    const hidden = [
      { type: "thinking", thinking: "Hm.", signature: "abc" },
      { type: "redacted_thinking", data: "xyz" },
    ];
    expect(note(run([...PROMPT, says({ thinking_blocks: hidden })]), "part_left_out")).toBe(2);
    const last = turnsOf(trajectory).at(-1);
    expect(texts(last, "thought")).toEqual(["THOUGHT: See the picture.\n[picture image/png, 34 characters]"]);
  });

  it("keeps keys that are called like members of every object", () => {
    const bytes = new TextEncoder().encode(
      '{"trajectory_format": "mini-swe-agent-1", "info": {"__proto__": {"a": 1}}, "messages": [{"role": "user", "content": "x", "constructor": "y", "extra": {"__proto__": "z"}}]}',
    );
    const { trajectory } = ingest({ name: "x", bytes });
    expect(contexts(trajectory).at(-1)?.text).toContain("__proto__");
    expect(note(trajectory, "field_not_understood")).toBe(2);
  });
});

describe("files of a run", () => {
  it("follows what shell commands write from where every command starts", () => {
    const { files, conflicts, writes } = buildHistory(load("2.x/tool-calls.traj.json"), null);
    const units = files.get("/kettle/kettle/units.py");
    expect(units?.versions.map(({ certainty }) => certainty)).toEqual(["recorded", "replayed"]);
    expect(units?.versions.at(-1)?.content).toMatchObject({
      text: "def to_celsius(f):\n    return (f - 32) * 5 / 9\n\n\ndef is_boiling(f):\n    return to_celsius(f) >= 100\n",
    });
    expect(conflicts).toEqual([]);
    expect(writes.map(({ path, status }) => [path, status])).toEqual([
      ["/kettle/kettle/units.py", "applied"],
      ["/kettle/patch.txt", "opaque"],
    ]);
  });

  it("does so without the folder's name, and agrees with what was handed in", () => {
    const { files, conflicts } = buildHistory(load("1.x/bash-blocks.json"), null);
    expect([...files.keys()]).toEqual(["kettle/units.py"]);
    expect(files.get("kettle/units.py")?.versions.at(-1)).toMatchObject({ certainty: "replayed" });
    expect(conflicts).toEqual([]);
  });

  it("changes nothing by a command that was not executed", () => {
    const { writes } = buildHistory(load("2.x/unknown-fields.traj.json"), null);
    expect(writes).toMatchObject([{ status: "refused", reason: "action was not executed" }]);
  });
});

describe("hostile messages", () => {
  it.each([
    ["many fences", "```bash\n".repeat(100_000)],
    ["many fences in one line", "```bash ".repeat(100_000)],
    ["many fences that close", "```bash\nls\n```\n".repeat(50_000)],
    ["many tags", "<output>".repeat(100_000)],
    ["a long time-out", `The last command <command>${"timed out and ".repeat(100_000)}`],
    ["many words for handing in", "&& echo ".repeat(100_000)],
  ])("%s end soon", (_, text) => {
    const tookMs = processorMs(() => {
      fencedActions(text, "bash");
      readObservation(text);
      isSubmission(text);
      run([...PROMPT, says({ content: text }), { role: "user", content: text }, says({ tool_calls: [call(text)] })]);
    });
    expect(tookMs).toBeLessThan(3_000);
  });
});
