import { describe, expect, it } from "vitest";
import { IngestError } from "@/lib/errors";
import { turnsOf } from "@/lib/trajectory/schema";
import { countOf, read, readLines, task, told } from "./test-messages";

describe("several conversations in one file", () => {
  const a1 = { role: "assistant", content: "One." };
  const a2 = { role: "assistant", content: "Two." };
  const more = { role: "user", content: "More." };

  it("reads the longest of cumulative ones and counts the repeats", () => {
    const longest = { messages: [task, a1, more, a2] };
    const trajectory = readLines({ messages: [task] }, { messages: [task, a1] }, longest, { messages: [task, a1] });
    expect(turnsOf(trajectory)).toHaveLength(2);
    expect(countOf(trajectory, "repeated_message")).toBe(5);
    const note = trajectory.notes.find(({ code }) => code === "repeated_message");
    expect(note?.positions.map(({ line, pointer }) => `${line}${pointer}`)).toEqual([
      "2/messages/0",
      "3/messages/0",
      "3/messages/1",
      "4/messages/0",
      "4/messages/1",
    ]);
  });

  it("refuses a conversation behind messages that it does not continue", () => {
    const refused = (): unknown => readLines(more, a1, { messages: [task, a2] });
    expect(refused).toThrow(IngestError);
    expect(refused).toThrow(/holds 2 conversations .* split it into a file for each/);
    expect(refused).toThrow(
      expect.objectContaining({ code: "unsupported_format", at: { byte: 72, line: 3, pointer: null } }),
    );
    expect(() => readLines(...Array(300).fill(more), { messages: [task, a2] })).toThrow(/holds 2 conversations/);
  });

  it("takes reasoning and markers of the cache that come and go for the same message", () => {
    const first = { role: "assistant", content: "One.", reasoning_content: "Hm." };
    const marked = { role: "user", content: [{ type: "text", text: "Do it.", cache_control: { type: "ephemeral" } }] };
    const trajectory = readLines({ messages: [task, first] }, { messages: [marked, a1, more] });
    expect(countOf(trajectory, "repeated_message")).toBe(2);
    expect(told(trajectory)).toEqual(["task/person: Do it.", "person/person: More."]);
  });

  it("counts each answer's usage once and leaves the echo of an answer out", () => {
    const request = (messages: unknown[], id: string, message: unknown): object => ({
      request: { model: "m", messages },
      response: { id, model: "m", choices: [{ message, finish_reason: "stop" }], usage: { prompt_tokens: 5 } },
    });
    const trajectory = readLines(request([task], "r1", a1), request([task, a1, more], "r2", a2));
    expect(turnsOf(trajectory).map((turn) => turn.usage?.inputTokens)).toEqual([5, 5]);
    expect(trajectory.totals.inputTokens).toBe(10);
    expect(trajectory.exitStatus).toBe("stop");
  });

  it("reads a list of requests with answers of Anthropic's API, and keeps an answer that failed", () => {
    const using = { type: "tool_use", id: "t1", name: "ls", input: {} };
    const response = {
      type: "message",
      id: "m1",
      role: "assistant",
      model: "m",
      content: [using],
      usage: { output_tokens: 3 },
    };
    const result = { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "a.py" }] };
    const echo = { role: "assistant", content: [using] };
    const trajectory = read([
      { request: { system: "Rules.", messages: [task] }, response, duration_ms: 5 },
      { request: { system: "Rules.", messages: [task, echo, result] }, response: { error: { type: "overloaded" } } },
    ]);
    expect(turnsOf(trajectory).map(({ items, usage, model }) => [items.length, usage?.outputTokens, model])).toEqual([
      [2, 3, "m"],
    ]);
    expect(told(trajectory)).toEqual([
      "system/harness: Rules.",
      "task/person: Do it.",
      "metadata/harness: duration_ms: 5",
      'metadata/harness: response: {"error":{"type":"overloaded"}}',
    ]);
    const [first] = turnsOf(trajectory);
    expect(first?.items.map(({ raw }) => raw[0]?.pointer)).toEqual(["/0/response", "/1/request/messages/2"]);
  });

  it("keeps other answers to the same request as metadata", () => {
    const choices = [{ message: a1, logprobs: { content: [1] } }, { message: a2 }];
    const trajectory = read({ request: { messages: [task] }, response: { choices } });
    expect(told(trajectory)).toContain('metadata/harness: logprobs: {"content":[1]}');
    expect(told(trajectory)).toContain(`metadata/agent: ${JSON.stringify({ message: a2 })}`);
    expect(countOf(trajectory, "other_choice")).toBe(1);
  });
});
