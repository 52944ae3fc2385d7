import { SeededText } from "./seeded-text";

/**
 * A mini-SWE-agent 2.x trajectory, indented by one and with everything beyond ASCII escaped, as Python's `json.dumps`
 * writes it: orders as tool calls that the reply of the model and the list of actions repeat, and outputs that stand
 * there once as the model saw them and once raw. Half of the steps are short. About `sizeBytes`; a step ends it.
 */
export function makeMiniSweAgent({ sizeBytes, seed }: { sizeBytes: number; seed: number }): Buffer {
  const text = new SeededText(seed);
  const task = `<pr_description>\n${text.prose(12)}\n</pr_description>`;
  const info = {
    model_stats: { instance_cost: 0.4, api_calls: 90 },
    config: {
      agent: { system_template: "You are a helpful assistant.\n", instance_template: "{{task}}\n", step_limit: 0 },
      agent_type: "minisweagent.agents.default.DefaultAgent",
      model: { model_name: "demo/model-2", model_kwargs: { temperature: 0 } },
      environment: { image: "bench:latest", cwd: "/testbed", timeout: 60 },
    },
    mini_version: "2.2.7",
    exit_status: "Submitted",
    submission: "diff --git a/src/a.py b/src/a.py\n--- a/src/a.py\n+++ b/src/a.py\n@@ -1 +1 @@\n-a\n+b\n",
  };
  const first = [
    { role: "system", content: "You are a helpful assistant." },
    { role: "user", content: task },
  ].map(indented);
  const parts = [Buffer.from(`{\n "info": ${indented(info)},\n "messages": [\n${first.join(",\n")}`)];
  for (let n = 0, size = 0; size < sizeBytes; n++) {
    const bytes = Buffer.from(`,\n${makeStep(text, n).map(indented).join(",\n")}`);
    parts.push(bytes);
    size += bytes.length;
  }
  parts.push(Buffer.from('\n ],\n "trajectory_format": "mini-swe-agent-1.1"\n}\n'));
  return Buffer.concat(parts);
}

function makeStep(text: SeededText, n: number): unknown[] {
  const id = `call_${n}`;
  const at = 1_767_312_000 + n * 4;
  const { command, output, code } = makeOrder(text, n);
  const said = {
    content: `THOUGHT: ${text.prose(2)}`,
    role: "assistant",
    tool_calls: [{ index: 0, function: { arguments: pythonJson({ command }), name: "bash" }, id, type: "function" }],
    function_call: null,
  };
  const response = {
    id: `reply-${n}`,
    created: at,
    model: "model-2",
    object: "chat.completion",
    choices: [{ finish_reason: "tool_calls", index: 0, message: said }],
    usage: { completion_tokens: 80, prompt_tokens: 9_000, total_tokens: 9_080 },
  };
  return [
    { ...said, extra: { actions: [{ command, tool_call_id: id }], response, cost: 0.004, timestamp: at } },
    {
      content: `<returncode>${code}</returncode>\n<output>\n${output}</output>`,
      extra: { raw_output: output, returncode: code, timestamp: at + 0.25, exception_info: "" },
      tool_call_id: id,
      role: "tool",
    },
  ];
}

function makeOrder(text: SeededText, n: number): { command: string; output: string; code: number } {
  const path = `src/${text.word()}_${text.word()}.py`;
  switch (n % 6) {
    case 0:
      return { command: `cd /testbed && cat ${path}`, output: `${text.lines(7_000, "code")}\n`, code: 0 };
    case 1: {
      const made = `cat > ${path} <<'EOF'\n${text.lines(2_000, "code")}\nEOF`;
      return { command: `cd /testbed && ${made}`, output: "", code: 0 };
    }
    case 2:
      return { command: "python -m pytest -q", output: `${text.lines(8_000, "log")}\n1 failed\n`, code: 1 };
    case 3:
      return { command: `grep -rn ${text.word()} src | head -n 5`, output: `${text.lines(300, "log")}\n`, code: 0 };
    case 4:
      return { command: `sed -i 's/${text.word()}/${text.word()}/' ${path}`, output: "", code: 0 };
    default:
      return { command: `ls src/${text.word()}`, output: `${text.word()}.py\n${text.word()}.py\n`, code: 0 };
  }
}

/** What a model writes as arguments: one line, with blanks behind colons. */
function pythonJson({ command }: { command: string }): string {
  return `{"command": ${JSON.stringify(command)}}`;
}

/** One message in the layout of `json.dumps(value, indent=1)`, escaped. */
function indented(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/^/gm, "  ");
}
