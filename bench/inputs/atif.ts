import { type CodingStep, makeCodingStep, numbered } from "./coding-step";
import { GrowingFile } from "./growing-file";
import { SeededText } from "./seeded-text";

/**
 * A trajectory in ATIF as the converter for Claude Code writes it: one indented document, in which each step with a call
 * keeps what the tool recorded beside its result, twice. About `sizeBytes`; a step ends it.
 */
export function makeAtif({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  const agent = { name: "claude-code", version: "2.0.1", model_name: "demo-model-2", extra: { cwds: ["/app"] } };
  const head = JSON.stringify({ schema_version: "ATIF-v1.2", session_id: `bench-${seed}`, agent }, null, 2);
  file.add(`${head.slice(0, -2)},\n  "steps": [\n`);
  file.add(indented({ step_id: 1, timestamp: timeOf(0), source: "user", message: text.prose(6) }));
  for (let n = 0; file.size < sizeBytes; n++) {
    const step = n % 4 === 3 ? { message: text.prose(3), extra: {} } : makeCall(text, n);
    const extra = { cwd: "/app", is_sidechain: false, ...step.extra };
    const metrics = { prompt_tokens: 9_000 + n, completion_tokens: 120, cached_tokens: 8_000 };
    const said = { step_id: n + 2, timestamp: timeOf(n + 1), source: "agent", model_name: "demo-model-2" };
    file.add(`,\n${indented({ ...said, ...step, ...(n % 3 === 0 ? { metrics } : {}), extra })}`);
  }
  const totals = { total_prompt_tokens: 400_000, total_completion_tokens: 2_500, total_cached_tokens: 200_000 };
  file.add(`\n  ],\n  "final_metrics": ${JSON.stringify(totals)}\n}`);
  return file.bytes();
}

function makeCall(text: SeededText, n: number) {
  const id = `functions.call:${n}`;
  const { name, input, result, record } = asClaudeCall(makeCodingStep(text, n, "/app"));
  const kept = { tool_use_result: record, raw_tool_result: { tool_use_id: id, type: "tool_result", content: result } };
  return {
    message: `Executed ${name} ${id}`,
    tool_calls: [{ tool_call_id: id, function_name: name, arguments: input }],
    observation: {
      results: [{ source_call_id: id, content: `${result}\n\n[metadata] ${JSON.stringify(kept)}` }],
    },
    extra: { tool_use_name: name, tool_result_metadata: kept, metadata: kept, raw_arguments: input },
  };
}

function asClaudeCall(step: CodingStep) {
  switch (step.kind) {
    case "view": {
      const lines = step.content.split("\n").length;
      const file = { filePath: step.path, content: step.content, numLines: lines, startLine: 1, totalLines: lines };
      const record = { type: "text", file };
      return { name: "Read", input: { file_path: step.path }, result: numbered(step.content, "→"), record };
    }
    case "create": {
      const input = { file_path: step.path, content: step.content };
      const record = { type: "create", filePath: step.path, content: step.content, structuredPatch: [] };
      return { name: "Write", input, result: `File created successfully at: ${step.path}`, record };
    }
    case "edit": {
      const input = { file_path: step.path, old_string: step.before, new_string: step.after };
      const record = { filePath: step.path, oldString: step.before, newString: step.after, replaceAll: false };
      return { name: "Edit", input, result: `The file ${step.path} has been updated.`, record };
    }
    default: {
      const record = { stdout: step.output, stderr: "", interrupted: false, isImage: false };
      return { name: "Bash", input: { command: step.command }, result: step.output, record };
    }
  }
}

function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/^/gm, "    ");
}

function timeOf(n: number): string {
  return new Date(Date.UTC(2026, 0, 5) + n * 2_000).toISOString();
}
