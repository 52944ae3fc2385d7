import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest } from "../ingest";

const load = (name: string): Ingested => {
  const bytes = new Uint8Array(readFileSync(join(import.meta.dirname, "fixtures", "devai", name)));
  return ingest({ name, bytes });
};

describe("steps of DevAI", () => {
  const { trajectory } = load("openhands/steps.json");
  const turns = turnsOf(trajectory);

  it("are turns with their tokens, cost and time", () => {
    expect(turns.map(({ usage }) => usage?.inputTokens)).toEqual([100, 120, 150, 170]);
    expect(trajectory.totals).toMatchObject({ inputTokens: 540, outputTokens: 65, durationMs: 12_500 });
    expect(trajectory.totals.costUsd).toBeCloseTo(0.07);
    expect(turns[2]?.sourceSteps).toEqual([{ convention: "step", step: "2" }]);
  });

  it("hold commands, code of the notebook, and the closing words", () => {
    const calls = turns.flatMap(({ items }) => items.filter((item) => item.kind === "call"));
    expect(calls.map(({ tool }) => tool)).toEqual(["run", "run_ipython", "run_ipython"]);
    expect(turns[3]?.items).toMatchObject([{ kind: "message", text: "It is done." }]);
    expect(trajectory.task.statement).toBe("Write a sum in `src/sums.py`.");
    expect(trajectory.entries.filter((entry) => entry.kind === "context")).toMatchObject([
      { contextKind: "task" },
      { contextKind: "person", text: "Is it done?" },
    ]);
  });

  it("give the file's versions by replay, which the windows agree with", () => {
    const history = buildHistory(trajectory, null);
    const texts = history.files.get("src/sums.py")?.versions.map(({ content }) => content);
    expect(texts?.at(-1)).toEqual({ kind: "whole", text: "def total(xs):\n    return sum(xs, 0)\n" });
    expect(history.writes.filter(({ grammar }) => grammar === "W3").map(({ status }) => status)).toEqual([
      "applied",
      "applied",
    ]);
    expect(history.conflicts).toEqual([]);
  });
});

describe("steps of other agents", () => {
  it("keep their names, actions in other shapes, and what is no step", () => {
    const { trajectory } = load("other/named-agents.json");
    expect(trajectory.agents.map(({ name }) => name)).toEqual(["Planner", "Engineer"]);
    const turns = turnsOf(trajectory);
    expect(turns[1]?.items).toMatchObject([
      { kind: "call", tool: "action", text: '{"name":"write_code","file":"chart.py"}' },
      { kind: "result", text: "saved again" },
    ]);
    expect(turns[2]?.items).toMatchObject([{ kind: "message", text: "" }]);
    expect(trajectory.framework.name).toBe("DevAI");
    expect(trajectory.notes).toMatchObject([{ code: "step_not_understood", count: 1 }]);
  });
});
