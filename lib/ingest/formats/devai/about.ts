import type { About } from "../../adapter";

/** What people are told about trajectories of DevAI. */
export const aboutDevAi: About = {
  name: "DevAI",
  extensions: [".json"],
  description: "Trajectories of the DevAI benchmark: steps of OpenHands and other agents with their tokens.",
  source: "The trajectories that are published with the benchmark DevAI, one file a task and agent.",
  detectedBy:
    "A list of which half or more are steps: `step`, `agent` with `thought` and `action`, `environment` (0.9).",
  agents: "Each name in `agent.agent_name`; one where no step has a name.",
  turns:
    "One step: the agent's thought, its action and the answer of the environment. A step without an action is a turn too.",
  sourceSteps: "`step`, the number that the step has, 0-based.",
  read: "`thought` is a thought, or a message where there is no action. An action is a call: `Running command: ...` one of the tool `run`, `Running Python code interactively: ...` one of `run_ipython`; any other is a call `action` with its text. `environment` is its result. Tokens and cost of each step, and the time of the whole, are counted.",
  notRead: "`accumulated_usage` but for its time: it repeats the sums. Other fields of a step stay in the raw record.",
  details: [
    "**Words of a person** (`user_message`) stand before the step that they came with; the first are the task.",
    "**Files** follow from the skills that early OpenHands called in its notebook (`edit_file_by_replace`, `insert_content_at_line`, ...) and from the windows that they answer with.",
    "**Success** of a command is not told: there are no exit codes.",
  ],
};
