import { createHash } from "node:crypto";

/** A small SWE-agent 1.x trace in the shape of the real ones, of any length. Different seeds give different bytes. */
export function makeTrace(seed: string, turns: number, over: { observationChars?: number } = {}): Uint8Array {
  const state = { working_dir: "/testbed", open_file: "", diff: "" };
  const steps = Array.from({ length: turns }, (_, i) => {
    const path = `/testbed/pkg/part_${i % 3}.py`;
    const action =
      i % 2 === 0
        ? `str_replace_editor create ${path.replace(".py", `_${i}.py`)} --file_text 'value = ${i}\nseed = "${seed}"\n'`
        : "python -m pytest -q";
    const text = createHash("sha256").update(`${seed} ${i}`).digest("hex");
    const observation =
      i % 2 === 0
        ? `File created successfully at: ${path.replace(".py", `_${i}.py`)}`
        : text.repeat(Math.ceil((over.observationChars ?? 64) / text.length));
    return {
      action,
      observation,
      response: `Step ${i}.\n\n${action}`,
      thought: `Step ${i}.`,
      state,
      execution_time: 0.1,
    };
  });
  const history = [
    { role: "system", content: "You fix bugs.", agent: "main", message_type: "system_prompt" },
    { role: "user", content: `Fix the bug of ${seed}.`, agent: "main", message_type: "observation" },
  ];
  const info = { exit_status: "submitted", submission: null, model_stats: { tokens_sent: 10, tokens_received: 5 } };
  return new TextEncoder().encode(JSON.stringify({ environment: "main", trajectory: steps, history, info }));
}

/** JSON Lines of chat conversations that do not continue each other, one a line. A null stands for a line that is none. */
export function makeConversations(names: readonly (string | null)[]): Uint8Array {
  const lines = names.map((name) => {
    if (name === null) return '{"messages": [{"role": "user", "con';
    const messages = [
      { role: "user", content: `Fix the bug of ${name}.` },
      { role: "assistant", content: `I look into ${name}.` },
      { role: "user", content: "Go on." },
      { role: "assistant", content: `${name} is fixed.` },
    ];
    return JSON.stringify({ id: name, messages });
  });
  return new TextEncoder().encode(`${lines.join("\n")}\n`);
}
