import type { About } from "../../adapter";

/** What people are told about ATIF. */
export const aboutAtif: About = {
  name: "ATIF",
  extensions: [".json", ".jsonl", ".zip"],
  description: "Agent Trajectory Interchange Format v1.0 to v1.7, as Harbor and Terminal-Bench write it.",
  source:
    "Upload `trajectory.json`, or the folder of a trial (an archive of it) with `result.json`, continuations and sub-agents. A list of trajectories, or one a line, becomes several.",
  detectedBy:
    "`schema_version` starts with `ATIF-v` in the document or in most of the records (0.95); an archive is claimed when such a trajectory stands with other files of its trial, or names others (0.9).",
  agents: "The one whose trajectory it is, and each sub-agent whose trajectory stands inside or beside it.",
  turns:
    "One step of source `agent`. Converters write a step for each block of one answer: steps with the same response are one turn, as are steps without tokens that only say `Executed ...` behind one that states the tokens. A step without any words and calls is one with the next.",
  sourceSteps:
    "`step_id`, as the file numbers its steps from 1; of a continuation it is `continuation 1:` and the number, of a sub-agent its name here and the number.",
  read: "Messages as text or parts, reasoning, calls with their arguments, results by `source_call_id`, metrics, and the working directory that converters keep. Where a converter kept what Claude Code recorded of a tool, the contents of files are taken from it, and its own words behind an answer are left out.",
  notRead:
    "Pictures are named and not shown. Token ids, log probabilities and what `extra` holds besides stay in the raw record.",
  details: [
    '**terminus-2.** Its messages are JSON, or tags (`<response>` with `<analysis>`, `<plan>`, `<commands>` and `<keystrokes duration="...">`, whose text is typed to the letter): analysis is a thought, plan a plan, each entry of `commands` a call `keystrokes`, and `task_complete` a call. Words around them are a message. What is typed counts as a command line of a shell only where that is certain: a whole line, into a shell that waits, without keys that edit it. After anything else the files that it names are unknown.',
    "**Continuations.** Steps with `is_copied_context` are no turns: they are context, and left out where the earlier part stands beside them. `continued_trajectory_ref` is followed inside an archive; a missing one is noted. The last part states the tokens of the whole run.",
    "**Sub-agents** are found by `trajectory_id` among the embedded ones, by `trajectory_path` among the files, before v1.7 also by `session_id`. Their turns stand behind the turn that started them. Each is read once, whatever refers to it.",
    "**Results** without an identifier, without content, for a call of another step or for none are kept. Of several calls with one identifier each gets its own result, in order.",
    "**Failure context.** `result.json` gives the rewards (1 is solved, 0 is failed, what lies between is no verdict) and the exception; `exception.txt`, `reward.txt` and the tests' output beside it are read too. Without these files the trajectory's own `extra` counts.",
    "**Usage** is what a step states, once an answer; the totals are those of `final_metrics`, else the sum.",
  ],
};
