import type { TestFile } from "../harness/upload";

/**
 * A file of chat conversations, one a line, that do not continue each other. A null makes a line that was cut off.
 * @param word stands in every name and text, so that a test finds its own
 */
export function conversationsFile(word: string, names: readonly (string | null)[]): TestFile {
  const lines = names.map((name) => {
    if (name === null) return '{"messages": [{"role": "user", "content": "cut o';
    const messages = [
      { role: "user", content: `Find out why ${name} of ${word} fails.` },
      { role: "assistant", content: `I look into ${name}.` },
      { role: "user", content: "Go on." },
      { role: "assistant", content: `The test of ${name} expects the old order.` },
    ];
    return JSON.stringify({ id: `${word} ${name}`, messages });
  });
  return { name: `${word}.jsonl`, content: `${lines.join("\n")}\n` };
}
