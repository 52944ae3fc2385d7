import { SeededText } from "./seeded-text";

interface Size {
  sizeBytes: number;
  seed: number;
}

/**
 * The events of a conversation of OpenHands' SDK, one a line (median about 1 kB): commands, views and edits of files with
 * both contents, and the state now and then. About `sizeBytes`; a result ends it.
 */
export function makeOpenHandsEvents({ sizeBytes, seed }: Size): Buffer {
  const text = new SeededText(seed, 0.1);
  const parts: Buffer[] = [];
  let size = 0;
  let events = 0;
  const write = (kind: string, source: string, more: Record<string, unknown>): string => {
    const id = `00000000-0000-4000-8000-${String(events++).padStart(12, "0")}`;
    const bytes = Buffer.from(`${JSON.stringify({ id, timestamp: timeOf(events), source, ...more, kind })}\n`);
    parts.push(bytes);
    size += bytes.length;
    return id;
  };
  write("MessageEvent", "user", { llm_message: { role: "user", content: [partOf(text.prose(4))] } });
  for (let n = 0; size < sizeBytes; n++) {
    const { tool, given, action, observation } = makeCall(text, n);
    const callId = `call_${n}`;
    const actionId = write("ActionEvent", "agent", {
      thought: n % 3 === 0 ? [partOf(text.prose(2))] : [],
      reasoning_content: n % 4 === 0 ? text.prose(3) : null,
      thinking_blocks: [],
      responses_reasoning_item: null,
      action,
      tool_name: tool,
      tool_call_id: callId,
      tool_call: {
        id: callId,
        responses_item_id: null,
        name: tool,
        arguments: JSON.stringify(given),
        origin: "completion",
      },
      llm_response_id: `chatcmpl-${n}`,
      security_risk: "LOW",
      summary: text.prose(1),
    });
    write("ObservationEvent", "environment", {
      tool_name: tool,
      tool_call_id: callId,
      observation,
      action_id: actionId,
    });
    if (n % 10 === 9)
      write("ConversationStateUpdateEvent", "environment", { key: "execution_status", value: "running" });
  }
  return Buffer.concat(parts);
}

/** A download of OpenHands V0: one list, in which every action and observation repeats the reply of the model. */
export function makeOpenHandsV0({ sizeBytes, seed }: Size): Buffer {
  const text = new SeededText(seed, 0.1);
  const parts: string[] = [];
  let size = 0;
  let id = 0;
  const write = (event: Record<string, unknown>): void => {
    const part = JSON.stringify({ id, timestamp: timeOf(id), ...event });
    id++;
    parts.push(part);
    size += Buffer.byteLength(part) + 1;
  };
  write({ source: "user", action: "message", args: { content: text.prose(4) } });
  for (let n = 0; size < sizeBytes; n++) {
    const thought = text.prose(2);
    const command = `cd /workspace && grep -rn "${text.word()}" src | head -20`;
    const tool_call_metadata = {
      function_name: "execute_bash",
      tool_call_id: `call_${n}`,
      total_calls_in_response: 1,
      model_response: {
        id: `chatcmpl-${n}`,
        model: "demo-model-2",
        choices: [
          {
            finish_reason: "tool_calls",
            index: 0,
            message: {
              role: "assistant",
              content: thought,
              tool_calls: [
                {
                  id: `call_${n}`,
                  type: "function",
                  function: { name: "execute_bash", arguments: JSON.stringify({ command }) },
                },
              ],
            },
          },
        ],
        usage: { prompt_tokens: 9_000 + n, completion_tokens: 120, prompt_tokens_details: { cached_tokens: 8_000 } },
      },
    };
    const cause = id;
    write({
      source: "agent",
      action: "run",
      tool_call_metadata,
      args: { command, thought, is_input: false, blocking: false },
    });
    const metadata = { exit_code: 0, pid: -1, working_dir: "/workspace", prefix: "", suffix: "" };
    const content = text.lines(n % 6 === 0 ? 6_000 : 900, "log");
    write({ source: "agent", observation: "run", cause, tool_call_metadata, content, extras: { command, metadata } });
  }
  return Buffer.from(`[${parts.join(",")}]`);
}

function timeOf(n: number): string {
  return new Date(Date.UTC(2026, 0, 5) + n * 900).toISOString().replace("Z", "000");
}

function partOf(text: string): object {
  return { cache_prompt: false, type: "text", text };
}

function makeCall(text: SeededText, n: number) {
  const path = `/workspace/src/${text.word()}_${text.word()}.py`;
  if (n % 3 === 0) {
    const [old_str, new_str] = [text.code(), text.code()];
    const before = text.lines(2_500, "code");
    const given = { command: "str_replace", path, old_str, new_str, security_risk: "LOW" };
    const content = [partOf(`The file ${path} has been edited. Here's the result of running \`cat -n\` on a snippet`)];
    const files = {
      path,
      prev_exist: true,
      old_content: `${before}\n${old_str}\n`,
      new_content: `${before}\n${new_str}\n`,
    };
    return {
      tool: "file_editor",
      given,
      action: { ...given, file_text: null, insert_line: null, view_range: null, kind: "FileEditorAction" },
      observation: { content, is_error: false, command: "str_replace", ...files, kind: "FileEditorObservation" },
    };
  }
  const command = `cd /workspace && python -m pytest -q tests/test_${text.word()}.py`;
  const metadata = {
    exit_code: 0,
    pid: -1,
    username: "dev",
    hostname: "box",
    working_dir: "/workspace",
    prefix: "",
    suffix: "",
  };
  const content = [partOf(text.lines(n % 5 === 0 ? 4_000 : 700, "log"))];
  return {
    tool: "terminal",
    given: { command, security_risk: "LOW" },
    action: { command, is_input: false, timeout: null, reset: false, kind: "TerminalAction" },
    observation: {
      content,
      is_error: false,
      command,
      exit_code: 0,
      timeout: false,
      metadata,
      kind: "TerminalObservation",
    },
  };
}
