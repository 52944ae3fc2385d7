import { ClaudeSession, makeBash, makeRead } from "./claude-session";
import { SeededText } from "./seeded-text";

/**
 * A session of Claude Code, JSON Lines in UTF-8: messages of the agent with a call each, and big results, half of them
 * with the record that the tool kept of the file (which holds the text again). About `sizeBytes`; a result ends it.
 */
export function makeClaudeCode({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.01);
  const session = new ClaudeSession(seed, 1_500);
  session.write("user", { message: { role: "user", content: `Make the importer faster. ${text.prose(3)}` } });
  for (let n = 0; session.file.size < sizeBytes; n++) {
    const { name, input, result, toolUseResult } = makeCall(text, n);
    const id = `toolu_${n}`;
    session.write("assistant", {
      requestId: `req_${n}`,
      message: {
        id: `msg_${n}`,
        type: "message",
        role: "assistant",
        model: "demo-model-2",
        content: [
          { type: "text", text: text.prose(2) },
          { type: "tool_use", id, name, input },
        ],
        stop_reason: "tool_use",
        usage: { input_tokens: 100, cache_read_input_tokens: 20_000, output_tokens: 150 },
      },
    });
    const content = [{ tool_use_id: id, type: "tool_result", content: result }];
    session.write("user", { message: { role: "user", content }, toolUseResult });
  }
  return session.file.bytes();
}

function makeCall(text: SeededText, n: number) {
  const path = `/home/dev/app/src/${text.word()}-${text.word()}.ts`;
  switch (n % 4) {
    case 0:
      return makeRead(path, text.lines(12_000, "code"));
    case 1: {
      const content = text.lines(3_000, "code");
      const made = path.replace(".ts", `-${n}.ts`);
      return {
        name: "Write",
        input: { file_path: made, content },
        result: `File created successfully at: ${made}`,
        toolUseResult: { type: "create", filePath: made, content, structuredPatch: [] },
      };
    }
    default: {
      const stdout = text.lines(16_000, "log");
      return makeBash(`npm test -- ${text.word()}`, text.prose(1), stdout);
    }
  }
}
