import { ClaudeSession, makeBash, makeRead } from "./claude-session";
import { SeededText } from "./seeded-text";

/**
 * A session of Claude Code whose lines are short, as most are (median about 900 bytes): an answer comes in lines of one
 * block each, most results are a few lines, and between them stand the harness's own lines. JSON Lines in UTF-8 with
 * a tenth of the texts beyond ASCII. About `sizeBytes`; a result ends it.
 */
export function makeShortClaudeCode({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.1);
  const session = new ClaudeSession(seed, 700);
  session.write("user", { message: { role: "user", content: `Make the importer faster. ${text.prose(3)}` } });
  for (let n = 0; session.file.size < sizeBytes; n++) {
    const { name, input, result, toolUseResult } = makeCall(text, n);
    const id = `toolu_${n}`;
    const say = (block: Record<string, unknown>): void =>
      session.write("assistant", {
        requestId: `req_${n}`,
        message: {
          id: `msg_${n}`,
          type: "message",
          role: "assistant",
          model: "demo-model-2",
          content: [block],
          stop_reason: null,
          stop_sequence: null,
          usage: {
            input_tokens: 4,
            cache_creation_input_tokens: 900,
            cache_read_input_tokens: 20_000 + n,
            output_tokens: 150,
            service_tier: "standard",
          },
        },
      });
    if (n % 8 === 0) say({ type: "thinking", thinking: text.prose(4), signature: "c2lnbmF0dXJl".repeat(20) });
    if (n % 3 !== 2) say({ type: "text", text: text.prose(2) });
    say({ type: "tool_use", id, name, input });
    const content = [{ tool_use_id: id, type: "tool_result", content: result }];
    session.write("user", { message: { role: "user", content }, toolUseResult });
    if (n % 10 === 9)
      session.write("system", { subtype: "informational", content: text.prose(1), isMeta: false, level: "info" });
  }
  return session.file.bytes();
}

function makeCall(text: SeededText, n: number) {
  const path = `/home/dev/app/src/${text.word()}-${text.word()}.ts`;
  switch (n % 6) {
    case 0:
      return makeRead(path, text.lines(n % 12 === 0 ? 4_000 : 900, "code"));
    case 1: {
      const [before, after] = [text.code(), text.code()];
      const patch = { oldStart: 4, oldLines: 1, newStart: 4, newLines: 1, lines: [`-${before}`, `+${after}`] };
      return {
        name: "Edit",
        input: { file_path: path, old_string: before, new_string: after },
        result: `The file ${path} has been updated.`,
        toolUseResult: {
          filePath: path,
          oldString: before,
          newString: after,
          originalFile: text.lines(600, "code"),
          structuredPatch: [patch],
          userModified: false,
          replaceAll: false,
        },
      };
    }
    case 2: {
      const filenames = Array.from({ length: 6 }, () => `src/${text.word()}/${text.word()}.ts`);
      return {
        name: "Grep",
        input: { pattern: text.word(), path: "src" },
        result: `Found 6 files\n${filenames.join("\n")}`,
        toolUseResult: { mode: "files_with_matches", filenames, numFiles: 6 },
      };
    }
    default: {
      const stdout = text.lines(n % 24 === 23 ? 9_000 : 250, "log");
      return makeBash(`npm test -- ${text.word()}`, text.prose(1), stdout);
    }
  }
}
