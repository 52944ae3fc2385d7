import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { type CallItem, type Item, type ResultItem, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest, openUpload } from "../ingest";
import type { HeldFile } from "../source";
import { accountBytes } from "../unread";

const fixtures = join(import.meta.dirname, "fixtures", "openhands");
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const loadBytes = (name: string): Uint8Array => new Uint8Array(readFileSync(join(fixtures, name)));
const load = (name: string): Ingested => ingest({ name, bytes: loadBytes(name) });
const from = (value: unknown): Ingested => ingest({ name: "x", bytes: bytesOf(JSON.stringify(value)) });
const itemsOf = (trajectory: Trajectory): Item[] => turnsOf(trajectory).flatMap(({ items }) => items);
const callsOf = (trajectory: Trajectory): CallItem[] => itemsOf(trajectory).filter((item) => item.kind === "call");
const resultsOf = (trajectory: Trajectory): ResultItem[] =>
  itemsOf(trajectory).filter((item) => item.kind === "result");
const notesOf = (trajectory: Trajectory): Record<string, number> =>
  Object.fromEntries(trajectory.notes.map((note) => [note.code, note.count]));
const contextOf = (trajectory: Trajectory): string[] =>
  trajectory.entries.flatMap((entry) => (entry.kind === "context" ? [`${entry.contextKind}: ${entry.text}`] : []));

const action = (id: number, name: string, args: object, more: object = {}): object => ({
  id,
  source: "agent",
  action: name,
  args,
  ...more,
});
const observation = (id: number, cause: number, name: string, content: string, extras: object = {}): object => ({
  id,
  source: "agent",
  observation: name,
  cause,
  content,
  extras,
});
const event = (kind: string, id: string, more: object): object => ({ kind, id, source: "agent", ...more });
const call = (id: string, response: string | null, args: object = {}): object =>
  event("ActionEvent", id, {
    thought: [],
    tool_name: "terminal",
    tool_call_id: `call-${id}`,
    tool_call: { id: `call-${id}`, name: "terminal", arguments: JSON.stringify(args) },
    llm_response_id: response,
  });
const answer = (id: string, to: string, text: string): object =>
  event("ObservationEvent", id, {
    source: "environment",
    action_id: to,
    observation: { content: [{ type: "text", text }] },
  });

describe("events of V0", () => {
  const { trajectory } = load("v0/events.json");
  const turns = turnsOf(trajectory);

  it("makes one turn of the actions of one reply, whose tokens count once though every event repeats it", () => {
    expect(turns[0]?.items.filter((item) => item.kind === "call")).toHaveLength(2);
    expect(turns.map(({ usage }) => usage?.inputTokens)).toEqual([200, 260, 300, 330, 350, 370, 380]);
    expect(turns[0]?.usage).toEqual({ inputTokens: 200, cachedTokens: 40, outputTokens: 20, costUsd: null });
    expect(trajectory.totals).toMatchObject({ inputTokens: 2190, outputTokens: 147, costUsd: 0.05 });
  });

  it("gives a turn the places and the numbers of its actions and observations", () => {
    const steps = turns[1]?.sourceSteps.map(({ convention, step }) => `${convention} ${step}`);
    expect(steps).toEqual(["event 9", "id 9", "event 10", "id 10"]);
  });

  it("records what the editor read and wrote", () => {
    const results = resultsOf(trajectory);
    expect(results[1]?.reads).toEqual([
      {
        path: "/workspace/sum.py",
        startLine: 1,
        text: "def total(xs):\n\treturn sum(xs, 1)\n",
        totalLines: 2,
        whole: true,
      },
    ]);
    expect(results[2]?.recorded).toMatchObject([{ path: "/workspace/sum.py", existedBefore: true, byPerson: false }]);
    // A new file has an empty `old_content`.
    expect(results[3]?.recorded).toMatchObject([
      { path: "/workspace/test_sum.py", before: null, existedBefore: false },
    ]);
    expect(results[4]).toMatchObject({ isError: true, recorded: [] });
  });

  it("keeps the run's own books out of the turns, and what follows each other in one item", () => {
    const kinds = trajectory.entries.flatMap((entry) => (entry.kind === "context" ? [entry.contextKind] : []));
    expect(kinds).toEqual(["system", "metadata", "task", "metadata", "injected", "metadata", "compaction", "metadata"]);
    expect(contextOf(trajectory).at(-1)).toMatch(/"id":22[\s\S]*\n.*"id":23/);
    expect(trajectory.exitStatus).toBe("finished");
    expect(trajectory.framework.version).toBe("0.40.0");
  });

  it("keeps an observation whose action was filtered out, as a result without a call", () => {
    const lost = resultsOf(trajectory).filter((result) => result.callItem === null);
    expect(lost).toMatchObject([{ text: "a process of before ended", exitCode: 1 }]);
    expect(notesOf(trajectory).result_without_call).toBe(1);
  });

  it("keeps what a person ran, and its answer, out of the agent's turns", () => {
    const given = [
      action(1, "run", { command: "a" }),
      { id: 2, source: "user", action: "run", args: { command: "whoami" } },
      observation(3, 2, "run", "root"),
    ];
    const found = from(given).trajectory;
    expect(itemsOf(found)).toHaveLength(1);
    expect(contextOf(found)).toEqual([expect.stringContaining("whoami"), "injected: root"]);
  });

  it("says of an exit code of -1 that there was none, and keeps what the tool adds to the output", () => {
    expect(resultsOf(trajectory)[5]).toMatchObject({ exitCode: null, isError: null });
    expect(resultsOf(trajectory)[5]?.text).toContain("no new output after 10 seconds");
  });

  it("reads the same events one a line", () => {
    const events: unknown[] = JSON.parse(new TextDecoder().decode(loadBytes("v0/events.json")));
    const lines = bytesOf(events.map((one) => JSON.stringify(one)).join("\n"));
    const { trajectory: again } = ingest({ name: "x", bytes: lines });
    expect(itemsOf(again).map(({ kind }) => kind)).toEqual(itemsOf(trajectory).map(({ kind }) => kind));
    expect(again.totals).toEqual(trajectory.totals);
  });

  it("answers the first call that waits where an identifier repeats, and the last when none does", () => {
    const given = [
      action(1, "run", { command: "a" }),
      action(1, "run", { command: "b" }),
      ...["for a", "for b", "late"].map((text, n) => observation(n + 2, 1, "run", text)),
    ];
    const found = resultsOf(from(given).trajectory).map(({ callItem, text }) => `${callItem} ${text}`);
    expect(found).toEqual(["t0.0 for a", "t1.0 for b", "t1.0 late"]);
  });

  it("records nothing of a call that wrote nothing, and takes no cost of zero for free", () => {
    const metrics = { accumulated_cost: 0, accumulated_token_usage: { prompt_tokens: 3, completion_tokens: 1 } };
    const given = [
      action(1, "read", { path: "/a" }, { llm_metrics: metrics }),
      observation(2, 1, "read", "x", { path: "/a", old_content: "x", new_content: "x", prev_exist: true }),
    ];
    const { trajectory: found } = from(given);
    expect(resultsOf(found)[0]?.recorded).toEqual([]);
    expect(found.totals).toMatchObject({ inputTokens: 3, outputTokens: 1, costUsd: null });
  });

  it("counts a response once that comes back behind another turn", () => {
    const reply = (id: string): object => ({
      model_response: { id, usage: { prompt_tokens: 5, completion_tokens: 1 } },
    });
    const given = [
      action(1, "run", { command: "a" }, { tool_call_metadata: reply("r") }),
      action(2, "run", { command: "b" }, { tool_call_metadata: reply("s") }),
      action(3, "run", { command: "c" }, { tool_call_metadata: reply("r") }),
    ];
    expect(turnsOf(from(given).trajectory).map(({ usage }) => usage?.inputTokens ?? null)).toEqual([5, 5, null]);
  });
});

describe("sub-agents of V0", () => {
  it("are linked to the turn that delegated, and end with the report", () => {
    const { trajectory } = load("v0/sub-agent.json");
    expect(trajectory.agents).toEqual([
      { id: "main", name: "OpenHands", startedByTurn: null },
      { id: "sub-agent 1", name: "BrowsingAgent", startedByTurn: 1 },
    ]);
    expect(turnsOf(trajectory).map(({ agent, parentTurn }) => `${agent} ${parentTurn}`)).toEqual([
      "main null",
      "main null",
      "sub-agent 1 1",
      "sub-agent 1 1",
      "main null",
      "main null",
      "main null",
    ]);
    // What it is to do was written by the agent that asked.
    expect(trajectory.entries[3]).toMatchObject({ contextKind: "task", author: { role: "agent" } });
    expect(trajectory.task.statement).toMatch(/^How many stars/);
    const report = resultsOf(trajectory).find((result) => result.callItem === "t1.1");
    expect(report).toMatchObject({ text: "There are seven." });
  });

  it("may delegate themselves, and one that never reports ends with the run", () => {
    const delegate = (id: number, agent: string): object => action(id, "delegate", { agent, inputs: {}, thought: "" });
    const { trajectory } = from([
      delegate(1, "A"),
      delegate(2, "B"),
      action(3, "run", { command: "x" }),
      observation(4, 2, "delegate", "b is done"),
      action(5, "run", { command: "y" }),
      observation(6, 1, "delegate", "a is done"),
      delegate(7, "C"),
      action(8, "run", { command: "z" }),
    ]);
    expect(turnsOf(trajectory).map(({ agent }) => agent)).toEqual([
      "main",
      "sub-agent 1",
      "sub-agent 2",
      "sub-agent 1",
      "main",
      "sub-agent 3",
    ]);
    expect(trajectory.agents.map(({ startedByTurn }) => startedByTurn)).toEqual([null, 0, 1, 4]);
  });
});

describe("pictures", () => {
  it.each(["v0/sub-agent.json", "v1/events.jsonl"])("are counted, and their data is in no text: %s", (name) => {
    const { trajectory } = load(name);
    expect(notesOf(trajectory).picture).toBe(2);
    expect(JSON.stringify(trajectory)).not.toContain("iVBORw0KGgoiVBORw0KGgo");
  });

  it("inside a text are named, and short ones are left", () => {
    const data = "A".repeat(300);
    const text = `see data:image/png;base64,${data} and data:text/plain;base64,QQ==`;
    const { trajectory } = from([action(1, "run", { command: "x" }), observation(2, 1, "run", text)]);
    expect(resultsOf(trajectory)[0]?.text).toBe(
      "see [picture: image/png, 300 characters] and data:text/plain;base64,QQ==",
    );
  });
});

describe("early versions", () => {
  const { trajectory } = load("v0/opendevin.json");

  it("read windows of the skills: whole behind an edit, not to be told at the end of a file that is only opened", () => {
    const reads = resultsOf(trajectory).map((result) => result.reads);
    expect(reads[0]).toEqual([]);
    expect(reads[1]).toMatchObject([{ path: "/workspace/greet.py", whole: true, totalLines: 2 }]);
  });

  it("take nothing from the window of an edit that was taken back, and the last window of several", () => {
    const window = (text: string): string =>
      `[File: /w/a (1 lines total after edit)]\n(this is the beginning of the file)\n1|${text}\n`;
    const readsOf = (text: string): string[] =>
      resultsOf(from([action(1, "run_ipython", { code: "x" }), observation(2, 1, "run_ipython", text)]).trajectory)
        .flatMap((result) => result.reads)
        .map((read) => read.text);
    expect(readsOf(window("a") + window("b"))).toEqual(["b\n"]);
    expect(readsOf(`${window("a")}[Your proposed edit has introduced new syntax error(s).]`)).toEqual([]);
    expect(readsOf("[File: /w/a (9 lines total)]\n(3 more lines above)\n4|a\n5|b\n(4 more lines below)")).toEqual([
      "a\nb\n",
    ]);
    expect(readsOf("[File: /w/a (2 lines total)]\n1|a\n2|b\n(this is the end of the file)")).toEqual(["a\n"]);
  });

  it("keep actions that no version knows as calls", () => {
    expect(callsOf(trajectory).at(-2)).toMatchObject({ tool: "dance", callKind: "other", arguments: { steps: 3 } });
    expect(trajectory.exitStatus).toBe("rejected");
  });
});

describe("events of the SDK", () => {
  const { trajectory } = load("v1/events.jsonl");
  const turns = turnsOf(trajectory);

  it("makes one turn of parallel calls, whose thought stands on the first, with each result behind its call", () => {
    expect(turns[0]?.items.map(({ kind }) => kind)).toEqual(["thought", "thought", "call", "result", "call", "result"]);
    expect(turns[0]?.items.slice(0, 2)).toMatchObject([{ text: "Where am I?" }, { text: "Let me look around." }]);
    // The editor answered first.
    expect(turns[0]?.items[5]?.arrival).toBeLessThan(turns[0]?.items[3]?.arrival ?? 0);
  });

  it("parts calls of one response that another turn stands between, or that have none", () => {
    const parted = from([call("a", "r"), call("b", "s"), call("c", "r"), call("d", null), call("e", null)]);
    expect(turnsOf(parted.trajectory)).toHaveLength(5);
  });

  it("records the file before and after", () => {
    expect(resultsOf(trajectory)[2]?.recorded).toEqual([
      {
        path: "/work/clock.py",
        before: "import time\n",
        after: "import time\nprint(time.time())\n",
        existedBefore: true,
        patch: null,
        byPerson: false,
      },
    ]);
  });

  it("says who rejected, and what could not be carried out", () => {
    expect(resultsOf(trajectory)[3]).toMatchObject({
      author: { role: "person" },
      isError: true,
      text: "Never do that.",
    });
    expect(callsOf(trajectory)[4]).toMatchObject({ arguments: null, text: '{"command": "view", "path": ' });
    expect(resultsOf(trajectory)[4]).toMatchObject({ author: { role: "harness" }, isError: true });
  });

  it("keeps what is forgotten by the model, unknown events, and lines that are cut", () => {
    expect(contextOf(trajectory)).toContain("compaction: A folder was found and a clock begun.");
    expect(notesOf(trajectory)).toMatchObject({ event_not_understood: 1, line_not_understood: 1 });
  });

  it("shows a line once that stands twice, with both places", () => {
    expect(notesOf(trajectory).repeated_event).toBe(1);
    const created = callsOf(trajectory)[1];
    expect(created?.raw.map(({ line }) => line)).toEqual([6, 7]);
  });

  it("takes totals and the end from the last state", () => {
    expect(trajectory.totals).toMatchObject({ inputTokens: 705, outputTokens: 91, costUsd: 0.25 });
    expect(trajectory.exitStatus).toBe("finished");
  });

  it("shows the arguments that were carried out where they differ, and says so", () => {
    const changed = event("ActionEvent", "a", {
      tool_name: "terminal",
      tool_call: { arguments: '{"command":"rm x","timeout":"5","note":"why"}' },
      action: { kind: "TerminalAction", command: "ls", timeout: 5, is_input: false, reset: null },
      llm_response_id: "r",
    });
    const found = from([changed, call("b", "s", { command: "x" })]).trajectory;
    expect(callsOf(found)[0]?.arguments).toEqual({ command: "ls", timeout: "5", note: "why" });
    expect(notesOf(found).arguments_changed).toBe(1);
  });

  it("names a tool by its action's class where nothing else does", () => {
    const bare = event("ActionEvent", "a", { action: { kind: "FileEditorAction", command: "view", path: "/a" } });
    expect(callsOf(from([bare]).trajectory)[0]).toMatchObject({ tool: "file_editor", callKind: "read" });
  });

  it("pairs by the call's identifier, and by the event's first", () => {
    const lone = event("ObservationEvent", "o", { tool_call_id: "call-a", observation: { content: "for a" } });
    const found = from([call("a", "r"), call("b", "r"), answer("p", "b", "for b"), lone]).trajectory;
    const texts = new Map(resultsOf(found).map((result) => [result.callItem, result.text]));
    expect(texts).toEqual(
      new Map([
        ["t0.0", "for a"],
        ["t0.1", "for b"],
      ]),
    );
  });
});

describe("a folder of a conversation", () => {
  const file = (path: string, value: unknown): HeldFile => ({
    path,
    bytes: bytesOf(typeof value === "string" ? value : JSON.stringify(value)),
  });
  const said = (text: string): object =>
    event("MessageEvent", text, { llm_message: { content: [{ type: "text", text }] } });
  const state = {
    agent: { llm: { model: "example/coder-3" } },
    execution_status: "paused",
    stats: {
      usage_to_metrics: {
        agent: {
          accumulated_cost: 0.5,
          accumulated_token_usage: { prompt_tokens: 9, completion_tokens: 3 },
          token_usages: [{ response_id: "r", prompt_tokens: 4, completion_tokens: 2, cache_read_tokens: 1 }],
        },
      },
    },
  };
  const open = (files: HeldFile[]): ReturnType<typeof openUpload> =>
    openUpload({ name: "x.zip", bytes: bytesOf("PK"), inside: { kind: "files", files } });
  const read = (files: HeldFile[]): Trajectory => {
    const opened = open(files);
    if (opened.kind !== "one") throw new Error("several");
    return opened.read(() => undefined).trajectory;
  };

  it("is read in the order of the numbers, with the state beside it", () => {
    const files = [
      file("c/events/event-00010-x.json", said("last")),
      file("c/base_state.json", state),
      file("c/events/event-00002-y.json", call("a", "r", { command: "ls" })),
      file("c/events/event-00009-z.json", '{"kind": "Message'),
      file("c/TASKS.md", "- build"),
    ];
    const trajectory = read(files);
    expect(trajectory.format.variant).toBe("V1 conversation");
    expect(turnsOf(trajectory).map(({ sourceSteps }) => sourceSteps[0])).toEqual([
      { convention: "event", step: "2" },
      { convention: "event", step: "10" },
    ]);
    expect(turnsOf(trajectory)[0]?.usage).toEqual({ inputTokens: 4, cachedTokens: 1, outputTokens: 2, costUsd: null });
    expect(trajectory).toMatchObject({ models: ["example/coder-3"], exitStatus: "paused" });
    expect(trajectory.totals).toMatchObject({ inputTokens: 9, outputTokens: 3, costUsd: 0.5 });
    expect(notesOf(trajectory)).toEqual({ line_not_understood: 1, file_not_read: 1 });
    for (const { path, bytes } of files) expect(accountBytes(bytes, trajectory, path).unreadBytes).toBe(0);
    expect(itemsOf(trajectory)[0]?.raw).toMatchObject([{ file: "c/events/event-00002-y.json", start: 0 }]);
  });

  it("holds several conversations, each read by its name", () => {
    const files = [
      file("a/events/event-00000-x.json", said("in a")),
      file("b/events/0.json", action(0, "message", { content: "in b" })),
    ];
    const opened = open(files);
    expect(opened).toMatchObject({ kind: "several", parts: [{ name: "a" }, { name: "b" }] });
    const texts = (opened.kind === "several" ? opened.parts : []).map((part) => {
      const one = openUpload({ name: "x", bytes: bytesOf("PK"), inside: { kind: "files", files }, part });
      if (one.kind !== "one") throw new Error("several");
      return itemsOf(one.read(() => undefined).trajectory).map((item) => (item.kind === "message" ? item.text : ""));
    });
    expect(texts).toEqual([["in a"], ["in b"]]);
  });

  it("is not any archive with a folder of that name", () => {
    expect(() => open([file("events/0.json", { a: 1 })])).toThrowError(
      expect.objectContaining({ code: "not_a_trace" }),
    );
  });
});

describe("rows of an evaluation", () => {
  const pairs = new TextDecoder().decode(loadBytes("v0/evaluation-pairs.jsonl")).trim();
  const v1 = JSON.stringify(JSON.parse(new TextDecoder().decode(loadBytes("v1/evaluation.json"))));

  it("are parts, also those that cannot be read, and each is read from its own bytes", () => {
    const bytes = bytesOf(`${pairs}\n{"instance_id": "cut\n\n${v1}\n`);
    const opened = openUpload({ name: "output.jsonl", bytes });
    if (opened.kind !== "several") throw new Error("one");
    expect(opened.parts.map(({ key, name }) => `${key}: ${name}`)).toEqual([
      "line 1: example__sums-7",
      "line 2: line 2",
      "line 4: safety-clock",
    ]);
    const [first, , last] = opened.parts;
    for (const part of [first, last]) {
      if (!part?.range) throw new Error("no range");
      const own = bytes.slice(part.range.start, part.range.end);
      const one = openUpload({ name: "x", bytes: own, part });
      if (one.kind !== "one") throw new Error("several");
      const { trajectory } = one.read(() => undefined);
      expect(trajectory.task.instance).toBe(part.name);
      const [raw] = itemsOf(trajectory)[0]?.raw ?? [];
      const text = new TextDecoder().decode(bytes.slice(raw?.start ?? 0, raw?.end ?? 0));
      expect(() => JSON.parse(text)).not.toThrow();
    }
    const [, broken] = opened.parts;
    const own = bytes.slice(broken?.range?.start, broken?.range?.end);
    expect(() => openUpload({ name: "x", bytes: own, ...(broken ? { part: broken } : {}) })).toThrowError(
      expect.objectContaining({ code: "malformed", at: expect.objectContaining({ line: 2 }) }),
    );
  });

  it("in a list are parts with their pointers, and one alone is a trajectory", () => {
    const opened = openUpload({ name: "x", bytes: bytesOf(`[\n${pairs},\n${v1}]`) });
    expect(opened).toMatchObject({
      kind: "several",
      parts: [{ range: { line: 2, pointer: "/0" } }, { range: { line: 3, pointer: "/1" } }],
    });
    const alone = ingest({ name: "x", bytes: bytesOf(`[ ${v1} ]`) }).trajectory;
    expect(alone.format.variant).toBe("V1 evaluation");
    expect(itemsOf(alone)[0]?.raw[0]?.pointer).toBe("/0/history/0");
    expect(notesOf(alone).not_read).toBeUndefined();
  });

  it("hold pairs of an action and its observation", () => {
    const { trajectory } = load("v0/evaluation-pairs.jsonl");
    expect(resultsOf(trajectory)).toMatchObject([{ callItem: "t0.1", exitCode: 0 }]);
    // Without identifiers the pair is what tells.
    const bare = from([[action(1, "run", { command: "x" }), { observation: "run", content: "y", extras: {} }]]);
    expect(resultsOf(bare.trajectory)).toMatchObject([{ callItem: "t0.0", text: "y" }]);
  });

  it("say the task once when a message of the run says it too, and else before all", () => {
    const inPairs = load("v0/evaluation-pairs.jsonl").trajectory;
    expect(contextOf(inPairs).filter((text) => text.includes("Please mend this issue"))).toHaveLength(1);
    expect(inPairs.entries[0]).toMatchObject({ contextKind: "task", raw: [{}, {}, { pointer: "/instruction" }] });
    expect(load("v1/evaluation.json").trajectory.entries[0]).toMatchObject({ text: "# Task\nSet the clock.\n" });
  });

  it("without a history give a trajectory without turns", () => {
    const row = { instance_id: "a", history: [], metadata: {}, instruction: "Do it.", error: "it never began" };
    const { trajectory, failure } = from(row);
    expect(trajectory.format.variant).toBe("evaluation without events");
    expect([turnsOf(trajectory).length, contextOf(trajectory)[0]]).toEqual([0, "task: Do it."]);
    expect(failure).toMatchObject({
      errorReport: "it never began",
      foundAt: [{ what: "error_report", where: "/error" }],
    });
  });

  it("give tokens by the identifier of the response", () => {
    expect(turnsOf(load("v0/evaluation-pairs.jsonl").trajectory)[0]?.usage?.inputTokens).toBe(900);
  });

  it("keep the judgement and the solution out of the trace", () => {
    const { trajectory, failure } = load("v0/evaluation-pairs.jsonl");
    expect(failure).toMatchObject({ outcome: "failed", referencePatch: expect.stringContaining("+x = 0") });
    expect(failure.failingTestCode).toContain("test_sum.py");
    expect(trajectory.deliveredPatch).toContain("+x = 0");
    const shown = JSON.stringify(trajectory.entries);
    for (const secret of ["FAIL_TO_PASS", "test_patch", "failed_apply_patch", "resolved"])
      expect(shown).not.toContain(secret);
    const judged = load("v1/evaluation.json");
    expect(notesOf(judged.trajectory)).toMatchObject({ instance_not_shown: 1, failure_context: 2 });
    expect(JSON.stringify(judged.trajectory.entries)).not.toMatch(/show noon|stumbled|final_score/);
    expect(judged.failure.errorReport).toMatch(/^the grader stumbled\n\nTraceback/);
    expect(judged.failure.verification.map(({ passed }) => passed)).toEqual([true, false, false, false]);
  });

  it.each([
    [{ test_result: { report: { resolved: true } } }, "resolved"],
    [{ resolved: false, test_result: {} }, "failed"],
    [{ test_result: { score: true } }, "resolved"],
    [{ test_result: { final_score: { total: 2, result: 2 } } }, "resolved"],
    [{ test_result: { final_score: { total: 0, result: 0 } } }, "unknown"],
    [{ test_result: { git_patch: "" } }, "unknown"],
  ])("tell the outcome: %j", (more, outcome) => {
    const row = { instance_id: "a", history: [action(1, "run", { command: "x" })], metadata: {}, ...more };
    expect(from(row).failure.outcome).toBe(outcome);
  });
});

describe("what is claimed", () => {
  it.each([
    ["steps that hold action and observation", [{ action: "ls", observation: "a", source: "x" }]],
    ["a labelled history", { instance_id: "a", history: [{ role: "x", content: "y" }], mistake_agent: "x" }],
    ["a row of messages", { instance_id: "a", messages: [{ role: "user", content: "y" }] }],
    ["objects with other actions", [{ action: "buy" }, { action: "sell" }]],
  ])("not %s", (_, value) => {
    let format = "none";
    try {
      format = from(value).detection.format;
    } catch {
      format = "refused";
    }
    expect(format).not.toBe("openhands");
  });

  it("one event alone is", () => {
    expect(from(call("a", "r", { command: "ls" })).detection).toMatchObject({ format: "openhands", score: 0.7 });
  });

  it("a state without its events is refused by name", () => {
    const state = { id: "1", agent: {}, persistence_dir: "/p", execution_status: "idle" };
    expect(() => from(state)).toThrowError(
      expect.objectContaining({
        code: "unsupported_format",
        message: expect.stringMatching(/state of an OpenHands conversation/),
      }),
    );
  });
});

describe("sizes that take quadratic time when read carelessly", { timeout: 60_000 }, () => {
  const MANY = 40_000;
  const many = (make: (n: number) => unknown): unknown[] => Array.from({ length: MANY }, (_, n) => make(n));
  it.each([
    ["events of one identifier", many(() => action(1, "run", { command: "x" }))],
    ["events of one identifier with different words", many((n) => action(1, "run", { command: `${n}` }))],
    ["answers to one call", [action(1, "run", {}), ...many((n) => observation(n + 2, 1, "run", `${n}`))]],
    [
      "calls of one identifier and answers to them",
      many((n) => (n % 2 ? observation(n, -1, "run", "x") : { ...action(n, "run", {}), id: -1, args: { n } })),
    ],
    ["calls of one response", many((n) => call(`${n}`, "r"))],
    ["sub-agents in sub-agents", many((n) => action(n, "delegate", { agent: "a", inputs: {} }))],
    [
      "changes of state",
      [action(0, "run", {}), ...many((n) => observation(n, -1, "agent_state_changed", "", { agent_state: "running" }))],
    ],
    ["texts that look like pictures", [action(1, "run", { command: `${"data:a/b;base64,".repeat(MANY)}` })]],
    [
      "rows that look like a view",
      [
        action(1, "read", {}),
        observation(2, 1, "read", `Here's the result of running \`cat -n\` on a:\n${"     1\tx\n".repeat(MANY)}`, {
          path: "a",
        }),
      ],
    ],
    [
      "windows of skills",
      [action(1, "run_ipython", {}), observation(2, 1, "run_ipython", "[File: (1 lines total ".repeat(MANY))],
    ],
  ])("%s", (_, value) => {
    const bytes = bytesOf(JSON.stringify(value));
    expect(processorMs(() => ingest({ name: "x", bytes }))).toBeLessThan(10_000);
  });
});
