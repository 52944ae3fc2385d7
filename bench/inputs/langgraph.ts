import { GrowingFile } from "./growing-file";
import { makeAsked, makeExchange } from "./langchain-messages";
import { SeededText } from "./seeded-text";

/**
 * The state of a graph of Deep Agents as one indented document: all messages, then files and todos. About `sizeBytes`; the
 * answer of a tool ends the messages.
 */
export function makeLangGraphState({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.05);
  const file = new GrowingFile();
  const shown = (message: object): string => JSON.stringify(message, null, 2).replace(/^/gm, "      ");
  file.add(`{\n  "values": {\n    "messages": [\n${shown(makeAsked("system", text.prose(20)))}`);
  file.add(`,\n${shown(makeAsked("human", text.prose(4)))}`);
  for (let n = 0; file.size < sizeBytes; n++) {
    const { asked, answered } = makeExchange(text, n);
    file.add(`,\n${shown(asked)},\n${shown(answered)}`);
  }
  const held = { content: text.lines(1_000, "code").split("\n"), created_at: "2026-01-05T00:00:00Z" };
  const files = { "/notes.md": { ...held, modified_at: "2026-01-05T00:01:00Z" } };
  const todos = [{ content: "Look at the tests", status: "completed" }];
  const rest = { next: [], tasks: [], metadata: { source: "loop", step: 9, thread_id: "bench" } };
  const configurable = { thread_id: "bench", checkpoint_ns: "", checkpoint_id: "1f0b" };
  file.add(`\n    ],\n    "files": ${JSON.stringify(files)},\n    "todos": ${JSON.stringify(todos)}\n  },\n`);
  file.add(JSON.stringify({ ...rest, config: { configurable }, parent_config: null }, null, 2).slice(2));
  return file.bytes();
}
