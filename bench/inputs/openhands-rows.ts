import { GrowingFile } from "./growing-file";
import { SdkEvents } from "./openhands-sdk";
import { SeededText } from "./seeded-text";

/**
 * The output of an evaluation of OpenHands (V1), one task a row: half the rows hold fewer than ten calls (about 20 kB), a
 * few more than a hundred, each with the task, the settings and how it was graded. About `sizeBytes`; a row ends it.
 */
export function makeOpenHandsRows({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  for (let row = 0; file.size < sizeBytes; row++) {
    const instance_id = `bench-task-${row}`;
    const instruction = text.prose(12);
    const history: unknown[] = [];
    const events = new SdkEvents((event) => void history.push(event));
    const steps = row % 20 === 19 ? 120 : 2 + text.number(row % 2 === 0 ? 8 : 24);
    for (let n = 0; n < steps; n++) events.writeStep(text, n);
    file.addLine({
      instance_id,
      test_result: { checkpoints: [{ total: 1, result: row % 2 }], final_score: { total: 1, result: row % 2 } },
      instruction,
      metadata: makeMetadata(text),
      history,
      metrics: null,
      error: null,
      instance: { instance_id, problem_statement: instruction, scenario: text.prose(16), dependencies: ["forge"] },
    });
  }
  return file.bytes();
}

function makeMetadata(text: SeededText): Record<string, unknown> {
  const llm = { model: "demo/model-2", api_key: null, num_retries: 5, temperature: 0, top_p: 1, drop_params: true };
  return {
    llm: { ...llm, custom_tokenizer: null, native_tool_calling: null, reasoning_effort: "high", notes: text.prose(6) },
    dataset: "demo/tasks",
    dataset_split: "train",
    max_iterations: 100,
    eval_output_dir: "outputs/demo",
    details: { platform: "linux/amd64" },
  };
}
