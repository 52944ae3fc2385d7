import { describe, expect, it } from "vitest";
import { type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import {
  allItems,
  call,
  callsOf,
  contexts,
  event,
  from,
  item,
  load,
  noted,
  output,
  resultsOf,
  said,
  tokens,
} from "./codex/test-lines";

describe("turns", () => {
  it("are the answers of the model, with calls that stand beside their outputs", () => {
    const turns = turnsOf(load("0.5x/burst.jsonl"));
    expect(turns.map((turn) => turn.items.map(({ kind }) => kind).join(" "))).toEqual([
      "thought call result call result",
      "call result",
      "plan call result call result",
      "call result",
      "message",
    ]);
    expect(turns.map(({ usage }) => usage?.inputTokens)).toEqual([1000, 1200, 1500, 1600, 1700]);
  });

  it("are told by the tokens that are stated behind them as well", () => {
    const turns = turnsOf(load("0.9x/live.jsonl"));
    expect(turns.map((turn) => turn.items.filter(({ kind }) => kind === "call").length)).toEqual([
      1, 1, 2, 2, 2, 1, 0, 1, 1,
    ]);
    expect(turns.map(({ usage }) => usage?.inputTokens ?? null)).toEqual([
      4000,
      4200,
      4400,
      4600,
      4800,
      null,
      1000,
      1100,
      null,
    ]);
  });

  it("end with the results of their calls where no tokens are stated, parallel calls together", () => {
    const trajectory = from(
      said("user", "go"),
      call("a", "shell", { command: ["ls"] }),
      call("b", "shell", { command: ["pwd"] }),
      output("a", "x"),
      output("b", "y"),
      call("c", "shell", { command: ["id"] }),
    );
    expect(turnsOf(trajectory).map((turn) => turn.items.length)).toEqual([4, 1]);
  });

  it("begin when the first event of them says so", () => {
    expect(turnsOf(load("0.5x/burst.jsonl"))[0]?.startedAt).toBe("2026-02-03T10:00:07.000Z");
  });

  it("that a rollback took back are on a branch", () => {
    expect(turnsOf(load("0.9x/live.jsonl")).map(({ branch }) => branch)).toEqual([
      ...Array<null>(7).fill(null),
      "rollback 1",
      null,
    ]);
  });
});

describe("the books of a run", () => {
  const settings = (more: object): unknown => ({
    timestamp: "2026-01-01T00:00:00Z",
    type: "turn_context",
    payload: { cwd: "/x", model: "m", ...more },
  });
  /** Kinds of entries, each with the lines that it is made of. */
  const outline = (...lines: unknown[]): string[] =>
    from(...lines).entries.map((entry) => {
      const raw = entry.kind === "turn" ? entry.items.flatMap((one) => one.raw) : entry.raw;
      const kind = entry.kind === "turn" ? "turn" : entry.contextKind;
      return `${kind} ${raw.map(({ line }) => line).join(" ")}`;
    });

  it("give tokens to the turn that used them, also where they are said again", () => {
    const lines = [
      said("user", "go"),
      ...[said("assistant", "a"), tokens(10, 10), tokens(10, 10), event({ type: "token_count", info: null })],
      ...[said("assistant", "b"), tokens(30, 20)],
    ];
    expect(outline(...lines)).toEqual(["task 1", "turn 2 3 4 5", "turn 6 7"]);
  });

  it("give tokens that come first to the turn that follows", () => {
    const lines = [said("user", "go"), tokens(10, 10), said("assistant", "a"), tokens(30, 20), said("assistant", "b")];
    expect(outline(...lines)).toEqual(["task 1", "turn 2 3", "turn 4 5"]);
  });

  it("give settings that say nothing new to the turn that follows, and show those that do", () => {
    const lines = [
      ...[settings({ turn_id: "1" }), said("user", "go"), said("assistant", "a")],
      ...[settings({ turn_id: "2" }), said("assistant", "b"), settings({ model: "n" }), said("assistant", "c")],
      ...[settings({ model: "n" }), tokens(10, 10)],
    ];
    expect(outline(...lines)).toEqual(["metadata 1", "task 2", "turn 3", "turn 4 5", "metadata 6", "turn 7 9 8"]);
  });

  it("are kept where no turn is", () => {
    const lines = [settings({}), said("user", "go"), settings({}), tokens(10, 10)];
    expect(outline(...lines)).toEqual(["metadata 1", "task 2", "metadata 3 4"]);
  });
});

describe("two channels", () => {
  it("say a thing once, with both places", () => {
    const trajectory = load("0.5x/burst.jsonl");
    const texts = allItems(trajectory).flatMap((one) =>
      one.kind === "thought" || one.kind === "message" ? [one] : [],
    );
    expect(texts.map(({ text, raw }) => [text, raw.map(({ line }) => line)])).toEqual([
      ["**Looking at the cart**\n\n**And at its test**", [8, 9, 10, 11, 12]],
      ["An empty cart now has the total 0.", [35, 36, 37, 38]],
    ]);
  });

  it("say the same words as often as the items do", () => {
    const twice = from(
      said("user", "go on"),
      event({ type: "user_message", message: "go on" }),
      said("user", "go on"),
      event({ type: "user_message", message: "go on" }),
      event({ type: "user_message", message: "go on" }),
    );
    expect(contexts(twice).map(([kind]) => kind)).toEqual(["task", "person", "person"]);
  });

  it("count where only the events speak", () => {
    const alone = from(
      event({ type: "agent_reasoning", text: "hm" }),
      event({ type: "agent_message", message: "done" }),
    );
    expect(allItems(alone).map((one) => (one.kind === "call" ? "" : one.kind))).toEqual(["thought", "message"]);
  });

  it("tell of a command, a patch or a tool that no item holds", () => {
    const trajectory = load("0.14x/completed-items.jsonl");
    expect(callsOf(trajectory).map(({ tool }) => tool)).toEqual([
      "shell_command",
      "apply_patch",
      "mcp__ci__run",
      "web_search",
    ]);
    expect(resultsOf(trajectory)[0]).toMatchObject({ exitCode: 0, durationMs: 20 });
    expect(resultsOf(trajectory)[2]).toMatchObject({ isError: true, text: "no runner", durationMs: 2000 });
  });

  it("bring the end of a command to its output, whichever comes first", () => {
    const end = event({ type: "exec_command_end", call_id: "a", exit_code: 3, duration: { secs: 1, nanos: 0 } });
    const begin = event({ type: "exec_command_begin", call_id: "a", command: ["ls"], cwd: "/" });
    const [before, after, none] = [
      [begin, call("a", "shell", { command: ["ls"] }), end, output("a", "x")],
      [call("a", "shell", { command: ["ls"] }), begin, output("a", "x"), end],
      [call("a", "shell", { command: ["ls"] }), begin, end],
    ].map((lines) => from(...lines));
    for (const trajectory of [before, after, none]) {
      expect(resultsOf(trajectory as Trajectory)).toEqual([
        expect.objectContaining({ exitCode: 3, durationMs: 1000, isError: true }),
      ]);
      expect(noted(trajectory as Trajectory)).toEqual({});
    }
  });
});

describe("what a person said", () => {
  it("is told from instructions and surroundings, also in one message", () => {
    const trajectory = load("0.9x/live.jsonl");
    expect(trajectory.task.statement).toMatch(/^Round prices to cents\./);
    expect(
      contexts(trajectory)
        .map(([kind]) => kind)
        .filter((kind) => kind !== "metadata"),
    ).toEqual([
      ...[
        "system",
        "injected",
        "task",
        "compaction",
        "person",
        "injected",
        "opaque",
        "opaque",
        "opaque",
        "person",
        "injected",
      ],
    ]);
    const mixed = from(said("user", "# AGENTS.md instructions for /x\n\nBe kind.", "Add a test."));
    expect(contexts(mixed)).toEqual([
      ["injected", "# AGENTS.md instructions for /x\n\nBe kind."],
      ["task", "Add a test."],
    ]);
  });

  it("is theirs when the interface says so, whatever it looks like", () => {
    const trajectory = from(
      said("user", "<apps>?"),
      event({ type: "user_message", message: "<apps>?" }),
      said("user", "<apps>?"),
    );
    expect(contexts(trajectory).map(([kind]) => kind)).toEqual(["task", "injected"]);
  });

  it("is not the summary of an older version", () => {
    const trajectory = load("0.2x/bare.jsonl");
    expect(
      contexts(trajectory)
        .map(([kind]) => kind)
        .filter((kind) => kind !== "metadata"),
    ).toEqual([...["injected", "task", "compaction", "person"]]);
  });
});

describe("tokens", () => {
  it("count once, however often a total is stated, and go on when it falls", () => {
    const trajectory = from(said("assistant", "a"), tokens(10, 10), tokens(10, 10), tokens(30, 20), tokens(5, 5));
    expect(trajectory.totals).toMatchObject({ inputTokens: 35, outputTokens: 2 });
  });

  it("may be missing", () => {
    const trajectory = from(said("assistant", "a"), event({ type: "token_count", info: null }));
    expect(trajectory.totals.inputTokens).toBeNull();
    expect(load("exec/stream.jsonl").totals).toMatchObject({
      inputTokens: 9000,
      cachedTokens: 8000,
      outputTokens: 500,
    });
  });
});

describe("a file of another age or kind", () => {
  it.each([
    ["0.1x/session.json", "session document", 4],
    ["0.2x/bare.jsonl", "early rollout", 3],
    ["0.5x/burst.jsonl", "rollout", 5],
    ["0.9x/live.jsonl", "rollout", 9],
    ["0.14x/completed-items.jsonl", "sub-agent rollout", 6],
    ["exec/stream.jsonl", "exec --json", 6],
    ["exec/events.jsonl", "events", 2],
  ])("%s", (name, variant, turns) => {
    const trajectory = load(name);
    expect([trajectory.format.variant, turnsOf(trajectory).length]).toEqual([variant, turns]);
  });

  it("may be one document, with its items numbered and placed in it", () => {
    const trajectory = load("0.1x/session.json");
    expect(trajectory.task.statement).toBe("Make greet.py greet by name.");
    expect(contexts(trajectory).map(([kind]) => kind)).toEqual(["metadata", "task", "system", "person"]);
    expect(turnsOf(trajectory)[1]?.sourceSteps.map(({ convention, step }) => `${convention} ${step}`)).toEqual([
      "item 4",
    ]);
    const [read, patch, run] = resultsOf(trajectory);
    expect(read?.reads[0]).toMatchObject({ path: "greet.py", text: 'print("hello")\n' });
    expect(patch?.raw.map(({ pointer }) => pointer)).toEqual(["/items/5"]);
    expect(run).toMatchObject({ exitCode: 1, isError: true });
    expect(trajectory.notes).toEqual([]);
  });

  it("that is one document keeps what stands beside its items, and items that are not understood", () => {
    const trajectory = from(
      JSON.stringify({
        session: { id: "x", timestamp: "2026-01-01T00:00:00Z" },
        lastResponseId: "resp_1",
        items: [
          { type: "message", role: "user", content: "go" },
          7,
          { type: "glow" },
          { type: "message", role: "user", content: "on" },
          { type: "message", role: "assistant", content: "done" },
        ],
      }),
    );
    expect(contexts(trajectory).map(([kind]) => kind)).toEqual(["metadata", "task", "opaque", "opaque", "person"]);
    expect(contexts(trajectory)[0]?.[1]).toContain("resp_1");
    expect(noted(trajectory)).toEqual({ line_not_understood: 2 });
  });

  it("says how the run ended, if it does", () => {
    const ended = [
      "0.5x/burst.jsonl",
      "0.9x/live.jsonl",
      "0.14x/completed-items.jsonl",
      "exec/stream.jsonl",
      "exec/events.jsonl",
    ];
    expect(ended.map((name) => load(name).exitStatus)).toEqual([
      ...[null, "turn_aborted (interrupted)", "error", "failed", "task_complete"],
    ]);
  });

  it("keeps types that nobody knows, and lines that are broken, in their place", () => {
    expect(noted(load("0.9x/live.jsonl"))).toMatchObject({ line_not_understood: 3 });
    const broken = from(said("user", "go"), '{"type":"resp', "7", said("assistant", "a"));
    expect(contexts(broken).map(([kind]) => kind)).toEqual(["task", "opaque", "opaque"]);
  });

  it("shows a copy of another session, and an item that stands there twice once", () => {
    const trajectory = load("0.14x/completed-items.jsonl");
    expect(noted(trajectory)).toMatchObject({ copied_session: 1, repeated_line: 1 });
    expect(turnsOf(trajectory)[0]?.items[0]?.raw.map(({ line }) => line)).toEqual([4, 5]);
  });

  it("shows reasoning once that stands there twice, but not what is thought again later", () => {
    const thought = item({ type: "reasoning", summary: [{ type: "summary_text", text: "hm" }] });
    const twice = from(thought, thought, call("a", "shell", { command: ["ls"] }), output("a", "x"), thought);
    expect(turnsOf(twice).map((turn) => turn.items.map(({ kind }) => kind).join(" "))).toEqual([
      "thought call result",
      "thought",
    ]);
    expect(noted(twice)).toEqual({ repeated_line: 1 });
  });

  it("counts reasoning that is encrypted, and gives its line to what follows it", () => {
    const trajectory = load("0.5x/burst.jsonl");
    expect(noted(trajectory)).toEqual({ encrypted_reasoning: 1 });
    expect(turnsOf(trajectory)[1]?.items[0]?.raw.map(({ line }) => line)).toEqual([17, 19, 20, 21]);
    const alone = from(item({ type: "reasoning", summary: [], encrypted_content: "x" }));
    expect(allItems(alone).map(({ kind }) => kind)).toEqual(["opaque"]);
  });
});
