import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Item, type ResultItem, type Trajectory, type Turn, turnsOf } from "@/lib/trajectory/schema";
import { saysFailed } from "../editor-answers";
import { callKindOf, splitEditorAction } from "../editor-commands";
import { fileViews } from "../editor-views";
import { ingest } from "../ingest";
import { saysMore } from "./swe-agent/steps";

const fixtures = join(import.meta.dirname, "fixtures", "swe-agent");
const load = (name: string): Trajectory =>
  ingest({ name, bytes: new Uint8Array(readFileSync(join(fixtures, name))) }).trajectory;
const from = (value: unknown): Trajectory =>
  ingest({ name: "x", bytes: new TextEncoder().encode(JSON.stringify(value)) }).trajectory;
const kinds = (turn: Turn | undefined): string[] => (turn?.items ?? []).map((item: Item) => item.kind);
const results = (turn: Turn | undefined): ResultItem[] => (turn?.items ?? []).filter((item) => item.kind === "result");
const step = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
  action: "ls",
  observation: "a",
  response: "",
  thought: "",
  state: "{}",
  ...more,
});

describe("turns of a 0.x run", () => {
  const trajectory = load("0.x/windowed-with-demonstration.traj");
  const turns = turnsOf(trajectory);

  it("counts a step as a turn, and the demonstration as none", () => {
    expect(turns.map((turn) => turn.sourceSteps)).toEqual(
      [0, 1, 2, 3, 4].map((n) => [{ convention: "trajectory", step: String(n) }]),
    );
    const contexts = trajectory.entries.filter((entry) => entry.kind === "context");
    expect(contexts.map((context) => context.contextKind)).toEqual(["system", "demonstration", "task", "metadata"]);
    expect(trajectory.task.statement).toBe("Splitting 10.00 between three people loses a cent.");
  });

  it("takes the state as it was before the step", () => {
    expect(turns[0]?.state).toMatchObject({ when: "before", openFile: null, workingDirectory: "/ledger" });
    expect(turns[1]?.state?.openFile).toBe("/ledger/split.py");
  });

  it("reads nothing from a window of an edit that was rejected", () => {
    expect(results(turns[1])[0]).toMatchObject({ isError: true, reads: [] });
    expect(results(turns[2])[0]).toMatchObject({ isError: false });
    expect(results(turns[2])[0]?.reads[0]).toMatchObject({ path: "/ledger/split.py", startLine: 1, whole: true });
  });

  it("keeps a call that printed nothing together with a result", () => {
    expect(results(turns[3])[0]).toMatchObject({ text: "", isError: null });
  });
});

describe("what newer versions add", () => {
  it("takes an object state as after the step: an open action has opened its file", () => {
    const turn = turnsOf(load("0.x/function-calling.traj"))[0];
    expect(turn?.state).toMatchObject({ when: "after", openFile: "/ledger/split.py" });
    expect(results(turn)[0]?.reads[0]).toMatchObject({
      path: "/ledger/split.py",
      text: expect.not.stringContaining("\r"),
    });
  });

  it("reads a submission that came through a terminal with LF, and says so", () => {
    const trajectory = load("0.x/function-calling.traj");
    expect(trajectory.deliveredPatch).not.toContain("\r");
    expect(trajectory.notes.map((note) => note.code)).toContain("terminal_line_endings");
  });

  it("takes structured arguments from the history, by order and past a format error", () => {
    const turns = turnsOf(load("1.x/editor.traj"));
    expect(turns).toHaveLength(9);
    expect(kinds(turns[5])).toEqual(["thought"]);
    const call = turns[6]?.items.find((item) => item.kind === "call");
    expect(call).toMatchObject({ tool: "bash", callId: "call_6", arguments: { command: "rm -f /ledger/try.py" } });
  });

  it("leaves out the repeated prompts and counts their bytes", () => {
    const bytes = readFileSync(join(fixtures, "1.x/editor.traj"));
    const note = load("1.x/editor.traj").notes.find((other) => other.code === "repeated_prompt");
    expect(note?.count).toBe(9);
    const dropped = note?.positions.map(({ start, end }) => bytes.subarray(start ?? 0, end ?? 0).toString()) ?? [];
    expect(dropped.every((text) => text.startsWith("{") && text.includes('"query"'))).toBe(true);
    expect(JSON.stringify(load("1.x/editor.traj").entries)).not.toContain('"query"');
  });

  it("does not call a run that measured nothing free", () => {
    expect(load("0.x/cursors.traj").totals).toMatchObject({ inputTokens: null, outputTokens: null, costUsd: null });
    expect(load("1.x/editor.traj").totals).toMatchObject({ inputTokens: 9000, outputTokens: 600, costUsd: 0.1 });
  });

  it("takes the prompt from the last query when there is no history", () => {
    const trajectory = load("1.x/without-history.traj");
    expect(trajectory.entries[0]).toMatchObject({ kind: "context", contextKind: "system" });
    expect(trajectory.notes.map((note) => note.code)).toContain("history_from_query");
    const edit = turnsOf(trajectory)[4]?.items.find((item) => item.kind === "call");
    expect(edit).toMatchObject({ arguments: { command: "str_replace", old_str: "    return [share] * people" } });
  });
});

describe("how a run ends", () => {
  it("makes no turn of what the harness did alone", () => {
    const trajectory = load("0.x/exit-cost.traj");
    expect(turnsOf(trajectory)).toHaveLength(1);
    expect(trajectory.entries.at(-1)).toMatchObject({ contextKind: "metadata", author: { role: "harness" } });
    expect(trajectory.exitStatus).toBe("exit_cost");
    expect(trajectory.deliveredPatch).toBeNull();
  });

  it("keeps the words of the agent that the harness gave up on", () => {
    const turn = turnsOf(load("0.x/exit-format.traj"))[1];
    expect(kinds(turn)).toEqual(["message", "result"]);
    expect(turn?.items[1]).toMatchObject({
      author: { role: "harness" },
      text: "exit_format\nExit due to format error",
    });
  });

  it("does not take a flag for a patch", () => {
    const trajectory = load("0.x/capture-the-flag.traj");
    expect(trajectory.deliveredPatch).toBeNull();
    expect(trajectory.entries).toContainEqual(expect.objectContaining({ kind: "context", text: "flag{example}" }));
  });

  it("reads a run without a single step", () => {
    const trajectory = from({
      environment: "swe_main",
      trajectory: [],
      info: {},
      history: [{ role: "user", content: "x" }],
    });
    expect(turnsOf(trajectory)).toHaveLength(0);
    expect(trajectory.entries.map((entry) => entry.kind === "context" && entry.contextKind)).toEqual([
      "task",
      "metadata",
    ]);
  });
});

describe("what is not understood is kept", () => {
  it("keeps elements that are no steps, and fields that it does not read", () => {
    const trajectory = from({ trajectory: [step(), 42, step({ extra_info: { a: 1 }, reward: 0.5 })], info: {} });
    expect(turnsOf(trajectory)).toHaveLength(2);
    expect(trajectory.entries[1]).toMatchObject({ contextKind: "opaque", text: "42" });
    expect(trajectory.notes).toMatchObject([
      { code: "step_not_understood", level: "not_understood", count: 1, positions: [{ pointer: "/trajectory/1" }] },
      { code: "step_field_not_shown", count: 2 },
    ]);
  });

  it("keeps messages that no step holds, and answers that say something else", () => {
    const agent = "main";
    const trajectory = from({
      trajectory: [step({ response: "first", thought: "first" })],
      history: [
        { role: "user", content: "task", agent },
        { role: "assistant", content: "never a step", action: "", thought: "", agent },
        { role: "user", content: "That was not a command.", agent },
        { role: "assistant", content: "first", action: "ls", thought: "first", agent },
        { role: "user", content: "Something else.", agent },
      ],
      info: {},
    });
    const texts = trajectory.entries.flatMap((entry) => (entry.kind === "context" ? [entry.text] : []));
    expect(texts.slice(0, -1)).toEqual(["task", "never a step", "That was not a command."]);
    expect(texts.at(-1)).toBe(JSON.stringify({ info: {} }, null, 2));
    expect(turnsOf(trajectory)[0]?.items.at(-1)).toMatchObject({ kind: "message", author: { role: "harness" } });
  });

  it("reads texts of another type than expected as missing, never as a fault", () => {
    const odd = { action: 1, observation: null, response: [], thought: {}, state: "not JSON", execution_time: "x" };
    expect(turnsOf(from({ trajectory: [step(), odd], history: "none", info: 3, replay_config: "{" }))).toHaveLength(2);
  });
});

describe("commands", () => {
  it.each([
    ["bash", "grep -rn x .", null, "search"],
    ["bash", "cd /a && cat b.py", null, "read"],
    ["bash", "cat > a.py <<'EOF'\nx > y\nEOF", null, "write"],
    ["bash", "python - <<'EOF'\nif a > b: print(1)\nEOF", null, "execute"],
    ["bash", "python run.py 2>&1 > /dev/null", null, "execute"],
    ["bash", "sed -i 's/a/b/' f", null, "write"],
    ["str_replace_editor", "", "view", "read"],
    ["str_replace_editor", "str_replace_editor create /a", null, "write"],
    ["submit", "submit", null, "submit"],
    ["edit", "edit 1:2\nx\nend_of_edit", null, "write"],
    ["something_new", "something_new", null, "other"],
  ])("%s %s is %s %s", (tool, action, command, kind) => {
    expect(callKindOf(tool, action, command)).toBe(kind);
  });

  it("splits quoted arguments as a shell does", () => {
    const action = `str_replace_editor insert /p --insert_line 3 --new_str 'it'"'"'s'`;
    expect(splitEditorAction(action)).toEqual({ command: "insert", path: "/p", insert_line: 3, new_str: "it's" });
    expect(splitEditorAction("str_replace_editor view /p --view_range 1 x")).toBeNull();
    expect(splitEditorAction("cat /p")).toBeNull();
  });

  it("hears what the tool says about success", () => {
    expect(saysFailed("Usage: edit <start>")).toBe(true);
    expect(saysFailed("File created successfully at: /a")).toBe(false);
    expect(saysFailed("344")).toBeNull();
  });
});

describe("a response beside its thought and action", () => {
  it.each([
    ["Look.\n```\nls\n```", "Look.\n", "ls\n", false],
    ["Look.\n<command>\nls\n</command>", "Look.\n", "ls\n", false],
    ["<function=bash>\n<parameter=command>ls</parameter>\n</function>", "", "ls", false],
    ["Before.\n```\nls\n```\nAfter.", "Before.\n\nAfter.", "ls\n", false],
    ["Look. And I know more.\n```\nls\n```", "Look.\n", "ls\n", true],
    ["", "", "ls", false],
  ])("%s", (response, thought, action, expected) => {
    expect(saysMore(response, thought, action)).toBe(expected);
  });
});

describe("lines of files in results", () => {
  it("gives a whole view exactly, and only known lines of the others", () => {
    const whole = "Here's the result of running `cat -n` on /a:\n     1\tx\n     2\t\n     3\ty\n     4\t\n\n";
    const view = { path: "/a", isWhole: true };
    expect(fileViews(whole, null, view)).toEqual([
      { path: "/a", startLine: 1, text: "x\n\ny\n", totalLines: 3, whole: true },
    ]);
    expect(fileViews(whole, null, { ...view, isWhole: false })).toMatchObject([{ text: "x\n\ny\n", whole: false }]);
    const clipped = whole.replace("\n     4\t\n", "\n     4\tz<response clipped>\n");
    expect(fileViews(clipped, null, view)).toMatchObject([{ text: "x\n\ny\n", totalLines: null, whole: false }]);
  });

  it("parts what an abbreviated view leaves out", () => {
    const turn = turnsOf(load("1.x/editor.traj"))[2];
    expect(results(turn)[0]).toMatchObject({
      isCut: true,
      reads: [
        { startLine: 1, text: "import decimal\n\ndef report(rows):\n" },
        { startLine: 91, text: "\ndef total(rows):\n" },
      ],
    });
  });

  it("stops at text behind a window that only looks like a line of it", () => {
    const window = "[File: /a (2 lines total)]\n1:x\n2:y\n3:not a line\n7:nor this\n";
    expect(fileViews(window, null, null)).toMatchObject([{ text: "x\ny\n", whole: true }]);
  });
});

describe("steps and messages that lack something", () => {
  it("keep what a message without a step ordered", () => {
    const call = { id: "c1", function: { name: "bash", arguments: '{"command": "make all"}' } };
    const history = [
      { role: "user", content: "Task.", agent: "main", message_type: "observation" },
      { role: "assistant", content: "I build it.", action: "make", tool_calls: [call], agent: "main" },
    ];
    const { entries, notes } = from({ trajectory: [step({ action: "ls", response: "Look." })], history, info: {} });
    const kept = entries.find((entry) => entry.kind === "context" && entry.text.startsWith("I build it."));
    expect(kept).toMatchObject({ text: 'I build it.\n\nmake\n\nbash {"command": "make all"}' });
    expect(notes).toContainEqual(expect.objectContaining({ code: "message_without_step", count: 1 }));
  });

  it("show a step and a message that hold nothing as such", () => {
    const [empty] = turnsOf(from({ trajectory: [step({ action: "", observation: "" }), step()], info: {} }));
    expect(empty?.items).toMatchObject([{ kind: "opaque", reason: expect.stringContaining("without words") }]);
    const history = [
      { role: "user", content: "Task.", agent: "main", message_type: "observation" },
      { role: "assistant", agent: "main" },
    ];
    const [silent] = turnsOf(from({ history }));
    expect(silent?.items).toMatchObject([{ kind: "opaque", text: '{"role":"assistant","agent":"main"}' }]);
  });

  it("show texts that are no strings", () => {
    const blocks = [
      { type: "text", text: "first" },
      { type: "image", data: "x" },
    ];
    const [turn] = turnsOf(from({ trajectory: [step({ observation: blocks, thought: { a: 1 } })], info: {} }));
    expect(turn?.items).toMatchObject([
      { kind: "thought", text: '{"a":1}' },
      { kind: "call" },
      { kind: "result", text: 'first\n{"type":"image","data":"x"}' },
    ]);
  });
});
