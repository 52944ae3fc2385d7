import type { About } from "../../adapter";

/** What people are told about rows of SWE-agent runs. */
export const aboutSweAgentRows: About = {
  name: "SWE-agent rows",
  extensions: [".json", ".jsonl"],
  description: "Rows of nebius/SWE-agent-trajectories, as JSON, JSON Lines or an answer of the hub's rows API.",
  source:
    "Save rows of the data set as JSON or JSON Lines, or save an answer of the hub's rows API as it is. Each row becomes a trajectory.",
  detectedBy:
    "Most rows have a `trajectory` whose messages all have a `role` and a `text` (0.95); rows may stand in `row` beside `row_idx`, as the rows API gives them.",
  agents: "One: the messages of role `ai`.",
  turns:
    "One message of role `ai` with the message of role `user` behind it, which is what the command answered. A message without a block of code is a turn too; what the harness says to it is its result.",
  sourceSteps:
    "`step`, the 0-based number among the messages of role `ai`, by which labels of this data set count; `message`, the 0-based index in `trajectory`.",
  read: "The last closed block of code of a message is its command, the words around it are the message. The prompt at the end of an answer (`(Open file: ...)`, `(Current directory: ...)`) says what is open and where the shell stands when the next command runs.",
  notRead:
    "`mask` and `cutoff_date` are about training; they stay in the raw record. Columns that say how the run was judged are kept out of the trace.",
  details: [
    "**Context.** `system_prompt` is the system prompt; the first message of role `user` is the task, of which the statement is what stands between `ISSUE:` and `INSTRUCTIONS:`. A demonstration in front of it is a demonstration.",
    "**Success.** What the commands say themselves: a rejected edit has failed and changes nothing. The rows hold no exit codes.",
    "**Failure context.** `target` says whether the run solved the task, `generated_patch` is what it delivered, `eval_logs` is the log of its tests: the error report of a run that failed. A row can be many megabytes because of it.",
  ],
};
