import type { About } from "../../adapter";

/** What people are told about CodeTracer's steps. */
export const aboutCodeTracer: About = {
  name: "CodeTracer steps",
  extensions: [".json"],
  description: "CodeTracer's `steps.json`: a run of any agent as numbered actions and observations.",
  source:
    "CodeTracer writes `steps.json` beside each run that it normalises; the labels of CodeTraceBench count by these steps.",
  detectedBy: "A list of which most elements have `step_id`, `action` and `observation` (0.95).",
  agents: "One: whoever acted.",
  turns: "One step, with its observation.",
  sourceSteps: "`step_id`, the step's own number, from 1 on.",
  read: "`action` is read as a command line; where it holds a block of code, the block is the command and the words around it are a message. `<returncode>` at the head of an observation is the exit code. `thinking` is a thought.",
  notRead:
    "`action_ref` and `observation_ref` say where in the run's own files a step stands, and repeat it: they stay in the raw record, but for an action that is empty. `task.md` beside the file is not read.",
  details: [
    "**Labels.** They stand in the manifest of CodeTraceBench; `misstep evaluate --labels` joins them by the name of the folder that `steps.json` stands in.",
    "**Other agents.** CodeTracer writes commands, code and keystrokes of every agent into the same field. What is no command line changes no file that can be followed.",
  ],
};
