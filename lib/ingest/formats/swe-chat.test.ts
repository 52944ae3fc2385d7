import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { turnsOf } from "@/lib/trajectory/schema";
import { ingest } from "../ingest";
import { FIXTURES, readFixture } from "../test-support/fixtures";

describe("a session of SWE-chat", () => {
  const { trajectory, failure } = ingest({
    name: "x",
    bytes: readFixture(`${FIXTURES}/swe-chat/sessions/session.json`),
  });
  const turns = turnsOf(trajectory);

  it("makes one turn of thinking, words and parallel calls with their results, and counts the records on it", () => {
    expect(turns[0]?.items.map((item) => item.kind)).toEqual([
      "thought",
      "message",
      "call",
      "result",
      "call",
      "result",
    ]);
    expect(turns[0]?.sourceSteps.map(({ step }) => step)).toEqual(["1", "2", "3", "4", "5", "6"]);
    expect(turns[0]).toMatchObject({ startedAt: "2026-04-22T12:01:00Z", endedAt: "2026-04-22T12:04:00Z" });
  });

  it("begins a turn behind a result and behind a person's words", () => {
    expect(turns).toHaveLength(4);
    expect(trajectory.entries.map((entry) => (entry.kind === "turn" ? "turn" : entry.contextKind))).toEqual([
      ...["metadata", "metadata", "task", "turn", "turn", "person", "turn", "opaque", "turn"],
    ]);
  });

  it("begins a turn with what the agent says behind a call, and keeps calls that follow each other in one", () => {
    const record = (turn_type: string, content: string): object => ({ turn_type, content, tool_name: "Bash" });
    const turnTypes = ["tool_use", "tool_use", "assistant_response", "assistant_thinking", "tool_use"];
    const bytes = new TextEncoder().encode(JSON.stringify({ turns: turnTypes.map((type) => record(type, "{}")) }));
    const found = turnsOf(ingest({ name: "x", bytes }).trajectory);
    expect(found.map((turn) => turn.sourceSteps.map(({ step }) => step))).toEqual([
      ["0", "1"],
      ["2", "3", "4"],
    ]);
  });

  it("reads arguments that are JSON text, and keeps others as text", () => {
    expect(turns[1]?.items[0]).toMatchObject({ tool: "Edit", callKind: "write", arguments: { old_string: "a = 1" } });
    expect(turns[2]?.items[0]).toMatchObject({ tool: "Bash", arguments: null, text: "not json" });
  });

  it("changes no file by an edit that the tool refused", () => {
    expect(buildHistory(trajectory, null).writes.map(({ status }) => status)).toEqual(["refused"]);
  });

  it("keeps answers without a call and records of other types, and counts them", () => {
    const counts = Object.fromEntries(trajectory.notes.map((note) => [note.code, note.count]));
    expect(counts).toMatchObject({ result_without_call: 1, record_not_understood: 1 });
  });

  it("keeps the data set's judgement out of the trace and says nothing about what it means", () => {
    expect(failure).toMatchObject({
      outcome: "unknown",
      verification: [{ name: "session_success", passed: null, detail: "10" }],
      foundAt: [{ what: "verification", where: "/session/session_success" }],
    });
    expect(JSON.stringify(trajectory.entries)).not.toContain("session_success");
  });
});
