import { createHash } from "node:crypto";
import { structuredPatch } from "diff";
import { Workspace } from "./workspace";

/** One act of a story; `say` and `think` stand before the tool in the same message. */
export interface Act {
  think?: string;
  say?: string;
  use?: Tool;
}

export type Tool =
  | { name: "Bash"; command: string; description: string }
  | { name: "Read"; file_path: string; offset?: number; limit?: number }
  | { name: "Grep"; pattern: string; path: string }
  | { name: "Edit"; file_path: string; old_string: string; new_string: string }
  | { name: "Write"; file_path: string; content: string }
  | { name: "TodoWrite"; todos: string[]; done: number }
  | { name: "Task"; description: string; prompt: string; acts: Act[]; report: string };

export interface ClaudeCodeStory {
  session: string;
  model: string;
  folder: string;
  task: string;
  files: Record<string, string>;
  /** Acts in order; a text between them is the summary that a compaction left. */
  acts: (Act | { compaction: string })[];
}

type Line = Record<string, unknown>;
interface Thread {
  parent: string | null;
  isSidechain: boolean;
  agentId: string | null;
}

/** Plays a story in a workspace and writes it down as a Claude Code session, one JSON line a record. */
export function recordClaudeCode(story: ClaudeCodeStory): string {
  const workspace = new Workspace(story.folder, story.files);
  try {
    return new Session(story, workspace).record();
  } finally {
    workspace.close();
  }
}

class Session {
  private readonly lines: Line[] = [];
  private count = 0;
  private clockMs = Date.UTC(2026, 0, 12, 9, 14, 3);
  private readonly main: Thread = { parent: null, isSidechain: false, agentId: null };

  constructor(
    private readonly story: ClaudeCodeStory,
    private readonly workspace: Workspace,
  ) {}

  record(): string {
    this.user(this.main, this.story.task);
    for (const act of this.story.acts) {
      if ("compaction" in act) this.compact(act.compaction);
      else this.act(this.main, act);
    }
    return `${this.lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
  }

  private act(thread: Thread, act: Act): void {
    const id = `msg_${this.hash("message").slice(0, 24)}`;
    const requestId = `req_${this.hash("request").slice(0, 24)}`;
    const blocks: Line[] = [];
    if (act.think !== undefined) blocks.push({ type: "thinking", thinking: act.think, signature: "" });
    if (act.say !== undefined) blocks.push({ type: "text", text: act.say });
    const callId = `toolu_${this.hash("call").slice(0, 24)}`;
    if (act.use !== undefined) blocks.push({ type: "tool_use", id: callId, name: act.use.name, input: inputOf(act.use) });
    for (const block of blocks) {
      this.line(thread, "assistant", {
        requestId,
        message: {
          id,
          type: "message",
          role: "assistant",
          model: this.story.model,
          content: [block],
          stop_reason: act.use === undefined ? "end_turn" : "tool_use",
          stop_sequence: null,
          usage: {
            input_tokens: 12,
            cache_creation_input_tokens: 900 + this.count * 7,
            cache_read_input_tokens: 11_000 + this.count * 420,
            output_tokens: Math.ceil(JSON.stringify(blocks).length / 4),
          },
        },
      });
    }
    if (act.use !== undefined) this.answer(thread, callId, act.use);
  }

  private answer(thread: Thread, callId: string, tool: Tool): void {
    const { content, result, isError } = this.perform(tool);
    this.line(thread, "user", {
      message: {
        role: "user",
        content: [{ tool_use_id: callId, type: "tool_result", content, ...(isError ? { is_error: true } : {}) }],
      },
      toolUseResult: result,
    });
  }

  private perform(tool: Tool): { content: unknown; result: unknown; isError: boolean } {
    switch (tool.name) {
      case "Bash": {
        const { output, exitCode } = this.workspace.run(tool.command);
        const stdout = output.replace(/\n$/, "");
        if (exitCode === 0) return ok(stdout, { stdout, stderr: "", interrupted: false, isImage: false });
        return failed(`Exit code ${exitCode}\n${stdout}`);
      }
      case "Grep": {
        const { output } = this.workspace.run(`grep -rn --include=*.py -e '${tool.pattern}' ${tool.path}`);
        const content = output.replace(/\n$/, "");
        return ok(content, { mode: "content", numFiles: 0, filenames: [], content, numLines: content.split("\n").length });
      }
      case "Read": {
        const lines = this.workspace.read(tool.file_path).split("\n");
        const start = tool.offset ?? 1;
        const shown = lines.slice(start - 1, tool.limit === undefined ? undefined : start - 1 + tool.limit);
        return ok(shown.map((line, i) => `${String(start + i).padStart(6)}→${line}`).join("\n"), {
          type: "text",
          file: {
            filePath: tool.file_path,
            content: shown.join("\n"),
            numLines: shown.length,
            startLine: start,
            totalLines: lines.length,
          },
        });
      }
      case "Edit":
        return this.edit(tool.file_path, tool.old_string, tool.new_string);
      case "Write":
        return this.write(tool.file_path, tool.content);
      case "TodoWrite":
        return ok("Todos have been modified successfully.", { oldTodos: [], newTodos: todosOf(tool) });
      case "Task":
        return this.delegate(tool);
    }
  }

  private edit(path: string, before: string, after: string): { content: unknown; result: unknown; isError: boolean } {
    const original = this.workspace.read(path);
    if (!original.includes(before)) {
      return failed(`<tool_use_error>String to replace not found in file.\nString: ${before}</tool_use_error>`);
    }
    const next = original.replace(before, () => after);
    this.workspace.put(path, next);
    const hunks = hunksOf(path, original, next);
    const from = Math.max(1, (hunks[0]?.newStart ?? 1) - 2);
    const shown = next.split("\n").slice(from - 1, from + 12 + after.split("\n").length);
    const snippet = shown.map((line, i) => `${String(from + i).padStart(6)}→${line}`).join("\n");
    return ok(`The file ${path} has been updated. Here's the result of running \`cat -n\` on a snippet of the edited file:\n${snippet}`, {
      filePath: path,
      oldString: before,
      newString: after,
      originalFile: original,
      structuredPatch: hunks,
      userModified: false,
      replaceAll: false,
    });
  }

  private write(path: string, content: string): { content: unknown; result: unknown; isError: boolean } {
    const original = this.workspace.exists(path) ? this.workspace.read(path) : null;
    this.workspace.put(path, content);
    return ok(original === null ? `File created successfully at: ${path}` : `The file ${path} has been updated.`, {
      type: original === null ? "create" : "update",
      filePath: path,
      content,
      structuredPatch: original === null ? [] : hunksOf(path, original, content),
      originalFile: original,
    });
  }

  private delegate(tool: Extract<Tool, { name: "Task" }>): { content: unknown; result: unknown; isError: boolean } {
    const thread: Thread = { parent: null, isSidechain: true, agentId: `a${this.hash("agent").slice(0, 16)}` };
    const started = this.clockMs;
    this.user(thread, tool.prompt);
    for (const act of tool.acts) this.act(thread, act);
    this.act(thread, { say: tool.report });
    const content = [{ type: "text", text: tool.report }];
    return ok(content, {
      status: "completed",
      prompt: tool.prompt,
      agentId: thread.agentId,
      content,
      totalDurationMs: this.clockMs - started,
      totalTokens: 18_400,
      totalToolUseCount: tool.acts.length,
      usage: { input_tokens: 40, output_tokens: 900 },
    });
  }

  private compact(summary: string): void {
    this.line(this.main, "system", {
      subtype: "compact_boundary",
      content: "Conversation compacted",
      isMeta: false,
      level: "info",
      compactMetadata: { trigger: "auto", preTokens: 152_000 },
    });
    this.line(this.main, "user", { isCompactSummary: true, isVisibleInTranscriptOnly: true, message: { role: "user", content: summary } });
  }

  private user(thread: Thread, content: string): void {
    this.line(thread, "user", { message: { role: "user", content } });
  }

  private line(thread: Thread, type: string, more: Line): void {
    this.clockMs += 1_700 + ((this.count * 7_919) % 9_000);
    const uuid = uuidOf(this.hash("line"));
    const isBoundary = more.subtype === "compact_boundary";
    this.lines.push({
      parentUuid: isBoundary ? null : thread.parent,
      ...(isBoundary ? { logicalParentUuid: thread.parent } : {}),
      isSidechain: thread.isSidechain,
      userType: "external",
      cwd: this.story.folder,
      sessionId: this.story.session,
      version: "2.0.76",
      gitBranch: "main",
      ...(thread.agentId === null ? {} : { agentId: thread.agentId }),
      type,
      ...more,
      uuid,
      timestamp: new Date(this.clockMs).toISOString(),
    });
    thread.parent = uuid;
  }

  /** The same digits every time that the story is played. */
  private hash(what: string): string {
    this.count += 1;
    return createHash("sha256").update(`${this.story.session} ${what} ${this.count}`).digest("hex");
  }
}

function ok(content: unknown, result: unknown): { content: unknown; result: unknown; isError: boolean } {
  return { content, result, isError: false };
}

function failed(text: string): { content: unknown; result: unknown; isError: boolean } {
  return { content: text, result: `Error: ${text.replace(/<\/?tool_use_error>/g, "")}`, isError: true };
}

function inputOf(tool: Tool): Line {
  if (tool.name === "TodoWrite") return { todos: todosOf(tool) };
  if (tool.name === "Task") return { description: tool.description, prompt: tool.prompt, subagent_type: "general-purpose" };
  if (tool.name === "Grep") return { pattern: tool.pattern, path: tool.path, output_mode: "content", "-n": true };
  const { name: _, ...input } = tool;
  return input;
}

function todosOf(tool: Extract<Tool, { name: "TodoWrite" }>): Line[] {
  return tool.todos.map((content, i) => ({
    content,
    status: i < tool.done ? "completed" : i === tool.done ? "in_progress" : "pending",
    activeForm: content,
  }));
}

function hunksOf(path: string, before: string, after: string) {
  return structuredPatch(path, path, before, after, "", "", { context: 3 }).hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines }) => ({ oldStart, oldLines, newStart, newLines, lines }),
  );
}

function uuidOf(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join("-");
}
