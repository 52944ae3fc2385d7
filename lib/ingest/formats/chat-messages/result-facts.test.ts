import { describe, expect, it } from "vitest";
import type { ResultItem } from "@/lib/trajectory/schema";
import { answer, call, calls, read, resultsOf, task } from "./test-messages";

const resultOf = (content: unknown, more: object = {}): ResultItem | undefined =>
  resultsOf(read([task, calls(call("1", "bash", { command: "x" })), answer("1", content, more)]))[0];

describe("what an answer says about success", () => {
  it.each([
    ["ok", {}, null, null],
    ["ok", { is_error: true }, true, null],
    ["Exit code 1\nno", {}, true, 1],
    ["Exit code: 0\nWall time: 1 s\nOutput:\nok", {}, false, 0],
    ["<returncode>2</returncode>", {}, true, 2],
    ["no\n[The command completed with exit code 3.]", {}, true, 3],
    ["ok\nProcess exited with code 0", {}, false, 0],
    ["Error: no", {}, true, null],
    ["<tool_use_error>no</tool_use_error>", {}, true, null],
    ['{"error": "no"}', {}, true, null],
    ['{"error": null}', {}, null, null],
    ["the docs say Exit code 1 means no", {}, null, null],
  ])("%j %j", (content, more, isError, exitCode) => {
    expect(resultOf(content, more)).toMatchObject({ text: content, isError, exitCode });
  });

  it("takes the output out of the envelope that some shells answer in, and nothing out of others", () => {
    const metadata = { exit_code: 1, duration_seconds: 0.5 };
    const inside = JSON.stringify({ output: "no\n", metadata });
    expect(resultOf(inside)).toMatchObject({ text: "no\n", isError: true, exitCode: 1, durationMs: 500 });
    const more = JSON.stringify({ output: "no\n", metadata, stderr: "why" });
    expect(resultOf(more)).toMatchObject({ text: more, exitCode: null });
  });

  it.each([
    [`a\n<response clipped><NOTE>x`, true],
    [`a\n... [120 lines truncated] ...\nb`, true],
    [`${"a".repeat(5_000)}…99 tokens truncated…${"b".repeat(5_000)}`, true],
    ["a", false],
  ])("knows when it was cut", (content, isCut) => {
    expect(resultOf(content)?.isCut).toBe(isCut);
  });

  it.each([
    [
      { type: "tool_result", tool_use_id: "1", is_error: true, content: "no" },
      { isError: true, text: "no" },
    ],
    [{ type: "tool_result", tool_use_id: "1", is_error: false, content: "Error: x" }, { isError: false }],
    [
      { type: "tool_result", tool_use_id: "1" },
      { isError: null, text: "" },
    ],
    [
      {
        type: "bash_code_execution_tool_result",
        tool_use_id: "1",
        content: { stdout: "a", stderr: "b", return_code: 1 },
      },
      { isError: true, exitCode: 1, text: "a\nb" },
    ],
    [
      {
        type: "web_search_tool_result",
        tool_use_id: "1",
        content: { type: "web_search_tool_result_error", error_code: "x" },
      },
      { isError: true },
    ],
  ])("reads the block %j", (block, expected) => {
    const using = { role: "assistant", content: [{ type: "tool_use", id: "1", name: "x", input: {} }] };
    expect(resultsOf(read([task, using, { role: "user", content: [block] }]))[0]).toMatchObject(expected);
  });

  it.each([
    [
      {
        type: "shell_call_output",
        call_id: "1",
        output: [
          { stdout: "a", stderr: "", outcome: { type: "exit", exit_code: 0 } },
          { stdout: "", stderr: "b", outcome: { type: "exit", exit_code: 2 } },
        ],
      },
      { text: "a\nb", isError: true, exitCode: 2 },
    ],
    [
      { type: "shell_call_output", call_id: "1", output: [{ stdout: "a", outcome: { type: "timeout" } }] },
      { isError: true, exitCode: null },
    ],
    [
      { type: "apply_patch_call_output", call_id: "1", status: "failed", output: "no" },
      { text: "no", isError: true },
    ],
    [
      {
        type: "function_call_output",
        call_id: "1",
        output: [
          { type: "input_text", text: "a" },
          { type: "input_image", image_url: "data:image/png;base64,aa" },
        ],
      },
      { text: "a\n[image: image/png, 24 characters, not shown]" },
    ],
  ])("reads the item %j", (item, expected) => {
    const using = { type: "function_call", call_id: "1", name: "x", arguments: "{}" };
    expect(resultsOf(read([task, using, item]))[0]).toMatchObject(expected);
  });
});
