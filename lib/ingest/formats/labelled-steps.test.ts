import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import type { Write } from "@/lib/artefact/model";
import { type CallItem, failureContextSchema, turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest, openUpload } from "../ingest";
import { FIXTURES } from "../test-support/fixtures";
import { cutObject, isCutShort } from "./labelled-steps/cut-text";

const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(join(FIXTURES, "labelled-steps", name)));
const read = (name: string): Ingested => ingest({ name, bytes: bytesOf(name) });
const calls = ({ trajectory }: Ingested): CallItem[] =>
  turnsOf(trajectory).flatMap(({ items }) => items.filter((item): item is CallItem => item.kind === "call"));
const writes = ({ trajectory }: Ingested): Pick<Write, "turn" | "path" | "operation" | "status">[] =>
  buildHistory(trajectory, null).writes.map(({ turn, path, operation, status }) => ({ turn, path, operation, status }));

const row = (more: object): Ingested => {
  const steps = [{ i: 4, actor: "agent", action: "submit", args: "{}", target: null, thought: "done" }];
  const text = JSON.stringify({ dataset: "tracewake", id: "a", task: "b", gold_step: 4, steps, ...more });
  return ingest({ name: "row", bytes: new TextEncoder().encode(text) });
};

describe("the label of a row", () => {
  it("is a step by the numbers of the steps, with the definition of its data set", () => {
    const { trajectory, failure } = read("actions/windowed.jsonl");
    expect(failureContextSchema.parse(failure)).toEqual(failure);
    expect(failure).toMatchObject({
      outcome: "failed",
      labelledCase: {
        dataset: "tracewake",
        split: "windowed",
        id: "tracewake/windowed/X1",
        task: "orchard__ladder-12",
      },
      labels: [{ kind: "point of no return", step: "4", convention: "i", origin: "human, single annotator" }],
    });
    expect(failure.labels?.[0]?.definition?.text).toContain("no later step");
    const steps = turnsOf(trajectory).map(({ sourceSteps }) => sourceSteps);
    expect(steps[4]).toEqual([{ convention: "i", step: "4" }]);
    expect(failure.foundAt).toContainEqual({ what: "label", where: "/gold_step" });
  });

  it("is another one in another set, and no definition where nobody has told it", () => {
    const [decisive] = read("texts/panel.jsonl").failure.labels ?? [];
    expect(decisive).toMatchObject({ kind: "earliest decisive error", agent: "Table_Expert", step: "0" });
    expect(decisive?.definition?.source).toContain("Who&When");
    const [label] = row({ dataset: "somebody's" }).failure.labels ?? [];
    expect(label).toMatchObject({ kind: "labelled step", step: "4" });
    expect(label?.definition).toBeUndefined();
  });

  it("is none where the row was left out, and says why", () => {
    const { failure } = read("actions/excluded.jsonl");
    expect(failure).toMatchObject({ outcome: "unknown", labelledCase: { exclusion: "E2" } });
    expect(failure.labels).toBeUndefined();
  });

  it("keeps what it says out of the trace", () => {
    for (const name of [
      "actions/windowed.jsonl",
      "actions/editor.json",
      "actions/excluded.jsonl",
      "texts/panel.jsonl",
    ]) {
      const { trajectory } = read(name);
      const shown = JSON.stringify(trajectory.entries);
      for (const told of ["gold_", "label_origin", "origin_packet", "one rung too few", "as texts", "no words from"]) {
        expect(shown).not.toContain(told);
      }
    }
  });

  it("has a patch as the reference patch, and any other answer as a check", () => {
    expect(read("actions/editor.json").failure.referencePatch).toMatch(/^diff --git/);
    expect(read("texts/panel.jsonl").failure.verification).toEqual([{ name: "reference", passed: null, detail: "4" }]);
  });
});

describe("actions", () => {
  it("are commands of SWE-agent on the file that the row names, also where they are cut", () => {
    const ingested = read("actions/windowed.jsonl");
    expect(calls(ingested).map(({ tool, callKind, isCut }) => [tool, callKind, isCut === true])).toEqual([
      ["find_file", "search", false],
      ["create", "write", false],
      ["edit", "write", false],
      ["open", "read", false],
      ["edit", "write", true],
      ["bash", "execute", false],
      ["submit", "submit", false],
    ]);
    expect(writes(ingested)).toEqual([
      { turn: 1, path: "reproduce.py", operation: "create", status: "assumed" },
      { turn: 2, path: "reproduce.py", operation: "edit", status: "assumed" },
      { turn: 4, path: "ladder/rungs.py", operation: "edit", status: "assumed" },
    ]);
    const [, script, source] = [...buildHistory(ingested.trajectory, null).files.values()].flatMap(
      ({ versions }) => versions,
    );
    expect(script?.content).toEqual({ kind: "whole", text: "from ladder import rungs\nprint(rungs(3))\n" });
    expect(source?.content.kind).toBe("unknown");
  });

  it("are calls of OpenHands' editor, with the target for a path that was cut away", () => {
    const ingested = read("actions/editor.json");
    const made = calls(ingested);
    expect(made.map(({ tool }) => tool)).toEqual([
      ...["str_replace_editor", "str_replace_editor", "bash", "str_replace_editor", "str_replace_editor", "edit_file"],
    ]);
    expect(made[3]).toMatchObject({
      isCut: true,
      arguments: { command: "str_replace", path: "/workspace/jug/jug/pour.py" },
    });
    expect(made[3]?.text).toMatch(/…\[\+97 chars\]$/);
    expect(writes(ingested)).toEqual([
      { turn: 1, path: "/workspace/jug/try_it.py", operation: "create", status: "applied" },
      { turn: 3, path: "/workspace/jug/jug/pour.py", operation: "edit", status: "applied" },
      { turn: 4, path: "/workspace/jug/jug/pour.py", operation: "edit", status: "assumed" },
      { turn: 5, path: "file_b", operation: "edit", status: "assumed" },
    ]);
    const results = turnsOf(ingested.trajectory).flatMap(({ items }) => items.filter((item) => item.kind === "result"));
    expect(results.map(({ isError, exitCode, isCut }) => [isError, exitCode, isCut])).toEqual([
      [true, null, false],
      [false, null, false],
      [true, 1, false],
      [false, null, true],
    ]);
    expect(turnsOf(ingested.trajectory)[6]?.items).toMatchObject([{ kind: "opaque" }]);
  });

  it("take the open file and the folder from the prompt behind the answer before", () => {
    const ingested = read("actions/excluded.jsonl");
    expect(turnsOf(ingested.trajectory).map(({ state }) => state?.openFile ?? null)).toEqual([
      ...[null, null, "/ladder/ladder/rungs.py", "/ladder/ladder/rungs.py"],
    ]);
    expect(writes(ingested)).toEqual([
      { turn: 2, path: "/ladder/ladder/rungs.py", operation: "edit", status: "refused" },
      { turn: 3, path: "/ladder/ladder/rungs.py", operation: "edit", status: "assumed" },
    ]);
    expect(ingested.trajectory.notes.find(({ code }) => code === "cut_short")?.count).toBe(2);
  });
});

describe("texts", () => {
  it("are turns of who speaks; the terminal's answer belongs to the code", () => {
    const { trajectory } = read("texts/panel.jsonl");
    expect(turnsOf(trajectory).map(({ agent, sourceSteps }) => [agent, sourceSteps.map(({ step }) => step)])).toEqual([
      ["Table_Expert", ["0", "1"]],
      ["Checker", ["2"]],
      ["Checker", ["5"]],
    ]);
    const contexts = trajectory.entries.flatMap((entry) => (entry.kind === "context" ? [entry] : []));
    expect(contexts.map(({ contextKind, sourceSteps }) => [contextKind, sourceSteps[0]?.step])).toEqual([
      ["task", undefined],
      ["metadata", undefined],
      ["injected", "3"],
      ["person", "4"],
    ]);
    expect(trajectory.task).toMatchObject({ instance: null, statement: expect.stringContaining("boats.csv") });
  });
});

describe("several rows", () => {
  it("are parts by their lines, each read from its own bytes", () => {
    const names = ["actions/windowed.jsonl", "texts/panel.jsonl"];
    const bytes = Buffer.concat(names.map(bytesOf));
    const opened = openUpload({ name: "both", bytes });
    if (opened.kind !== "several") throw new Error("expected several");
    expect(opened.parts.map(({ name }) => name)).toEqual(["tracewake/windowed/X1 · walnut-8b", "whowhen/panels/1"]);
    const [, second] = opened.parts;
    const { start = 0, end = 0 } = second?.range ?? {};
    const part = ingest({ name: "both", bytes: bytes.subarray(start, end), ...(second ? { part: second } : {}) });
    expect(part.failure.foundAt).toContainEqual({ what: "label", where: "line 2, /gold_step" });
  });
});

describe("JSON that was cut short", () => {
  it.each([
    ['{"a": "b", "c": "d…', { a: "b", c: "d" }],
    ['{"a": "b", "c": "d …[+12 chars]', { a: "b", c: "d" }],
    ['{"a": [1, 2], "n": 3, "c…', { a: [1, 2], n: 3 }],
    ['{"a": [1, 2, 3…', {}],
    ['{"a": "x\\…', { a: "x" }],
    ['{"a": "x\\\\…', { a: "x\\" }],
    ['{"a": "x\\u00…', { a: "x" }],
    ['{"a": "x\\\\u00…', { a: "x\\u00" }],
    ['{"a": "x\\u2026…', { a: "x…" }],
    ['{"a": true}…', { a: true }],
    ["{…", {}],
  ])("gives what is left of %s", (text, left) => {
    expect(cutObject(text)).toEqual(left);
  });

  it("gives nothing for what is no object", () => {
    expect(cutObject('["a…')).toBeNull();
    expect(cutObject("…")).toBeNull();
  });

  it("keeps a key that a prototype has as an own member", () => {
    expect(Object.hasOwn(cutObject('{"__proto__": "x…') ?? {}, "__proto__")).toBe(true);
  });

  it("takes no dots and no list for a cut", () => {
    expect(["wait...", "[3 chars]", "a…b", "x …[+9 chars]", "y…"].map(isCutShort)).toEqual([
      ...[false, false, false, true, true],
    ]);
  });
});
