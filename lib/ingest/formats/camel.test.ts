import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { processorMs } from "@/lib/test-support/processor-time";
import { type ContextItem, type ResultItem, type Turn, turnsOf } from "@/lib/trajectory/schema";
import { type Ingested, ingest, openUpload } from "../ingest";
import { fixturesOf, readFixture } from "../test-support/fixtures";

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const read = (value: unknown): Ingested => ingest({ name: "x", bytes: encode(value) });

function fixture(name: string): Ingested {
  const file = fixturesOf("camel").find((path) => path.endsWith(name));
  if (file === undefined) throw new Error(`no fixture ${name}`);
  return ingest({ name, bytes: readFixture(file) });
}

const shapeOf = ({ trajectory }: Ingested): [string, string[], string[]][] =>
  turnsOf(trajectory).map((turn) => [
    turn.agent,
    turn.sourceSteps.map(({ step }) => step),
    turn.items.map(({ kind }) => kind),
  ]);
const resultsOf = (turn: Turn | undefined): ResultItem[] =>
  (turn?.items ?? []).filter((item) => item.kind === "result");
const contextsOf = ({ trajectory }: Ingested, kind: ContextItem["contextKind"]): ContextItem[] =>
  trajectory.entries.filter((entry) => entry.kind === "context").filter(({ contextKind }) => contextKind === kind);

describe("a conversation of OWL", () => {
  it("has two agents; whose words are whose is told by the rules of the side that kept it", () => {
    const found = fixture("user-side.json");
    expect(shapeOf(found)).toEqual([
      ["user", ["2"], ["thought", "handoff"]],
      ["assistant", ["3"], ["message"]],
      ["user", ["4"], ["handoff"]],
      ["assistant", ["5"], ["message"]],
      ["user", ["6"], ["message"]],
    ]);
    expect(found.trajectory.agents.map(({ name }) => name)).toEqual(["user", "assistant"]);
  });

  it("is the other way round when the assistant kept it", () => {
    const found = read([
      { role: "system", content: "===== RULES OF ASSISTANT =====\nYou carry out what I ask." },
      { role: "user", content: "Instruction: Count the swans.\nInput: None" },
      { role: "assistant", content: "Solution: Two swans. Next request." },
    ]);
    expect(shapeOf(found).map(([agent, , kinds]) => [agent, kinds])).toEqual([
      ["user", ["handoff"]],
      ["assistant", ["message"]],
    ]);
  });

  it("begins with the framework's words, which are neither agent's; the task stands in the prompt", () => {
    const found = fixture("user-side.json");
    expect(contextsOf(found, "injected").map(({ text }) => text)).toEqual([
      expect.stringContaining("give me instructions"),
    ]);
    expect(contextsOf(found, "task")).toEqual([]);
    expect(found.trajectory.task).toMatchObject({
      statement: "Count the ducks on the pond.",
      instance: "pond-0003_user",
    });
    expect(found.trajectory.exitStatus).toBe("CAMEL_TASK_DONE");
  });

  it("may be one of several in a file, each read from its own bytes", () => {
    const one = (id: string): object => ({
      conversation_id: id,
      messages: [
        { role: "system", content: "===== RULES OF USER =====\nYou ask." },
        { role: "assistant", content: `Instruction: Look at ${id}.` },
      ],
    });
    const bytes = new TextEncoder().encode([one("first"), one("second")].map((row) => JSON.stringify(row)).join("\n"));
    const opened = openUpload({ name: "x", bytes });
    if (opened.kind !== "several") throw new Error("one");
    expect(opened.parts.map(({ name }) => name)).toEqual(["first", "second"]);
    const part = opened.parts[1];
    const { trajectory } = ingest({ name: "x", bytes: bytes.subarray(part?.range?.start, part?.range?.end), part });
    expect(trajectory.task.instance).toBe("second");
    expect(openUpload({ name: "x", bytes: encode([one("a"), one("b")]) })).toMatchObject({ kind: "several" });
    expect(turnsOf(read([one("alone")]).trajectory)[0]?.items[0]?.raw[0]?.pointer).toBe("/0/messages/1");
  });

  it("is read as rounds too, with the calls before what the assistant says of them", () => {
    const found = fixture("rounds.json");
    expect(shapeOf(found)).toEqual([
      ["user", ["0"], ["handoff"]],
      ["assistant", ["0"], ["call", "result"]],
      ["assistant", ["0"], ["call", "result"]],
      ["assistant", ["0"], ["message"]],
      ["user", ["1"], ["message"]],
      ["assistant", ["1"], ["message"]],
    ]);
    expect(buildHistory(found.trajectory, null).writes).toEqual([]);
  });
});

describe("a memory of CAMEL", () => {
  it("keeps parallel calls in one turn, and words behind an answer in the next", () => {
    const found = fixture("tides.jsonl");
    expect(shapeOf(found)).toEqual([
      ["helper", ["3", "4", "5", "6"], ["call", "result", "call", "result"]],
      ["helper", ["7"], ["thought", "message"]],
      ["helper", ["9", "10", "11"], ["call", "result", "result"]],
      ["helper", ["13"], ["message"]],
    ]);
    expect(resultsOf(turnsOf(found.trajectory)[0]).map(({ callId, text }) => [callId, text])).toEqual([
      ["c1", "high at six and low at noon"],
      ["c2", "no output of the shell"],
    ]);
    expect(found.trajectory.notes.map(({ code, count }) => [code, count])).toEqual([
      ["picture", 1],
      ["line_not_understood", 1],
      ["result_without_call", 1],
      ["message_not_understood", 1],
    ]);
  });

  it("calls a person whoever no agent of the file is", () => {
    const found = fixture("tides.jsonl");
    expect(contextsOf(found, "task").map(({ author, text }) => [author.role, text])).toEqual([
      ["person", "Note the two tides in a file, please."],
    ]);
    expect(contextsOf(found, "person")).toHaveLength(1);
    expect(found.trajectory.agents.map(({ name }) => name)).toEqual(["helper"]);
  });

  it("has times, in seconds of the epoch", () => {
    const { trajectory } = fixture("tides.jsonl");
    expect(turnsOf(trajectory)[0]).toMatchObject({
      startedAt: "2023-11-14T22:13:23.500Z",
      endedAt: "2023-11-14T22:13:26.500Z",
    });
    expect(trajectory.totals.durationMs).toBe(9_000);
  });

  it("lets shell lines and named files reach the history", () => {
    const { writes } = buildHistory(fixture("tides.jsonl").trajectory, null);
    expect(writes.map(({ path, status }) => [path, status])).toEqual([
      ["tides.txt", "assumed"],
      ["low.txt", "opaque"],
    ]);
  });

  it("of a role play was given the words of an agent, also where only one side's memory is there", () => {
    const record = (role: string, name: string, content: string): object => ({
      role_at_backend: role,
      agent_id: "a",
      message: { role_name: name, role_type: name === "Owner" ? "user" : "assistant", content },
    });
    const found = read([
      record("system", "Drawer", "===== RULES OF ASSISTANT =====\nYou draw."),
      record("user", "Owner", "Instruction: Draw a boat."),
      record("assistant", "Drawer", "Solution: A boat."),
    ]);
    expect(shapeOf(found).map(([agent]) => agent)).toEqual(["Owner", "Drawer"]);
  });

  it("shows an answer that is no text as JSON", () => {
    const message = { role_name: "helper", func_name: "weigh", args: "{}", tool_call_id: "a" };
    const { trajectory } = read([
      { role_at_backend: "assistant", agent_id: "a", message },
      { role_at_backend: "function", agent_id: "a", message: { ...message, result: { grams: 40 } } },
    ]);
    expect(resultsOf(turnsOf(trajectory)[0])).toMatchObject([{ callItem: "t0.0", text: '{\n  "grams": 40\n}' }]);
  });

  it("says once what stands in two memories, with both places", () => {
    const found = fixture("two-memories.json");
    expect(shapeOf(found)).toEqual([
      ["Owner", ["3", "4"], ["handoff"]],
      ["Drawer", ["5", "6"], ["message"]],
      ["Owner", ["7"], ["message"]],
    ]);
    expect(turnsOf(found.trajectory)[0]?.items[0]?.raw.map(({ pointer }) => pointer)).toEqual(["/3", "/4"]);
    expect(found.trajectory.task.statement).toBe("Draw a map of the pond.");
  });

  it("says twice what one memory says twice", () => {
    const again = (memory: string): object => ({
      role_at_backend: "assistant",
      agent_id: memory,
      message: { role_name: "bell", role_type: "assistant", content: "ding" },
    });
    expect(turnsOf(read([again("a"), again("a")]).trajectory)).toHaveLength(2);
  });

  it("tells two agents of one name by their memories", () => {
    const said = (memory: string, content: string): object => ({
      role_at_backend: "assistant",
      agent_id: memory,
      message: { role_name: "worker", role_type: "assistant", content },
    });
    const { trajectory } = read([said("a", "I dig."), said("b", "I plant.")]);
    expect(trajectory.agents.map(({ name }) => name)).toEqual(["worker (a)", "worker (b)"]);
  });

  it("takes time in proportion to the same words and the same identifiers", () => {
    const many = (n: number): Uint8Array => {
      const record = (role: string, message: object): object => ({ role_at_backend: role, agent_id: "a", message });
      return encode(
        Array.from({ length: n }, () => [
          record("assistant", { role_name: "bell", content: "ding" }),
          record("assistant", { role_name: "bell", content: "", func_name: "ring", args: {}, tool_call_id: "same" }),
          record("function", { role_name: "bell", func_name: "ring", result: "dong", tool_call_id: "same" }),
        ]).flat(),
      );
    };
    const time = (n: number): number => {
      const bytes = many(n);
      return processorMs(() => ingest({ name: "x", bytes }));
    };
    time(2_000);
    expect(time(12_000)).toBeLessThan(12 * time(3_000) + 300);
  });
});
