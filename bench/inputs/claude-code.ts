import { SeededText } from "./seeded-text";

/**
 * A session of Claude Code, JSON Lines in UTF-8: messages of the agent with a call each, and big results, half of them
 * with the record that the tool kept of the file (which holds the text again). About `sizeBytes`; a result ends it.
 */
export function makeClaudeCode({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.01);
  const parts: Buffer[] = [];
  let size = 0;
  let lines = 0;
  const write = (type: "user" | "assistant", more: Record<string, unknown>): void => {
    const line = {
      parentUuid: lines === 0 ? null : uuid(seed, lines - 1),
      isSidechain: false,
      userType: "external",
      cwd: "/home/dev/app",
      sessionId: uuid(seed, 0),
      version: "2.0.1",
      gitBranch: "main",
      type,
      ...more,
      uuid: uuid(seed, lines),
      timestamp: new Date(Date.UTC(2026, 0, 5) + lines * 1_500).toISOString(),
    };
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    parts.push(bytes);
    size += bytes.length;
    lines++;
  };
  write("user", { message: { role: "user", content: `Make the importer faster. ${text.prose(3)}` } });
  for (let n = 0; size < sizeBytes; n++) {
    const { name, input, result, toolUseResult } = makeCall(text, n);
    const id = `toolu_${n}`;
    write("assistant", {
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
    write("user", { message: { role: "user", content }, toolUseResult });
  }
  return Buffer.concat(parts);
}

function makeCall(text: SeededText, n: number) {
  const path = `/home/dev/app/src/${text.word()}-${text.word()}.ts`;
  switch (n % 4) {
    case 0: {
      const content = text.lines(12_000, "code");
      const lines = content.split("\n");
      const file = { filePath: path, content, numLines: lines.length, startLine: 1, totalLines: lines.length };
      const result = lines.map((line, i) => `${String(i + 1).padStart(6)}→${line}`).join("\n");
      return { name: "Read", input: { file_path: path }, result, toolUseResult: { type: "text", file } };
    }
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
      return {
        name: "Bash",
        input: { command: `npm test -- ${text.word()}`, description: text.prose(1) },
        result: stdout,
        toolUseResult: { stdout, stderr: "", interrupted: false, isImage: false },
      };
    }
  }
}

function uuid(seed: number, n: number): string {
  return `${seed.toString(16).padStart(8, "0")}-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}
