import { SeededText } from "./seeded-text";

/** Characters of an observation, in turn: their mean is 5,400, near the 5,831 characters a step of RootSE (its Table 1). */
const OBSERVATION_CHARS = [200, 900, 12_000, 2_400, 600, 16_000];

/** A failed SWE-agent run of `turns` turns whose observations are as long as those of RootSE: listings, logs and tests. */
export function makeInvestigatedRun({ turns, seed }: { turns: number; seed: number }): Buffer {
  const text = new SeededText(seed);
  const trajectory = Array.from({ length: turns }, (_, i) => {
    const thought = `${text.prose(2)} (${i + 1})`;
    const step = { thought, response: thought, execution_time: 0.2, state: { working_dir: "/testbed" } };
    if (i % 7 === 4) {
      const path = `/testbed/src/part_${i}.py`;
      const action = `str_replace_editor create ${path} --file_text 'PART = ${i}\n'`;
      return { ...step, action, observation: `File created successfully at: ${path}\n` };
    }
    const chars = OBSERVATION_CHARS[i % OBSERVATION_CHARS.length] ?? 0;
    const log = text.lines(chars, i % 2 === 0 ? "code" : "log");
    const summary =
      i % 5 === 3 ? "\nFAILED tests/test_part.py::test_one - AssertionError\n1 failed, 3 passed in 0.31s\n" : "\n";
    return {
      ...step,
      action: i % 5 === 3 ? "python -m pytest -q" : `cat src/part_${i}.py`,
      observation: `${log}${summary}`,
    };
  });
  const task = {
    role: "user",
    content: [{ type: "text", text: "Fix the parts: each has to name itself." }],
    agent: "main",
  };
  const info = { swe_agent_version: "1.1.0", exit_status: "submitted", submission: "", model_stats: {} };
  const history = [{ ...task, message_type: "observation" }];
  return Buffer.from(JSON.stringify({ trajectory, history, info, replay_config: null, environment: "main" }));
}
