import { SeededText } from "./seeded-text";

/**
 * A rollout of Codex (median line about 1 kB): reasoning with its encrypted form, commands and patches with their
 * outputs, and behind each answer the events that repeat it and the tokens so far. About `sizeBytes`.
 */
export function makeCodexRollout({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed, 0.1);
  const parts: Buffer[] = [];
  let size = 0;
  let lines = 0;
  const write = (type: string, payload: Record<string, unknown>): void => {
    const timestamp = new Date(Date.UTC(2026, 0, 1) + lines++ * 400).toISOString();
    const bytes = Buffer.from(`${JSON.stringify({ timestamp, type, payload })}\n`);
    parts.push(bytes);
    size += bytes.length;
  };
  const cwd = "/home/dev/project";
  write("session_meta", {
    id: "0199-bench",
    timestamp: "2026-01-01T00:00:00Z",
    cwd,
    cli_version: "0.98.0",
    source: "cli",
  });
  write("turn_context", { cwd, approval_policy: "never", model: "demo-model-2", effort: "medium" });
  const asked = text.prose(4);
  write("response_item", { type: "message", role: "user", content: [{ type: "input_text", text: asked }] });
  write("event_msg", { type: "user_message", message: asked, images: [] });
  const used = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0 };
  for (let n = 0; size < sizeBytes; n++) {
    const thought = text.prose(1);
    const call_id = `call_${n}`;
    write("event_msg", { type: "agent_reasoning", text: thought });
    write("response_item", {
      type: "reasoning",
      summary: [{ type: "summary_text", text: thought }],
      content: null,
      encrypted_content: Buffer.from(text.prose(10)).toString("base64"),
    });
    if (n % 5 === 4) writePatch(write, text, call_id, n);
    else writeCommand(write, text, call_id, cwd);
    used.input_tokens += 9_000;
    used.output_tokens += 120;
    const last_token_usage = { input_tokens: 9_000, cached_input_tokens: 0, output_tokens: 120 };
    write("event_msg", { type: "token_count", info: { total_token_usage: used, last_token_usage }, rate_limits: null });
  }
  return Buffer.concat(parts);
}

type Write = (type: string, payload: Record<string, unknown>) => void;

function writeCommand(write: Write, text: SeededText, call_id: string, cwd: string): void {
  const command = ["bash", "-lc", `grep -rn "${text.word()}" src | head -40`];
  write("response_item", {
    type: "function_call",
    name: "shell",
    call_id,
    arguments: JSON.stringify({ command, workdir: cwd }),
  });
  const output = text.prose(30);
  const metadata = { exit_code: 0, duration_seconds: 0.1 };
  write("response_item", { type: "function_call_output", call_id, output: JSON.stringify({ output, metadata }) });
}

function writePatch(write: Write, text: SeededText, call_id: string, n: number): void {
  const [before, after] = [text.prose(1), text.prose(1)].map((line) => line.replaceAll("\n", " "));
  const path = `src/file${n % 40}.py`;
  const input = `*** Begin Patch\n*** Update File: ${path}\n@@\n-${before}\n+${after}\n*** End Patch`;
  write("response_item", { type: "custom_tool_call", name: "apply_patch", call_id, input, status: "completed" });
  const changes = {
    [`/home/dev/project/${path}`]: {
      type: "update",
      unified_diff: `@@ -9 +9 @@\n-${before}\n+${after}\n`,
      move_path: null,
    },
  };
  write("event_msg", { type: "patch_apply_end", call_id, stdout: "Success.\n", stderr: "", success: true, changes });
  write("response_item", {
    type: "custom_tool_call_output",
    call_id,
    output: `Success. Updated the following files:\nM ${path}\n`,
  });
}
