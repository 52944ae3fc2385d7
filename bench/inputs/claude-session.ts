import { GrowingFile } from "./growing-file";

/** The lines of a session of Claude Code as they are written, one after the other, `msApart` in time. */
export class ClaudeSession {
  readonly file = new GrowingFile();
  private lines = 0;

  constructor(
    private readonly seed: number,
    private readonly msApart: number,
  ) {}

  /** Adds one line with what all lines have: the line before it, the session, where and when. */
  write(type: "user" | "assistant" | "system", more: Record<string, unknown>): void {
    const n = this.lines++;
    this.file.addLine({
      parentUuid: n === 0 ? null : uuid(this.seed, n - 1),
      isSidechain: false,
      userType: "external",
      cwd: "/home/dev/app",
      sessionId: uuid(this.seed, 0),
      version: "2.0.1",
      gitBranch: "main",
      type,
      ...more,
      uuid: uuid(this.seed, n),
      timestamp: new Date(Date.UTC(2026, 0, 5) + n * this.msApart).toISOString(),
    });
  }
}

function uuid(seed: number, n: number): string {
  return `${seed.toString(16).padStart(8, "0")}-0000-4000-8000-${n.toString(16).padStart(12, "0")}`;
}

/** The call that reads a file, with its result and the record that the tool kept, which holds the text once more. */
export function makeRead(path: string, content: string) {
  const lines = content.split("\n");
  const file = { filePath: path, content, numLines: lines.length, startLine: 1, totalLines: lines.length };
  const result = lines.map((line, i) => `${String(i + 1).padStart(6)}→${line}`).join("\n");
  return { name: "Read", input: { file_path: path }, result, toolUseResult: { type: "text", file } };
}

/** The call of a command, with its result and the record that the tool kept. */
export function makeBash(command: string, description: string, stdout: string) {
  return {
    name: "Bash",
    input: { command, description },
    result: stdout,
    toolUseResult: { stdout, stderr: "", interrupted: false, isImage: false },
  };
}
