import { SeededText } from "./seeded-text";

export interface SweAgentShape {
  /** About how many bytes; the last step ends it. */
  sizeBytes: number;
  seed: number;
  /** With `query` each step repeats the prompt with the last observations: about four fifths of the bytes. */
  withQuery: boolean;
}

interface Message {
  role: string;
  content: string | { type: string; text: string }[];
  agent: string;
  message_type: string;
  thought?: string;
  action?: string;
}

/** A query keeps this many of the last messages, as SWE-agent's history processors do. */
const QUERY_MESSAGES = 10;

/**
 * A SWE-agent 1.x `.traj`, indented and with everything beyond ASCII escaped, as Python's `json.dumps` writes it.
 */
export function makeSweAgent({ sizeBytes, seed, withQuery }: SweAgentShape): Buffer {
  const text = new SeededText(seed);
  const task = `<uploaded_files>\n/testbed\n</uploaded_files>\n<pr_description>\n${text.prose(12)}\n</pr_description>\nFix it.`;
  const history: Message[] = [
    { role: "system", content: "You are a helpful assistant.", agent: "main", message_type: "system_prompt" },
    { role: "user", content: [{ type: "text", text: task }], agent: "main", message_type: "observation" },
  ];
  const parts: Buffer[] = [Buffer.from('{\n  "trajectory": [\n')];
  let size = 0;
  for (let n = 0; size < sizeBytes; n++) {
    const step = makeStep(text, n);
    const query = withQuery ? [...history.slice(0, 2), ...history.slice(2).slice(-QUERY_MESSAGES)] : undefined;
    const { thought, action, response, observation } = step;
    history.push({ role: "assistant", content: response, thought, action, agent: "main", message_type: "action" });
    history.push({
      role: "user",
      content: [{ type: "text", text: `OBSERVATION:\n${observation}` }],
      agent: "main",
      message_type: "observation",
    });
    const written = indented({ ...step, ...(query ? { query } : {}), extra_info: {} }, 4);
    const bytes = Buffer.from(n === 0 ? written : `,\n${written}`);
    parts.push(bytes);
    // The message of the history holds the observation once more, at the end of the file.
    size += bytes.length + Math.round(observation.length * 1.05) + response.length * 2;
  }
  const rest = {
    history,
    info: {
      swe_agent_version: "1.1.0",
      submission: "diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n",
      exit_status: "submitted",
      model_stats: { instance_cost: 0.4, tokens_sent: 250_000, tokens_received: 1_600, api_calls: 23 },
    },
    environment: "bench__bench-1",
  };
  parts.push(Buffer.from(`\n  ],\n${indented(rest, 0).slice(2)}`));
  return Buffer.concat(parts);
}

function makeStep(text: SeededText, n: number) {
  const path = `/testbed/src/${text.word()}_${text.word()}.py`;
  const thought = text.prose(2);
  const state = { working_dir: "/testbed", open_file: "n/a", diff: "" };
  const done = (action: string, observation: string) => ({
    action,
    observation,
    response: `${thought}\n\n${action}`,
    thought,
    execution_time: 0.1 + text.number(1_000) / 1_000,
    state,
  });
  switch (n % 4) {
    case 0: {
      const numbered = text
        .lines(6_000, "code")
        .split("\n")
        .map((line, i) => `${String(i + 1).padStart(6)}\t${line}`);
      const shown = `Here's the result of running \`cat -n\` on ${path}:\n${numbered.join("\n")}\n`;
      return done(`str_replace_editor view ${path}`, shown);
    }
    case 1: {
      const content = text.lines(1_500, "code").replaceAll("'", '"');
      return done(
        `str_replace_editor create ${path.replace(".py", `_${n}.py`)} --file_text '${content}'`,
        `File created successfully at: ${path.replace(".py", `_${n}.py`)}`,
      );
    }
    default:
      return done(`cd /testbed && python -m pytest -q tests/${text.word()}`, text.lines(8_000, "log"));
  }
}

/** JSON in the layout of `json.dumps(value, indent=2)`, moved right by `by` spaces. */
function indented(value: unknown, by: number): string {
  const json = JSON.stringify(value, null, 2).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return by === 0 ? json : json.replace(/^/gm, " ".repeat(by));
}
