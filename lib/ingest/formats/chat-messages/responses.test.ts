import { describe, expect, it } from "vitest";
import { turnsOf } from "@/lib/trajectory/schema";
import { countOf, itemsOf, read, readLines, resultsOf, task, told } from "./test-messages";

describe("items of the Responses API", () => {
  const reasoning = (id: string, text?: string): object => ({
    type: "reasoning",
    id,
    summary: text === undefined ? [] : [{ type: "summary_text", text }],
    encrypted_content: "x",
  });
  const using = (id: string): object => ({
    type: "function_call",
    id: `fc_${id}`,
    call_id: id,
    name: "ls",
    arguments: "{}",
  });
  const output = (id: string): object => ({ type: "function_call_output", call_id: id, output: "" });
  const says = (id: string): object => ({
    type: "message",
    id,
    role: "assistant",
    content: [{ type: "output_text", text: id }],
  });

  it("makes one turn of what the agent does until it is answered", () => {
    const items = [
      task,
      reasoning("r1", "Hm."),
      says("m1"),
      using("1"),
      using("2"),
      output("1"),
      output("2"),
      reasoning("r2"),
      using("3"),
      output("3"),
      says("m2"),
      says("m3"),
    ];
    const trajectory = read({ model: "m", input: items });
    expect(turnsOf(trajectory).map(({ items: own }) => own.map((item) => item.kind))).toEqual([
      ["thought", "message", "call", "result", "call", "result"],
      ["call", "result"],
      ["message"],
      ["message"],
    ]);
    expect(countOf(trajectory, "empty_thinking")).toBe(1);
  });

  it("shows encrypted reasoning that stands alone as an empty thought", () => {
    const trajectory = read({ model: "m", input: [task, reasoning("r1"), task] });
    expect(itemsOf(trajectory)).toMatchObject([{ kind: "thought", text: "" }]);
  });

  it("takes an item once that is told again", () => {
    const trajectory = read([
      task,
      says("m1"),
      says("m1"),
      { ...says("m1"), content: [{ type: "output_text", text: "other" }] },
    ]);
    expect(itemsOf(trajectory)).toMatchObject([{ text: "m1" }, { text: "other" }]);
    expect(countOf(trajectory, "repeated_item")).toBe(1);
  });

  it("reads responses that carry on from each other, each with its usage", () => {
    const response = (id: string, out: object[], input_tokens: number): object => ({
      id,
      object: "response",
      model: "m",
      status: "completed",
      created_at: 1_750_000_000 + input_tokens,
      output: out,
      usage: { input_tokens, input_tokens_details: { cached_tokens: 1 }, output_tokens: 2 },
    });
    const trajectory = readLines(task, response("a", [using("1")], 10), output("1"), response("b", [says("m")], 20));
    expect(turnsOf(trajectory).map((turn) => turn.usage)).toMatchObject([
      { inputTokens: 10, cachedTokens: 1, outputTokens: 2 },
      { inputTokens: 20, cachedTokens: 1, outputTokens: 2 },
    ]);
    expect(trajectory.totals).toMatchObject({ inputTokens: 30, outputTokens: 4, durationMs: 10_000 });
    expect(turnsOf(trajectory)[0]).toMatchObject({ model: "m", startedAt: "2025-06-15T15:06:50.000Z" });
  });

  it.each([
    [{ type: "web_search_call", id: "w", status: "failed", error: "x" }, { text: "", isError: true }, 1],
    [{ type: "web_search_call", id: "w", status: "completed" }, undefined, 0],
    [{ type: "file_search_call", id: "f", results: [{ text: "found" }] }, { text: "found", isError: null }, 0],
    [{ type: "code_interpreter_call", id: "c", code: "1", outputs: [{ type: "logs", logs: "1" }] }, { text: "1" }, 0],
    [{ type: "mcp_call", id: "m", name: "n", arguments: "{}", error: "no" }, { text: "no", isError: true }, 0],
  ])("shows what the service's own tools found: %j", (item, result, unread) => {
    const trajectory = read([task, item]);
    const [first] = resultsOf(trajectory);
    if (result === undefined) expect(first).toBeUndefined();
    else expect(first).toMatchObject({ ...result, callItem: "t0.0" });
    expect(countOf(trajectory, "field_not_shown")).toBe(unread);
  });

  it("takes a prompt that is a text, and keeps items of unknown types", () => {
    const trajectory = read({ model: "m", input: "Do it.", output: [{ type: "dream_call", id: "d" }, says("m1")] });
    expect(trajectory.task.statement).toBe("Do it.");
    expect(told(trajectory)).toContain('opaque/harness: {"type":"dream_call","id":"d"}');
    expect(countOf(trajectory, "record_not_understood")).toBe(1);
  });
});
