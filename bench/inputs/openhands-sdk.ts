import type { SeededText } from "./seeded-text";

/** Makes the events of a conversation of OpenHands' SDK, one after the other. */
export class SdkEvents {
  private events = 0;

  constructor(private readonly add: (event: Record<string, unknown>) => void) {}

  /** Adds one event. @returns its id */
  write(kind: string, source: string, more: Record<string, unknown>): string {
    const id = `00000000-0000-4000-8000-${String(this.events++).padStart(12, "0")}`;
    this.add({ id, timestamp: timeOf(this.events), source, ...more, kind });
    return id;
  }

  /** Adds what a person asks. */
  writeTask(text: SeededText): void {
    this.write("MessageEvent", "user", { llm_message: { role: "user", content: [partOf(text.prose(4))] } });
  }

  /** Adds the call number `n` and what came of it. */
  writeStep(text: SeededText, n: number): void {
    const { tool, given, action, observation } = makeCall(text, n);
    const callId = `call_${n}`;
    const actionId = this.write("ActionEvent", "agent", {
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
    this.write("ObservationEvent", "environment", {
      tool_name: tool,
      tool_call_id: callId,
      observation,
      action_id: actionId,
    });
  }
}

/** When event number `n` was, in the spelling of OpenHands. */
export function timeOf(n: number): string {
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
