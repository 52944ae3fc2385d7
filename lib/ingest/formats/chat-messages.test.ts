import { describe, expect, it } from "vitest";
import { turnsOf } from "@/lib/trajectory/schema";
import { ingest } from "../ingest";
import { call, calls, contextOf, countOf, itemsOf, paired, read, task, told } from "./chat-messages/test-messages";

describe("what a message is", () => {
  it("makes a turn of each of the agent's messages, with parallel calls in one", () => {
    const both = calls(call("1", "bash", { command: "a" }), call("2", "bash", { command: "b" }));
    const trajectory = read([task, both, { role: "assistant", content: "x" }, { role: "assistant", content: "y" }]);
    expect(turnsOf(trajectory).map(({ items }) => items.length)).toEqual([2, 1, 1]);
  });

  it("makes one turn of messages of one answer, and takes its usage once", () => {
    const piece = (content: unknown): object => ({
      type: "message",
      id: "m1",
      role: "assistant",
      content,
      usage: { output_tokens: 7 },
    });
    const [a, b] = ["a", "b"].map((text) => piece([{ type: "text", text }]));
    const trajectory = read([
      task,
      a,
      b,
      { ...b, content: [{ type: "text", text: "c" }], usage: { output_tokens: 9 } },
    ]);
    expect(turnsOf(trajectory)).toHaveLength(1);
    expect(trajectory.totals.outputTokens).toBe(7);
  });

  it("tells the task from what stands in the person's role beside it", () => {
    const trajectory = read([
      { role: "system", content: "Rules." },
      { role: "user", content: "OBSERVATION:\nnot a task" },
      { role: "user", content: "<system-reminder>\nx\n</system-reminder>\n" },
      { role: "user", content: "<system-reminder>\nx\n</system-reminder>\nDo it." },
      { role: "developer", content: "More rules." },
      { role: "user", content: "This session is being continued from a previous conversation that ran out." },
      { role: "user", content: "And that." },
    ]);
    expect(told(trajectory).map((text) => text.split(":")[0])).toEqual([
      "system/harness",
      "injected/harness",
      "injected/harness",
      "task/person",
      "system/harness",
      "compaction/harness",
      "person/person",
    ]);
    expect(trajectory.task.statement).toMatch(/Do it\.$/);
  });

  it("takes an observation in the person's role for the answer of the call that waits", () => {
    const acting = { role: "assistant", content: "ls", function_call: { name: "bash", arguments: '{"command":"ls"}' } };
    const trajectory = read([task, acting, { role: "user", content: "OBSERVATION:\na.py" }]);
    expect(paired(trajectory)).toEqual(["ls: a.py"]);
  });

  it("keeps an empty message of the agent as a turn", () => {
    const trajectory = read([task, { role: "assistant", content: null }, { role: "assistant", content: "x" }]);
    expect(turnsOf(trajectory).map(({ items }) => items.map((item) => item.kind))).toEqual([["message"], ["message"]]);
    expect(countOf(trajectory, "empty_message")).toBe(1);
  });

  it("reads a run without calls", () => {
    const trajectory = read([task, { role: "assistant", content: "Done." }]);
    expect(turnsOf(trajectory)).toHaveLength(1);
    expect(trajectory.notes).toEqual([]);
  });

  it.each([
    ["reasoning_content", { reasoning_content: "Hm." }],
    ["reasoning", { reasoning: "Hm.", reasoning_details: [{ type: "reasoning.text", text: "Hm." }] }],
    ["thinking blocks", { thinking_blocks: [{ type: "thinking", thinking: "Hm." }] }],
    ["a thinking block in the content", { content: [{ type: "thinking", thinking: "Hm.", signature: "s" }] }],
  ])("shows reasoning once: %s", (_, more) => {
    const trajectory = read([task, { role: "assistant", content: "x", ...more }]);
    const thoughts = itemsOf(trajectory).filter((item) => item.kind === "thought");
    expect(thoughts.map((item) => item.text)).toEqual(["Hm."]);
  });

  it.each([
    [
      { type: "image_url", image_url: { url: "https://pictures.example/a.png" } },
      "[image: at https://pictures.example/a.png]",
    ],
    [
      { type: "image_url", image_url: { url: "data:image/png;base64,aaaa" } },
      "[image: image/png, 26 characters, not shown]",
    ],
    [
      { type: "image", source: { media_type: "image/gif", data: "aaaa" } },
      "[image: image/gif, 4 characters, not shown]",
    ],
    [{ type: "input_audio", input_audio: { data: "aaaa", format: "wav" } }, "[audio: 4 characters, not shown]"],
    [{ type: "file", file: { filename: "a.pdf", file_id: "f-1" } }, "[file: a.pdf]"],
  ])("names what is not shown and where the raw record holds it: %j", (part, shown) => {
    const trajectory = read([{ role: "user", content: [{ type: "text", text: "Look." }, part] }]);
    expect(contextOf(trajectory).map(({ text }) => text)).toEqual(["Look.", shown]);
    expect(trajectory.task.statement).toBe("Look.");
    const note = trajectory.notes.find(({ code }) => code === "picture_not_shown");
    expect(note?.positions).toEqual([expect.objectContaining({ pointer: "/0", start: 1 })]);
  });

  it("counts parts, roles, fields and records that it does not know, with their places", () => {
    const trajectory = read([
      task,
      { role: "assistant", content: [{ type: "hologram", a: 1 }], mood: "calm" },
      { role: "narrator", content: "x" },
      { a: 1 },
      7,
      calls({ function: {} }, 7),
      { role: "assistant", content: "x", tool_calls: "no list", function_call: "no object" },
    ]);
    const places = (code: string): (string | null)[] =>
      trajectory.notes.find((note) => note.code === code)?.positions.map(({ pointer }) => pointer) ?? [];
    expect(places("part_not_understood")).toEqual(["/1", "/2", "/5", "/5", "/6", "/6"]);
    expect(places("record_not_understood")).toEqual(["/3", "/4"]);
    expect(places("field_not_shown")).toEqual(["/1"]);
    for (const source of ['{"type":"hologram","a":1}', "x", '{"a":1}', "7", "no list", "no object"]) {
      const shown = [...itemsOf(trajectory), ...contextOf(trajectory)];
      expect(shown.some((thing) => "text" in thing && thing.text === source)).toBe(true);
    }
  });

  it("keeps a line that is not JSON", () => {
    const bytes = new TextEncoder().encode(
      `${JSON.stringify(task)}\n{"role": "assistant", "con\n${JSON.stringify(task)}`,
    );
    const { trajectory } = ingest({ name: "x", bytes });
    expect(told(trajectory)).toContain('opaque/harness: {"role": "assistant", "con');
    expect(countOf(trajectory, "line_not_understood")).toBe(1);
  });

  it("keeps what stands beside the messages: settings before them, the rest after them", () => {
    const trajectory = read({ reward: 0.5, stream: false, messages: [task], system: ["a", { text: "b" }], model: "m" });
    expect(told(trajectory)).toEqual([
      "system/harness: a",
      "system/harness: b",
      "metadata/harness: stream: false\nmodel: m",
      "task/person: Do it.",
      "metadata/harness: reward: 0.5",
    ]);
    expect(trajectory.models).toEqual(["m"]);
  });
});
