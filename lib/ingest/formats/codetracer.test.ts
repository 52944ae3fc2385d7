import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { IngestError } from "@/lib/errors";
import { type Item, turnsOf } from "@/lib/trajectory/schema";
import { ingest } from "../ingest";
import { FIXTURES } from "../test-support/fixtures";

const bytes = readFileSync(join(FIXTURES, "codetracer", "steps", "mini.json"));
const { trajectory, failure } = ingest({ name: "steps.json", bytes });
const turns = turnsOf(trajectory);
const shown = (item: Item): unknown[] => [item.kind, item.kind === "call" ? item.callKind : item.author.role];

describe("steps of CodeTracer", () => {
  it("are turns under their own numbers, also where one is missing", () => {
    expect(turns.map(({ sourceSteps }) => sourceSteps)).toEqual(
      ["1", "2", "3", "4", "6", "7"].map((step) => [{ convention: "step_id", step }]),
    );
    expect(failure.outcome).toBe("unknown");
  });

  it("are command lines with what they answered", () => {
    expect(turns.map(({ items }) => items.map(shown))).toEqual([
      [
        ["call", "read"],
        ["result", "tool"],
      ],
      [
        ["call", "write"],
        ["result", "tool"],
      ],
      [
        ["message", "agent"],
        ["call", "execute"],
        ["result", "tool"],
      ],
      [
        ["thought", "agent"],
        ["call", "execute"],
      ],
      [["result", "harness"]],
      [["opaque", "agent"]],
    ]);
    const results = turns.flatMap(({ items }) => items.filter((item) => item.kind === "result"));
    expect(results.map(({ exitCode, isError }) => [exitCode, isError])).toEqual([
      ...[
        [0, false],
        [0, false],
        [1, true],
        [null, null],
      ],
    ]);
  });

  it("tell of the files that they read and write", () => {
    const [file] = buildHistory(trajectory, null).files.values();
    expect(file?.versions.map(({ operation, content }) => [operation, content])).toEqual([
      ["observe", { kind: "whole", text: "def boil(litres):\n    return litres * 4\n" }],
      ["overwrite", { kind: "whole", text: "def boil(litres):\n    return litres * 4.2\n" }],
    ]);
  });

  it("take an action that is empty from the lines that it refers to", () => {
    expect(turns[3]?.items[1]).toMatchObject({ kind: "call", text: "echo done" });
    expect(trajectory.notes).toMatchObject([{ code: "fields_not_shown", count: 1 }]);
  });

  it("keep what is no step, and are not seen where most are none", () => {
    const read = (value: unknown): ReturnType<typeof ingest> =>
      ingest({ name: "x", bytes: new TextEncoder().encode(JSON.stringify(value)) });
    const step = { step_id: 1, action: "ls", observation: null };
    const mixed = read([...Array.from({ length: 20 }, () => step), "no step", { a: 1 }]).trajectory;
    expect(turnsOf(mixed)).toHaveLength(20);
    expect(mixed.notes).toMatchObject([{ code: "step_not_understood", count: 2 }]);
    expect(() => read([step, { step_id: 1, action: "ls" }])).toThrow(IngestError);
  });
});
