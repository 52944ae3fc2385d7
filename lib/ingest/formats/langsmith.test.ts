import { describe, expect, it } from "vitest";
import { type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import { ingest, openUpload } from "../ingest";
import { FIXTURES, readFixture } from "../test-support/fixtures";

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const fixture = (name: string): Trajectory =>
  ingest({ name, bytes: readFixture(`${FIXTURES}/langsmith/${name}`) }).trajectory;
const read = (value: unknown): Trajectory => ingest({ name: "x", bytes: encode(JSON.stringify(value)) }).trajectory;
const noteOf = (trajectory: Trajectory, code: string) => trajectory.notes.find((note) => note.code === code);

/** What is said, called and answered, turn by turn, without places. */
const said = (trajectory: Trajectory): string[] =>
  turnsOf(trajectory).map(({ items }) =>
    items.map((item) => (item.kind === "call" ? `${item.tool}()` : item.text)).join(" | "),
  );

const run = (id: string, more: Record<string, unknown>): Record<string, unknown> => ({
  id,
  name: id,
  run_type: "chain",
  trace_id: "root",
  parent_run_id: id === "root" ? null : "root",
  inputs: {},
  outputs: {},
  ...more,
});
const ai = (content: string, id: string | null = null) => ({ type: "ai", content, id, tool_calls: [] });
const human = (content: string) => ({ type: "human", content, id: null });
const answers = (content: string, id: string | null = null) => ({ generations: [[{ message: ai(content, id) }]] });

describe("runs of one trace", () => {
  it("are the same nested in each other and listed in any order", () => {
    expect(said(fixture("list/runs.jsonl"))).toEqual(said(fixture("nested/trace.json")));
    expect(said(fixture("nested/trace.json"))).toHaveLength(3);
  });

  it("give each message once to each agent, in both serialisations", () => {
    const found = fixture("nested/trace.json");
    const contexts = found.entries.flatMap((entry) => (entry.kind === "context" ? [entry] : []));
    expect(contexts.map(({ contextKind }) => contextKind)).toEqual(["system", "task", "task", "injected", "metadata"]);
    const results = turnsOf(found).flatMap(({ items }) => items.filter((item) => item.kind === "result"));
    // A tool's error as its run raised it, and as the model was told of it.
    expect(results.map(({ callId, isError }) => `${callId} ${isError}`)).toEqual([
      "c1 null",
      "c2 null",
      "c3 true",
      "c3 true",
    ]);
  });

  it("link a sub-agent to the call of the tool below which it works", () => {
    const found = fixture("list/runs.jsonl");
    expect(found.agents[1]).toMatchObject({ name: "reviewer", startedByTurn: 0 });
    expect(turnsOf(found).find(({ agent }) => agent !== "main")).toMatchObject({ parentTurn: 0 });
  });

  it("count tokens and costs once: a root's are the sum of those below", () => {
    const found = fixture("nested/trace.json");
    expect(found.totals).toMatchObject({ inputTokens: 185, outputTokens: 35, costUsd: 0.0022 });
    const turns = turnsOf(found).map(({ usage }) => usage?.inputTokens);
    expect(turns).toEqual([60, 15, 110]);
    expect(fixture("single/root.json").totals).toMatchObject({ inputTokens: 30, outputTokens: 6, costUsd: 0.0004 });
  });

  it("without a root that says tokens have the sum of their turns", () => {
    const llm = { run_type: "llm", prompt_tokens: 5, completion_tokens: 2, inputs: { messages: [[human("Ask.")]] } };
    const found = read([
      run("root", {}),
      run("a", { ...llm, outputs: answers("One."), dotted_order: "1" }),
      run("b", { ...llm, outputs: answers("One."), dotted_order: "2" }),
    ]);
    expect(found.totals).toMatchObject({ inputTokens: 10, outputTokens: 4 });
    // Two answers with the same words and no identifiers are two turns.
    expect(said(found)).toEqual(["One.", "One."]);
  });

  it("say which inputs and outputs are kept elsewhere", () => {
    expect(noteOf(fixture("nested/trace.json"), "kept_elsewhere")).toMatchObject({ level: "not_understood", count: 1 });
  });

  it("keep what a person repeats", () => {
    expect(
      fixture("single/root.json").entries.map((entry) => (entry.kind === "turn" ? "turn" : entry.contextKind)),
    ).toEqual(["task", "turn", "person", "turn", "metadata"]);
  });

  it("end with parents in circles, deep chains and identifiers that repeat", () => {
    const llm = (id: string, parent: string) =>
      run(id, { run_type: "llm", parent_run_id: parent, outputs: answers(id), inputs: { messages: [human(id)] } });
    expect(said(read([llm("a", "b"), llm("b", "a"), llm("c", "c")])).toSorted()).toEqual(["a", "b", "c"]);
    const chain = Array.from({ length: 20_000 }, (_, n) =>
      run(`r${n}`, { parent_run_id: n === 0 ? null : `r${n - 1}` }),
    );
    expect(said(read([...chain, llm("deep", "r19999")]))).toEqual(["deep"]);
    expect(said(read([llm("a", "x"), llm("a", "x"), { ...llm("b", "x"), id: "a" }]))).toEqual(["a", "b"]);
  });
});

describe("runs of several traces", () => {
  it("have the same names and places beyond the lines that are parsed to find out whose they are", () => {
    const runs = Array.from({ length: 230 }, (_, n) =>
      run(`root-${n}`, { trace_id: `trace-${n}`, parent_run_id: null, name: `agent "${n}"`, start_time: "2026-04-01" }),
    );
    const opened = openUpload({ name: "x", bytes: encode(runs.map((one) => JSON.stringify(one)).join("\n")) });
    if (opened.kind !== "several") throw new Error("one trajectory");
    expect(opened.parts).toHaveLength(230);
    for (const [n, { name, range }] of opened.parts.entries()) {
      expect([name, range?.line]).toEqual([`agent "${n}" 2026-04-01`, n + 1]);
    }
  });

  it("are told apart where several are of one trace", () => {
    const runs = Array.from({ length: 230 }, (_, n) => run(`run-${n}`, { trace_id: `trace-${n % 3}` }));
    const opened = openUpload({ name: "x", bytes: encode(runs.map((one) => JSON.stringify(one)).join("\n")) });
    if (opened.kind !== "several") throw new Error("one trajectory");
    expect(opened.parts.map(({ key, range }) => [key, range])).toEqual([0, 1, 2].map((n) => [`trace-${n}`, null]));
  });

  const root = (id: string) =>
    run(id, { trace_id: id, parent_run_id: null, outputs: { messages: [human("Ask."), ai(id)] } });

  it("one each are read from their own bytes", () => {
    const bytes = encode(`${JSON.stringify(root("one"))}\n${JSON.stringify(root("two"))}\n`);
    const opened = openUpload({ name: "x", bytes });
    if (opened.kind !== "several") throw new Error("one trajectory");
    const texts = opened.parts.map((part) => {
      const own = bytes.slice(part.range?.start, part.range?.end);
      return said(ingest({ name: "x", bytes: own, part }).trajectory);
    });
    expect(texts).toEqual([["one"], ["two"]]);
  });

  it("that lie between each other are picked by their trace", () => {
    const child = (id: string) => run(`${id}-1`, { trace_id: id, parent_run_id: id });
    const bytes = encode(JSON.stringify([child("one"), root("two"), root("one"), child("two")]));
    const opened = openUpload({ name: "x", bytes });
    if (opened.kind !== "several") throw new Error("one trajectory");
    expect(opened.parts.map(({ key, name, range }) => ({ key, name, range }))).toEqual([
      { key: "one", name: "one", range: null },
      { key: "two", name: "two", range: null },
    ]);
    for (const part of opened.parts) expect(said(ingest({ name: "x", bytes, part }).trajectory)).toEqual([part.key]);
  });
});
