import { makeCodingStep } from "./coding-step";
import { GrowingFile } from "./growing-file";
import { SeededText } from "./seeded-text";

/**
 * What `codex exec --json` prints: items as they start and are completed, one a line (half of them below 300 bytes);
 * commands carry their whole output at the end, and reading, patching and thinking are items of their own.
 */
export function makeCodexExec({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  file.addLine({ type: "thread.started", thread_id: "0199-bench" });
  for (let n = 0, items = 0; file.size < sizeBytes; n++) {
    if (n % 40 === 0) file.addLine({ type: "turn.started" });
    const complete = (item: Record<string, unknown>): void =>
      file.addLine({ type: "item.completed", item: { id: `item_${items++}`, ...item } });
    if (n % 3 === 0) complete({ type: "reasoning", text: `**${text.word()}**\n\n${text.prose(1)}` });
    if (n % 4 === 0) complete({ type: "agent_message", text: text.prose(2) });
    writeItem(file, `item_${items++}`, makeItem(text, n));
    if (n % 40 === 39) {
      const usage = { input_tokens: 90_000 + n, cached_input_tokens: 80_000, output_tokens: 2_000 };
      file.addLine({ type: "turn.completed", usage });
    }
  }
  return file.bytes();
}

/** The item when it starts and when it is done. */
function writeItem(file: GrowingFile, id: string, { started, completed }: ReturnType<typeof makeItem>): void {
  file.addLine({ type: "item.started", item: { id, ...started } });
  file.addLine({ type: "item.completed", item: { id, ...completed } });
}

function makeItem(text: SeededText, n: number): Record<"started" | "completed", Record<string, unknown>> {
  const step = makeCodingStep(text, n, "/home/dev/project");
  if (step.kind === "edit" || step.kind === "create") {
    const kind = step.kind === "edit" ? "update" : "add";
    const item = { type: "file_change", changes: [{ path: step.path, kind }] };
    return { started: { ...item, status: "in_progress" }, completed: { ...item, status: "completed" } };
  }
  const line = step.kind === "view" ? `sed -n '1,400p' ${step.path}` : step.command;
  const item = { type: "command_execution", command: `bash -lc ${JSON.stringify(line)}` };
  const exit_code = step.kind === "view" ? 0 : step.exitCode;
  return {
    started: { ...item, aggregated_output: "", exit_code: null, status: "in_progress" },
    completed: {
      ...item,
      aggregated_output: step.kind === "view" ? step.content : step.output,
      exit_code,
      status: exit_code === 0 ? "completed" : "failed",
    },
  };
}
