import { asOpenHandsCall, makeCodingStep } from "./coding-step";
import { GrowingFile } from "./growing-file";
import { SeededText } from "./seeded-text";

interface Size {
  sizeBytes: number;
  seed: number;
}

/**
 * Rows of a data set in the manner of SWE-rebench, one a line: messages in a list, with calls, and how the run ended.
 * Most rows hold 20 to 60 steps (50 to 150 kB). About `sizeBytes`; a row ends it.
 */
export function makeListRows({ sizeBytes, seed }: Size): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  for (let row = 0; file.size < sizeBytes; row++) {
    file.addLine({
      trajectory_id: `chatcmpl-${row}`,
      instance_id: `bench__project-${row}`,
      repo: "bench/project",
      trajectory: makeMessages(text, 20 + text.number(40)),
      tools: [{ type: "function", function: { name: "execute_bash", description: text.prose(4), parameters: {} } }],
      model_patch: makePatch(text),
      exit_status: "submit",
      resolved: row % 2,
      gen_tests_correct: null,
      pred_passes_gen_tests: null,
    });
  }
  return file.bytes();
}

/** Rows in the manner of SWE-smith, one a line: messages as JSON in a string, with calls as text in them. */
export function makeStringRows({ sizeBytes, seed }: Size): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  for (let row = 0; file.size < sizeBytes; row++) {
    file.addLine({
      messages: JSON.stringify(makeWrittenMessages(text, 20 + text.number(40))),
      instance_id: `bench__project.${row}`,
      resolved: row % 2 === 0,
      model: "demo-model-2",
      traj_id: `bench__project.${row}.t`,
      patch: makePatch(text),
    });
  }
  return file.bytes();
}

/** Rows in the manner of nebius' SWE-agent runs, one a line: roles with texts, one command in each of the agent's. */
export function makeSweAgentRows({ sizeBytes, seed }: Size): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  for (let row = 0; file.size < sizeBytes; row++) {
    const say = (role: string, said: string) => ({
      cutoff_date: null,
      mask: role === "ai",
      role,
      system_prompt: null,
      text: said,
    });
    const prompt = "\n\n(Open file: n/a)\n(Current directory: /project)\nbash-$";
    const trajectory: unknown[] = [
      { cutoff_date: "01.01.2023", mask: false, role: "system", system_prompt: text.prose(20), text: null },
      say("user", `ISSUE:\n${text.prose(8)}\n\nINSTRUCTIONS:\nSolve it.${prompt}`),
    ];
    const steps = 15 + text.number(30);
    for (let n = 0; n < steps; n++) {
      const [command, output] = makeWindowedStep(text, n);
      trajectory.push(say("ai", `${text.prose(2)}\n\n\`\`\`\n${command}\n\`\`\``), say("user", `${output}${prompt}`));
    }
    file.addLine({
      instance_id: `bench__project-${row}`,
      model_name: "demo-model-2",
      target: row % 2 === 0,
      trajectory,
      exit_status: "submitted",
      generated_patch: makePatch(text),
      eval_logs: text.lines(6_000, "log"),
    });
  }
  return file.bytes();
}

function makeMessages(text: SeededText, steps: number): unknown[] {
  const say = (role: string, content: string, more: Record<string, unknown> = {}) => ({
    content,
    name: null,
    role,
    tool_call_id: null,
    tool_calls: null,
    ...more,
  });
  const messages: unknown[] = [say("system", text.prose(20)), say("user", makeTask(text))];
  for (let n = 0; n < steps; n++) {
    const { tool, given, result } = asOpenHandsCall(makeCodingStep(text, n, "/workspace/project"));
    const call = { function: { arguments: JSON.stringify(given), name: tool }, id: `call_${n}`, index: null };
    messages.push(say("assistant", text.prose(1), { tool_calls: [{ ...call, type: "function" }] }));
    messages.push(say("tool", result, { name: tool, tool_call_id: `call_${n}` }));
  }
  return messages;
}

function makeWrittenMessages(text: SeededText, steps: number): unknown[] {
  const messages: unknown[] = [
    { content: text.prose(20), role: "system" },
    { content: makeTask(text), role: "user" },
  ];
  for (let n = 0; n < steps; n++) {
    const { tool, given, result } = asOpenHandsCall(makeCodingStep(text, n, "/testbed"));
    const parameters = Object.entries(given).map(([key, value]) => `<parameter=${key}>${value}</parameter>`);
    const name = tool === "execute_bash" ? "bash" : tool;
    const written = `<function=${name}>\n${parameters.join("\n")}\n</function>`;
    messages.push({ content: `${text.prose(2)}\n\n${written}`, role: "assistant" });
    messages.push({ content: `OBSERVATION:\n${result}`, role: "user" });
  }
  return messages;
}

function makeWindowedStep(text: SeededText, n: number): [command: string, output: string] {
  const path = `/project/src/${text.word()}.py`;
  const lines = text.lines(3_000, "code").split("\n");
  const shown = `[File: ${path} (${lines.length} lines total)]\n${lines.map((line, i) => `${i + 1}:${line}`).join("\n")}`;
  switch (n % 5) {
    case 0:
      return [`open src/${text.word()}.py`, shown];
    case 1:
      return [
        `edit 3:4\n${text.code()}\n${text.code()}\nend_of_edit`,
        `${shown}\nFile updated. Please review the changes and make sure they are correct (correct indentation, no duplicate lines, etc). Edit the file again if necessary.`,
      ];
    case 2:
      return [`python -m pytest -q tests/test_${text.word()}.py`, text.lines(2_500, "log")];
    default:
      return [`search_dir "${text.word()}" src`, text.lines(500, "log")];
  }
}

function makeTask(text: SeededText): string {
  return `<uploaded_files>\n/testbed\n</uploaded_files>\n<pr_description>\n${text.prose(10)}\n</pr_description>`;
}

function makePatch(text: SeededText): string {
  const path = `src/${text.word()}.py`;
  return `diff --git a/${path} b/${path}\n--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-${text.code()}\n+${text.code()}\n`;
}
