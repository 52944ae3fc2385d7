/**
 * A SWE-agent trajectory of `turns` turns of a few hundred characters each, in which every 37th writes a file and every
 * 53rd runs tests. `marker` makes its bytes its own. Turn n, from 1, holds `textOfTurn(n)`.
 */
export function makeLongRun(turns: number, marker: string): string {
  const trajectory = Array.from({ length: turns }, (_, i) => {
    const step = stepOf(i);
    return { ...step, response: step.thought, execution_time: 0.2, state: { working_dir: "/work/notes" } };
  });
  const task = { role: "user", content: [{ type: "text", text: "Go through all notes." }], agent: "main" };
  return JSON.stringify({
    trajectory,
    history: [{ ...task, message_type: "observation" }],
    info: { swe_agent_version: "1.1.0", exit_status: "submitted", submission: "", model_stats: {} },
    replay_config: null,
    environment: marker,
  });
}

/** What stands in turn n (from 1) of such a run and nowhere else. */
export function textOfTurn(n: number): string {
  return `This is step ${n} of the work.`;
}

function stepOf(i: number): { thought: string; action: string; observation: string } {
  const thought = `${textOfTurn(i + 1)} The notes before it were about something else.`;
  if (i % 37 === 20) {
    const path = `/work/notes/part_${i % 5}.py`;
    const action = `str_replace_editor create ${path} --file_text 'PART = ${i}\n'`;
    return { thought, action, observation: `File created successfully at: ${path}\n` };
  }
  if (i % 53 === 30) {
    return { thought, action: "python -m pytest -q", observation: `${i % 2 ? "1 failed, " : ""}3 passed in 0.1s\n` };
  }
  const observation = `note ${i}: nothing of interest on this page\n`.repeat(1 + (i % 4) ** 3);
  return { thought, action: `sed -n ${i + 1},${i + 5}p notes.txt`, observation };
}
