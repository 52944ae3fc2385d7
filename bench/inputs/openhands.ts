import { GrowingFile } from "./growing-file";
import { SdkEvents, timeOf } from "./openhands-sdk";
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
  const file = new GrowingFile();
  const events = new SdkEvents((event) => file.addLine(event));
  events.writeTask(text);
  for (let n = 0; file.size < sizeBytes; n++) {
    events.writeStep(text, n);
    if (n % 10 === 9)
      events.write("ConversationStateUpdateEvent", "environment", { key: "execution_status", value: "running" });
  }
  return file.bytes();
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
