import { SeededText } from "./seeded-text";

/** A run that edits one file again and again, and how many bytes its edits say. */
export interface ManyEdits {
  bytes: Buffer;
  /** The texts that the edits take out and put in. */
  editBytes: number;
}

/**
 * A SWE-agent 1.x `.traj`: the first step creates a file of about `fileBytes`, each of the others replaces one of its lines,
 * which no other line equals, by a new one.
 */
export function makeManyEdits({
  fileBytes,
  edits,
  seed,
}: {
  fileBytes: number;
  edits: number;
  seed: number;
}): ManyEdits {
  const text = new SeededText(seed, 0);
  const path = "/testbed/src/large.py";
  const lines: string[] = [];
  for (let size = 0; size < fileBytes; ) {
    const line = `value_${lines.length} = "${text.word()} ${text.word()} ${text.word()}"`;
    lines.push(line);
    size += line.length + 1;
  }
  const created = `str_replace_editor create ${path} --file_text '${lines.join("\n")}\n'`;
  const steps = [step(created, `File created successfully at: ${path}`)];
  let editBytes = 0;
  for (let n = 0; n < edits; n++) {
    const at = text.number(lines.length);
    const before = lines[at] ?? "";
    const after = `value_${at} = "${text.word()} ${text.word()} edit ${n}"`;
    lines[at] = after;
    editBytes += before.length + after.length;
    const action = `str_replace_editor str_replace ${path} --old_str '${before}' --new_str '${after}'`;
    steps.push(
      step(action, `The file ${path} has been edited. Here's the result of running \`cat -n\` on a snippet.\n`),
    );
  }
  const document = {
    trajectory: steps,
    history: [],
    info: { swe_agent_version: "1.1.0", exit_status: "submitted", submission: null },
    environment: "bench__bench-2",
  };
  return { bytes: Buffer.from(JSON.stringify(document)), editBytes };
}

function step(action: string, observation: string) {
  const state = { working_dir: "/testbed", open_file: "n/a", diff: "" };
  return { action, observation, response: action, thought: "", execution_time: 0.1, state, query: [], extra_info: {} };
}
