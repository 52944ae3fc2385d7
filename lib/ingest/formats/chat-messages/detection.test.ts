import { describe, expect, it } from "vitest";
import { readContent } from "../../content";
import { opinions } from "../../ingest";
import { chatMessages } from "../chat-messages";
import { encode, task } from "./test-messages";

const score = (bytes: Uint8Array): number => chatMessages.sniff(readContent({ name: "x", bytes })).score;

/** The formats that claim a file, when all of them are asked. */
function claims(bytes: Uint8Array): string[] {
  const asked = opinions(readContent({ name: "x", bytes }));
  return asked.filter(({ score }) => score > 0).map(({ adapter }) => adapter.id);
}

describe("who claims a list of messages", () => {
  it.each([
    ["messages", [task, { role: "assistant", content: "Done." }]],
    ["a request", { model: "m", messages: [task] }],
    ["messages with keys around", { messages: [task], reward: 1 }],
    ["a request and its answer", { request: { messages: [task] }, response: { choices: [] } }],
    ["items", { model: "m", input: [{ type: "function_call", call_id: "1", name: "a", arguments: "{}" }] }],
    ["a text as input", { model: "m", input: "Do it.", output: [] }],
  ])("%s, by 0.6", (_, value) => {
    expect(score(encode(value))).toBe(0.6);
  });

  it.each([
    ["Gemini's parts", [{ role: "user", parts: [{ text: "x" }] }]],
    ["a message inside a line", [{ role: "user", message: { content: [] } }]],
    ["Cline's history", [task, { role: "user", content: [{ type: "text", text: "<environment_details>\nx" }] }]],
    ["Cline's history in an object", { messages: [task, { role: "user", content: "[read_file for 'a'] Result:" }] }],
    ["Magentic-One", [{ role: "Orchestrator (thought)", content: "x" }, task]],
    ["τ-bench", [{ task_id: 1, traj: [task], reward: 0 }]],
    ["Who&When", { history: [task], mistake_agent: "a", mistake_step: "1" }],
    ["AutoCodeRover", [task, { role: "user", content: "Result of search_class('A'):\n\nx" }]],
    ["Goose", [task, { role: "user", content: [{ type: "toolResponse", id: "1" }] }]],
    ["a table of Hermes", [{ session_id: "s", observed: 0, active: 1, ...task }, task]],
    ["an API log of another tool", { request: { body: { messages: [task] } }, response: {}, messages: [task] }],
    ["roles that nobody knows", [{ role: "narrator", content: "x" }, { role: "chorus", content: "y" }, task]],
    ["one message alone", task],
    ["rows of something else", [{ a: 1 }, { b: 2 }, task]],
    ["nothing", []],
  ])("not %s", (_, value) => {
    expect(score(encode(value))).toBe(0);
  });

  const camel = { role: "system", content: "===== RULES OF USER =====\nx" };
  it.each([
    ["a row of a data set", "message-rows", [{ instance_id: "a__b-1", messages: [task] }]],
    ["CAMEL", "camel", { messages: [camel, task] }],
  ])("not %s, which %s claims", (_, id, value) => {
    expect(claims(encode(value))).toEqual([id]);
  });

  it("does not speak where a format of its own claims the file", () => {
    const run = [
      { role: "system", content: "Hand in with echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT" },
      task,
      { role: "assistant", content: "```bash\nls\n```" },
      { role: "user", content: "<returncode>0</returncode>\n<output>\na\n</output>" },
    ];
    expect(score(encode(run))).toBe(0.6);
    expect(claims(encode(run))).toEqual(["mini-swe-agent"]);
  });
});
