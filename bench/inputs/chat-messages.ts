import { SeededText } from "./seeded-text";

/**
 * A conversation as a chat API takes it (OpenAI's messages), compact and in UTF-8: answers with one or two tool calls,
 * whose arguments are JSON in a string, and results, half of them short. About `sizeBytes`; a result ends it.
 */
export function makeChatMessages({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed);
  const first = [
    { role: "system", content: "You repair small packages in /repo." },
    { role: "user", content: [{ type: "text", text: text.prose(8) }] },
  ].map((message) => JSON.stringify(message));
  const parts = [Buffer.from(`{"model":"demo-model-2","temperature":0.2,"messages":[${first.join(",")}`)];
  for (let n = 0, size = 0; size < sizeBytes; n++) {
    const bytes = Buffer.from(
      makeStep(text, n)
        .map((message) => `,${JSON.stringify(message)}`)
        .join(""),
    );
    parts.push(bytes);
    size += bytes.length;
  }
  parts.push(Buffer.from("]}\n"));
  return Buffer.concat(parts);
}

function makeStep(text: SeededText, n: number): unknown[] {
  const calls = n % 5 === 4 ? [makeCall(text, n), makeCall(text, n + 1)] : [makeCall(text, n)];
  const toolCalls = calls.map(({ name, input }, i) => ({
    id: `call_${n}_${i}`,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  const results = calls.map(({ result }, i) => ({ role: "tool", tool_call_id: `call_${n}_${i}`, content: result }));
  return [{ role: "assistant", content: n % 3 === 0 ? null : text.prose(2), tool_calls: toolCalls }, ...results];
}

function makeCall(text: SeededText, n: number): { name: string; input: Record<string, unknown>; result: string } {
  const path = `/repo/src/${text.word()}_${text.word()}.py`;
  const editor = "str_replace_based_edit_tool";
  switch (n % 6) {
    case 0: {
      const numbered = text.lines(7_000, "code").split("\n");
      const shown = numbered.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join("\n");
      const result = `Here's the result of running \`cat -n\` on ${path}:\n${shown}\n`;
      return { name: editor, input: { command: "view", path }, result };
    }
    case 1: {
      const made = path.replace(".py", `_${n}.py`);
      const input = { command: "create", path: made, file_text: text.lines(2_000, "code") };
      return { name: editor, input, result: `File created successfully at: ${made}` };
    }
    case 2:
      return { name: "bash", input: { command: "python -m pytest -q" }, result: text.lines(9_000, "log") };
    case 3:
      return { name: "bash", input: { command: `grep -rn ${text.word()} .` }, result: text.lines(300, "log") };
    case 4: {
      const [before, after] = [text.code(), text.code()];
      return {
        name: editor,
        input: { command: "str_replace", path, old_str: before, new_str: after },
        result: `The file ${path} has been edited.`,
      };
    }
    default:
      return { name: "bash", input: { command: `ls src/${text.word()}` }, result: `${text.word()}.py\n` };
  }
}
