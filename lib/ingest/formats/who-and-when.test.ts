import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { type CallItem, type ResultItem, type Turn, turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest, openUpload } from "../ingest";
import { fixturesOf, readFixture } from "../test-support/fixtures";

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const read = (value: unknown): Ingested => ingest({ name: "x", bytes: encode(value) });

function fixture(name: string): Ingested {
  const file = fixturesOf("who-and-when").find((path) => path.endsWith(name));
  if (file === undefined) throw new Error(`no fixture ${name}`);
  return ingest({ name, bytes: readFixture(file) });
}

const stepsOf = (turn: Turn | undefined): string[] => (turn?.sourceSteps ?? []).map(({ step }) => step);
const callsOf = (turn: Turn | undefined): CallItem[] => (turn?.items ?? []).filter((item) => item.kind === "call");
const resultsOf = (turn: Turn | undefined): ResultItem[] =>
  (turn?.items ?? []).filter((item) => item.kind === "result");

describe("labels of Who&When", () => {
  it("are in the numbers that turns carry, whether they are written as a text or as a number", () => {
    for (const [name, agent, step] of [
      ["experts.json", "Parcel_Expert", "2"],
      ["ferries.json", "WebSurfer", "5"],
    ] as const) {
      const { trajectory, failure } = fixture(name);
      expect(failure.labels).toEqual([
        {
          ...{ kind: "earliest decisive error", step, convention: "history", agent },
          reason: expect.stringMatching(/\w/),
          definition: { text: expect.stringContaining("earliest"), source: expect.stringContaining("Who&When") },
        },
      ]);
      const split = name === "experts.json" ? "algorithm-generated" : "hand-crafted";
      expect(failure.labelledCase).toMatchObject({ dataset: "who&when", split, id: expect.stringMatching(/\w/) });
      const on = turnsOf(trajectory).filter((turn) =>
        turn.sourceSteps.some((source) => source.convention === "history" && source.step === step),
      );
      expect(on.map((turn) => turn.agent)).toEqual([agent]);
    }
  });

  it("and the answer stay out of the trace, with their places", () => {
    const { trajectory, failure } = fixture("experts.json");
    expect(JSON.stringify(trajectory.entries)).not.toMatch(/three parcels|compares with three kilograms/);
    expect(failure).toMatchObject({
      outcome: "failed",
      verification: [{ name: "ground_truth", passed: false, detail: "three parcels" }],
      foundAt: [
        { what: "outcome", where: "/is_correct" },
        { what: "verification", where: "/ground_truth" },
        { what: "label", where: "/mistake_step" },
      ],
    });
    expect(trajectory.notes).toMatchObject([{ code: "failure_context", count: 5 }]);
  });

  it("leave a run undetermined that has none", () => {
    const { failure } = fixture("list.json");
    expect(failure.labels).toBeUndefined();
    expect(failure.outcome).toBe("unknown");
  });
});

describe("who speaks", () => {
  it("is the name, never the role, and the terminal is nobody", () => {
    const { trajectory } = fixture("experts.json");
    expect(trajectory.agents.map(({ name }) => name)).toEqual(["Parcel_Expert", "Checking_Expert"]);
    expect(turnsOf(trajectory).map((turn) => [turn.agent, stepsOf(turn)])).toEqual([
      ["Parcel_Expert", ["0", "1"]],
      ["Parcel_Expert", ["2", "3"]],
      ["Checking_Expert", ["4"]],
      ["Parcel_Expert", ["6", "7"]],
      ["Checking_Expert", ["8"]],
    ]);
  });

  it("asks the question as the record has it, once", () => {
    const { trajectory } = fixture("ferries.json");
    const tasks = trajectory.entries.filter((entry) => entry.kind === "context" && entry.contextKind === "task");
    expect(tasks).toHaveLength(1);
    expect(tasks[0]).toMatchObject({ sourceSteps: [{ convention: "history", step: "0" }], raw: [{}, {}] });
    expect(trajectory.task.statement).toBe("Which of the two ferries leaves first on Sunday?");
  });

  it("keeps what a terminal says without code out of the turns", () => {
    const { trajectory } = fixture("experts.json");
    expect(trajectory.entries).toContainEqual(
      expect.objectContaining({
        contextKind: "injected",
        author: { role: "harness", name: "Computer_terminal" },
        sourceSteps: [{ convention: "history", step: "5" }],
      }),
    );
  });
});

describe("the orchestrator", () => {
  it("hands on inside the turn of its ledger", () => {
    const { trajectory } = fixture("ferries.json");
    const turn = turnsOf(trajectory)[1];
    expect(stepsOf(turn)).toEqual(["2", "3", "4"]);
    expect(turn?.items.map((item) => item.kind)).toEqual(["thought", "handoff", "thought"]);
    expect(turnsOf(trajectory)[0]?.items.map((item) => item.kind)).toEqual(["plan"]);
  });

  it("says how the run ended in a row that is no turn", () => {
    const { trajectory } = fixture("ferries.json");
    expect(trajectory.exitStatus).toBe("No agent selected.");
    expect(trajectory.entries.at(-2)).toMatchObject({
      kind: "context",
      contextKind: "metadata",
      text: expect.stringContaining("FINAL ANSWER"),
    });
  });
});

describe("code that the terminal runs", () => {
  it("is a call of the turn that wrote it, each time, and arrives when it was run", () => {
    const { trajectory } = fixture("ferries.json");
    const turn = turnsOf(trajectory).find(({ agent }) => agent === "Assistant");
    expect(callsOf(turn).map(({ tool, text }) => [tool, text])).toEqual([
      ["python", null],
      ["python", null],
    ]);
    expect(resultsOf(turn).map(({ exitCode, isError }) => [exitCode, isError])).toEqual([
      [0, false],
      [0, false],
    ]);
    const order = turnsOf(trajectory).find((other) => stepsOf(other).includes("10"));
    expect(resultsOf(turn)[0]?.arrival).toBeGreaterThan(order?.items[0]?.arrival ?? Number.POSITIVE_INFINITY);
  });

  it("writes the file that its first line names, and no other", () => {
    const { trajectory } = fixture("experts.json");
    const { writes, files } = buildHistory(trajectory, null);
    // The second block of the run that failed may not have been reached: what it holds is not known.
    expect(writes.map(({ path, turn }) => [path, turn])).toEqual([
      ["count_parcels.py", 1],
      ["list.sh", 1],
      ["count_parcels.py", 3],
    ]);
    const text = files.get("count_parcels.py")?.versions.at(-1)?.content;
    expect(text).toMatchObject({ kind: "whole", text: expect.stringContaining("if line.strip()]") });
    expect(files.get("list.sh")?.versions.at(-1)?.content).toEqual({ kind: "unknown" });
  });
});

describe("several records in one file", () => {
  const record = (id: string): object => ({
    question: `What is ${id}?`,
    question_ID: id,
    history: [
      { role: "assistant", name: "Expert", content: "It is known." },
      { role: "user", name: "Other", content: "TERMINATE" },
    ],
    mistake_agent: "Expert",
    mistake_step: "0",
  });

  it("are parts with their names, and each is read from its own bytes with its place in the file", () => {
    const bytes = encode([record("one"), record("two")]);
    const opened = openUpload({ name: "x", bytes });
    if (opened.kind !== "several") throw new Error("one");
    expect(opened.parts.map(({ name }) => name)).toEqual(["one", "two"]);
    const part = opened.parts[1];
    const { trajectory } = ingest({ name: "x", bytes: bytes.subarray(part?.range?.start, part?.range?.end), part });
    expect(trajectory.task.instance).toBe("two");
    const [span] = turnsOf(trajectory)[0]?.items[0]?.raw ?? [];
    expect(span?.pointer).toBe("/1/history/0");
    expect(new TextDecoder().decode(bytes.subarray(span?.start ?? 0, span?.end ?? 0))).toContain("It is known.");
  });

  it("are rows of JSON Lines too, and a list with one is one", () => {
    const lines = new TextEncoder().encode([record("one"), record("two")].map((one) => JSON.stringify(one)).join("\n"));
    expect(openUpload({ name: "x", bytes: lines })).toMatchObject({ kind: "several", parts: [{}, {}] });
    const { trajectory } = read([record("alone")]);
    expect(trajectory.task.instance).toBe("alone");
    expect(turnsOf(trajectory)[1]?.items[0]?.raw[0]?.pointer).toBe("/0/history/1");
    expect(trajectory.notes.map(({ code }) => code)).not.toContain("not_read");
  });
});
