import { expect, it } from "vitest";
import type { Item, Trajectory } from "@/lib/trajectory/schema";
import { foldParts, foldTrajectory } from "./fold";
import { PAPER_PLACEHOLDER, placeholdersOf, renderParts } from "./render";
import { estimateTokens } from "./tokens";

const base = { author: { role: "agent" as const, name: null }, raw: [], arrival: 0 };

function trajectory(items: Item[]): Trajectory {
  return {
    ...{
      version: 1,
      format: { id: "x", variant: "x" },
      framework: { name: "x", version: null },
      models: [],
      title: null,
    },
    task: { statement: null, instance: null, repository: null, baseCommit: null },
    agents: [{ id: "main", name: "main", startedByTurn: null }],
    entries: [
      { ...base, kind: "context", id: "c0", contextKind: "task", sourceSteps: [], text: "error ".repeat(2_000) },
      {
        ...{ kind: "turn", index: 0, sourceSteps: [], agent: "main", parentTurn: null, branch: null, model: null },
        ...{ usage: null, startedAt: null, endedAt: null, state: null, items },
      },
    ],
    ...{ deliveredPatch: null, exitStatus: null, notes: [] },
    totals: { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null, durationMs: null },
  };
}

const result = (id: string, text: string): Item => ({
  ...{ ...base, kind: "result", id, text, callItem: null, callId: null, isError: null, exitCode: null, isCut: false },
  ...{ durationMs: null, recorded: [], reads: [] },
});
const call = (id: string, text: string | null): Item => ({
  ...{ ...base, kind: "call", id, callKind: "execute", tool: "bash", callId: null, text },
  arguments: { command: "make" },
});
const QUIET = "a quiet line of a log\n".repeat(2_000);

it("folds observations only, and counts what both rules save of them and of the whole", () => {
  const thought: Item = { ...base, kind: "thought", id: "t", text: QUIET };
  const { observations, savings } = foldTrajectory(
    trajectory([
      thought,
      call("a", QUIET),
      call("b", null),
      result("r1", QUIET),
      result("r2", "ok, error"),
      result("r3", ""),
    ]),
  );
  expect([...observations.keys()]).toEqual(["r1"]);
  const fold = observations.get("r1");
  expect(fold?.paper).toEqual({ isFolded: true, why: "long", word: null });
  const parts = foldParts(QUIET);
  expect(fold?.parts).toEqual(parts);
  const kept = parts.kept.reduce((sum, { start, end }) => sum + end - start, 0);
  const placeholder = placeholdersOf(parts, "r1").join("");
  expect(savings).toEqual({
    observations: 3,
    observationChars: QUIET.length + 9,
    wholeChars: 12_000 + 3 * QUIET.length + JSON.stringify({ command: "make" }, null, 2).length + 9,
    parts: {
      ...{ rule: "parts@1", observations: 1, foldedChars: QUIET.length - kept, leftOut: 0 },
      placeholderChars: placeholder.length,
    },
    paper: {
      ...{ rule: "paper@1", observations: 1, foldedChars: QUIET.length, leftOut: 0 },
      placeholderChars: PAPER_PLACEHOLDER.length,
    },
  });
  expect(estimateTokens(savings.parts.foldedChars)).toBe(Math.round((QUIET.length - kept) / 4));
});

it("Figure 8 by parts keeps the port that the paper's rule folds away, and the failed tests", () => {
  const variables = Array.from({ length: 180 }, (_, i) => `- name: REGION_${i}\n  value: "eu-${i}"\n`).join("");
  const configuration = `host: "127.0.0.1"\nport: 5431\n${variables}`;
  const build = Array.from({ length: 2_000 }, (_, i) => `[build] formatted src/module_${i}.py\n`).join("");
  const failed = "FAILED. TimeoutError: Failed to reach 127.0.0.1:5431 after 5000ms.";
  const { observations } = foldTrajectory(
    trajectory([
      result("1", configuration),
      result("2", failed),
      result("3", "DB_TIMEOUT = 5"),
      result("4", build),
      result("5", "FAILED. TimeoutError: Still unable to reach 127.0.0.1:5431."),
    ]),
  );
  const folded = [...observations].map(([id, { parts, paper }]) => [id, paper.isFolded, parts !== null]);
  expect(folded).toEqual([
    ["1", true, true],
    ["3", true, false],
    ["4", true, true],
  ]);
  const parts = observations.get("1")?.parts;
  const rendered = parts ? renderParts(configuration, parts, "1") : "";
  expect(rendered).toContain("port: 5431");
  expect(rendered).toMatch(
    /\n\[Folded: 346 lines, 9 to 354, \d+ characters\. Call view_observation with 1 to read them\.\]\n/,
  );
  expect(rendered.length).toBeLessThan(900);
});
