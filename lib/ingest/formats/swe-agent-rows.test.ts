import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { type Turn, turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest, openUpload } from "../ingest";
import { FIXTURES, readFixture } from "../test-support/fixtures";

const load = (name: string): Ingested => ingest({ name, bytes: readFixture(`${FIXTURES}/swe-agent-rows/${name}`) });
const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const stepsOf = (turn: Turn | undefined): string[] =>
  (turn?.sourceSteps ?? []).map((step) => `${step.convention} ${step.step}`);

const message = (role: string, text: string | null, more: object = {}): object => ({
  role,
  text,
  system_prompt: null,
  ...more,
});
const row = (...trajectory: object[]): object => ({
  instance_id: "a__b-1",
  model_name: "m",
  target: false,
  trajectory,
});
const read = (...messages: object[]): Ingested => ingest({ name: "x", bytes: encode([row(...messages)]) });

describe("a row of nebius' SWE-agent runs", () => {
  const { trajectory, failure } = load("object/edits.json");
  const turns = turnsOf(trajectory);

  it("makes a turn of each message of the agent, numbered as labels count it", () => {
    expect(turns).toHaveLength(7);
    expect(stepsOf(turns[4])).toEqual(["step 4", "message 10"]);
  });

  it("takes the system prompt from its own field and the issue out of the task", () => {
    const [, system, task] = trajectory.entries;
    expect(system).toMatchObject({ contextKind: "system", text: expect.stringContaining("100 lines at a time") });
    expect(task).toMatchObject({ contextKind: "task" });
    expect(trajectory.task.statement).toBe("total() returns the last item\nExpected the sum.");
  });

  it("knows before a command what the prompt before it said", () => {
    expect(turns[1]?.state).toMatchObject({ when: "before", openFile: null, workingDirectory: "/tally" });
    expect(turns[2]?.state).toMatchObject({ openFile: "/tally/tally/core.py" });
  });

  it("keeps a message without a command as a turn, and what the harness says to it as its result", () => {
    expect(turns[3]?.items.map((item) => [item.kind, item.author.role])).toEqual([
      ["message", "agent"],
      ["result", "harness"],
    ]);
    expect(trajectory.notes).toContainEqual(expect.objectContaining({ code: "format_error_step", count: 1 }));
  });

  it("applies the edits that the editor accepted to the file that was open, and no other", () => {
    const history = buildHistory(trajectory, null);
    expect(history.writes.map(({ grammar, path, status }) => `${grammar} ${path} ${status}`)).toEqual([
      "W2 /tally/tally/core.py refused",
      "W2 /tally/tally/core.py applied",
      "W7 /tally/notes.md assumed",
    ]);
    const last = history.files.get("/tally/tally/core.py")?.versions.at(-1)?.content;
    expect(last).toMatchObject({ kind: "whole", text: expect.stringContaining("        result += item\n") });
    expect(history.conflicts).toEqual([]);
  });

  it("keeps how it was judged out of the trace, and its patch as delivered", () => {
    expect(failure).toMatchObject({ outcome: "failed", errorReport: expect.stringContaining("test_empty") });
    expect(trajectory.deliveredPatch).toContain("+        result += item");
    expect(trajectory.exitStatus).toBe("submitted (exit_cost)");
    expect(JSON.stringify(trajectory.entries)).not.toContain("test_empty");
    expect(JSON.stringify(trajectory.entries)).not.toContain("exit_cost");
  });

  it("tells a demonstration from the task", () => {
    const [, , first, second] = load("lines/one-row.jsonl").trajectory.entries;
    expect(first).toMatchObject({ contextKind: "demonstration" });
    expect(second).toMatchObject({ contextKind: "task" });
  });

  it("keeps messages of other roles, and agents that speak twice, in their place", () => {
    const found = read(
      message("user", "Do it."),
      message("ai", "One."),
      message("ai", "Two."),
      message("judge", "Hm."),
    ).trajectory;
    expect(turnsOf(found)).toHaveLength(2);
    expect(found.entries.at(-1)).toMatchObject({ kind: "context", contextKind: "opaque" });
    expect(found.notes).toContainEqual(expect.objectContaining({ code: "message_not_understood", count: 1 }));
  });
});

describe("several rows", () => {
  const rows = [
    row(message("user", "Do it."), message("ai", "One.")),
    { no: "row" },
    row(message("user", "Again."), message("ai", "Two.")),
  ];

  it.each([
    ["a list", encode(rows)],
    ["lines", new TextEncoder().encode(rows.map((one) => `${JSON.stringify(one)}\n`).join(""))],
    [
      "an answer of the rows API",
      encode({ features: [], rows: rows.map((one, n) => ({ row_idx: n, row: one, truncated_cells: [] })) }),
    ],
  ])("are parts that stand alone: %s", (_, bytes) => {
    const opened = openUpload({ name: "x", bytes });
    if (opened.kind !== "several") throw new Error("one trajectory");
    expect(opened.parts.map(({ name }) => name)).toEqual([
      "a__b-1 · m",
      expect.stringMatching(/^(?:row 1|line 2)$/),
      "a__b-1 · m",
    ]);
    const [first, broken, last] = opened.parts.map((part) => {
      const { start, end } = part.range ?? { start: 0, end: 0 };
      return { name: "x", bytes: bytes.subarray(start, end), part };
    });
    if (!first || !broken || !last) throw new Error("no parts");
    expect(turnsOf(ingest(first).trajectory)).toHaveLength(1);
    expect(() => ingest(broken)).toThrowError(expect.objectContaining({ code: "not_a_trace" }));
    const turn = turnsOf(ingest(last).trajectory)[0];
    const span = turn?.items[0]?.raw[0];
    // The place is one of the upload.
    expect(new TextDecoder().decode(bytes.subarray(span?.start ?? 0, span?.end ?? 0))).toContain("Two.");
  });

  it("note the cells that the hub has cut, and keep what its answer says around one row", () => {
    const cut = { row_idx: 41, row: rows[0], truncated_cells: ["eval_logs"] };
    const bytes = encode({ features: [{ name: "eval_logs" }], rows: [cut], num_rows_total: 80_036 });
    const { trajectory } = ingest({ name: "x", bytes });
    expect(trajectory.notes).toContainEqual(expect.objectContaining({ code: "cut_cell", count: 1 }));
    expect(trajectory.notes.map(({ code }) => code)).not.toContain("not_read");
    expect(trajectory.entries[0]).toMatchObject({ contextKind: "metadata", text: expect.stringContaining("80036") });
    expect(turnsOf(trajectory)[0]?.items[0]?.raw[0]?.pointer).toBe("/rows/0/row/trajectory/1");
  });
});
