import { asOpenHandsCall, makeCodingStep } from "./coding-step";
import { GrowingFile } from "./growing-file";
import { SeededText } from "./seeded-text";

interface Size {
  sizeBytes: number;
  seed: number;
}

/**
 * The result of a team of AutoGen 0.4 as one indented document: what agents say (half of it below 600 characters), the
 * calls they ask for and the answers. About `sizeBytes`; a message ends it.
 */
export function makeAutoGenMessages({ sizeBytes, seed }: Size): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  let messages = 0;
  const say = (source: string, type: string, content: unknown, models_usage: unknown = null): void => {
    const id = `m${messages}`;
    const created_at = new Date(Date.UTC(2026, 0, 5) + messages * 900).toISOString();
    const json = JSON.stringify({ id, source, models_usage, metadata: {}, created_at, content, type }, null, 2);
    file.add(`${messages++ === 0 ? "" : ","}\n${json.replace(/^/gm, "    ")}`);
  };
  file.add('{\n  "messages": [');
  say("user", "TextMessage", text.prose(5));
  for (let n = 0; file.size < sizeBytes; n++) {
    const source = n % 2 === 0 ? "coder" : "reviewer";
    const usage = { prompt_tokens: 9_000 + n, completion_tokens: 120 };
    if (n % 4 === 0) say(source, "ThoughtEvent", text.prose(2));
    if (n % 3 === 2) {
      say(source, "TextMessage", text.prose(5), usage);
      continue;
    }
    const { tool, given, result } = asOpenHandsCall(makeCodingStep(text, n, "/workspace"));
    const id = `call_${n}`;
    say(source, "ToolCallRequestEvent", [{ id, name: tool, arguments: JSON.stringify(given) }], usage);
    const answer = { content: result, name: tool, call_id: id, is_error: false };
    say(source, "ToolCallExecutionEvent", [answer]);
    say(source, "ToolCallSummaryMessage", result);
  }
  file.add('\n  ],\n  "stop_reason": "Maximum number of messages reached"\n}');
  return file.bytes();
}

/**
 * What AutoGen 0.2 prints of a chat: an assistant that writes code or asks for calls, and a proxy that runs them. Text,
 * in which each message ends with a line of dashes. About `sizeBytes`; a message ends it.
 */
export function makeAutoGenConsole({ sizeBytes, seed }: Size): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  const print = (from: string, to: string, body: string): void =>
    file.add(`${from} (to ${to}):\n\n${body}\n\n${"-".repeat(80)}\n`);
  print("user_proxy", "assistant", text.prose(6));
  for (let n = 0; file.size < sizeBytes; n++) {
    if (n % 3 === 2) {
      const { tool, given, result } = asOpenHandsCall(makeCodingStep(text, n, "/workspace"));
      const head = `***** Suggested tool call (call_${n}): ${tool} *****`;
      const asked = `${head}\nArguments: \n${JSON.stringify(given)}\n${"*".repeat(head.length)}`;
      print("assistant", "user_proxy", `${text.prose(1)}\n${asked}`);
      file.add(`\n>>>>>>>> EXECUTING FUNCTION ${tool}...\nCall ID: call_${n}\nInput arguments: {}\n`);
      const answer = `***** Response from calling tool (call_${n}) *****`;
      print(
        "user_proxy",
        "assistant",
        `user_proxy (to assistant):\n\n${answer}\n${result}\n${"*".repeat(answer.length)}`,
      );
      continue;
    }
    const code = text.lines(n % 9 === 0 ? 4_000 : 700, "code");
    print("assistant", "user_proxy", `${text.prose(3)}\n\n\`\`\`python\n# filename: step_${n}.py\n${code}\n\`\`\``);
    file.add("\n>>>>>>>> EXECUTING CODE BLOCK 0 (inferred language is python)...\n");
    const output = text.lines(n % 12 === 1 ? 8_000 : 400, "log");
    print("user_proxy", "assistant", `exitcode: 0 (execution succeeded)\nCode output: \n${output}\n`);
  }
  return file.bytes();
}
