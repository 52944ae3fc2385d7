import { makeCodingStep } from "./coding-step";
import type { SeededText } from "./seeded-text";

/** A message of LangChain as it is dumped. */
export type LangChainMessage = Record<string, unknown> & { type: string };

/** What a person asks, or what the system is told. */
export function makeAsked(type: "human" | "system", content: string): LangChainMessage {
  return { content, additional_kwargs: {}, response_metadata: {}, type, name: null, id: `${type}-0` };
}

/** The answer number `n` of the model, with a call, and the answer of the tool. */
export function makeExchange(text: SeededText, n: number): { asked: LangChainMessage; answered: LangChainMessage } {
  const { name, args, content } = makeCall(text, n);
  const id = `call_${n}`;
  const asked = {
    content: n % 3 === 0 ? text.prose(2) : "",
    additional_kwargs: {},
    response_metadata: { model_name: "demo-model-2", finish_reason: "tool_calls" },
    type: "ai",
    name: null,
    id: `lc_run--${n}`,
    tool_calls: [{ name, args, id, type: "tool_call" }],
    invalid_tool_calls: [],
    usage_metadata: { input_tokens: 9_000 + n, output_tokens: 120, total_tokens: 9_120 + n },
  };
  const said = { content, additional_kwargs: {}, response_metadata: {}, type: "tool", name, id: `tool-${n}` };
  return { asked, answered: { ...said, tool_call_id: id, artifact: null, status: "success" } };
}

/** A call of the tools of Deep Agents. */
function makeCall(text: SeededText, n: number): { name: string; args: Record<string, unknown>; content: string } {
  const step = makeCodingStep(text, n, "");
  switch (step.kind) {
    case "view": {
      const shown = step.content.split("\n").map((line, i) => `${String(i + 1).padStart(6)}\t${line}`);
      return { name: "read_file", args: { file_path: step.path }, content: shown.join("\n") };
    }
    case "create": {
      const args = { file_path: step.path, content: step.content };
      return { name: "write_file", args, content: `Updated file ${step.path}` };
    }
    case "edit": {
      const args = { file_path: step.path, old_string: step.before, new_string: step.after };
      return {
        name: "edit_file",
        args,
        content: `Successfully replaced 1 instance(s) of the string in '${step.path}'`,
      };
    }
    default: {
      const end = `[Command ${step.exitCode === 0 ? "succeeded" : "failed"} with exit code ${step.exitCode}]`;
      return { name: "execute", args: { command: step.command }, content: `${step.output}\n${end}` };
    }
  }
}
