import { makeCodingStep, numbered } from "./coding-step";
import { GrowingFile } from "./growing-file";
import { SeededText } from "./seeded-text";

/**
 * Sessions of people with a coding agent as SWE-chat publishes them, one a line: a record for each thing that was said,
 * called or answered. Most hold 20 to 120 calls (40 to 250 kB). About `sizeBytes`; a session ends it.
 */
export function makeSweChat({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  for (let session = 0; file.size < sizeBytes; session++) {
    const session_id = `bench-${session}`;
    const turns: unknown[] = [];
    const say = (role: string, turn_type: string, content: string, more: Record<string, unknown> = {}): void => {
      const turn_number = turns.length;
      const timestamp = new Date(Date.UTC(2026, 3, 22) + turn_number * 5_000).toISOString();
      const turn_id = `${session_id}-${String(turn_number).padStart(3, "0")}`;
      const is_conversational = turn_type === "user_prompt" || turn_type === "assistant_response";
      turns.push({ turn_id, turn_number, role, turn_type, is_conversational, content, timestamp, ...more });
    };
    const calls = 20 + text.number(100);
    for (let n = 0; n < calls; n++) {
      if (n % 20 === 0) say("user", "user_prompt", text.prose(2));
      if (n % 4 === 0) say("assistant", "assistant_thinking", text.prose(2));
      if (n % 3 === 0) say("assistant", "assistant_response", text.prose(2));
      const { tool_name, input, result } = makeCall(text, n);
      const call = { tool_name, tool_call_id: `toolu_${n}` };
      say("tool_use", "tool_use", JSON.stringify(input), call);
      say("tool_result", "tool_result", result, call);
    }
    const facts = { session_id, repo_id: "bench/project", agent: "Claude Code", branch: "main" };
    file.addLine({ session_id, session: { ...facts, turn_count: turns.length, session_success: "10" }, turns });
  }
  return file.bytes();
}

function makeCall(text: SeededText, n: number): { tool_name: string; input: Record<string, unknown>; result: string } {
  const step = makeCodingStep(text, n, "/workspace");
  switch (step.kind) {
    case "view":
      return { tool_name: "Read", input: { file_path: step.path }, result: numbered(step.content, "→") };
    case "create": {
      const input = { file_path: step.path, content: step.content };
      return { tool_name: "Write", input, result: `File created successfully at: ${step.path}` };
    }
    case "edit": {
      const input = { file_path: step.path, old_string: step.before, new_string: step.after };
      return { tool_name: "Edit", input, result: `The file ${step.path} has been updated.` };
    }
    default:
      return { tool_name: "Bash", input: { command: step.command }, result: step.output };
  }
}
