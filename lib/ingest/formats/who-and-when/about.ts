import type { About } from "../../adapter";

/** What people are told about records of Who&When and lists of Magentic-One. */
export const aboutWhoAndWhen: About = {
  name: "Who&When and Magentic-One",
  extensions: [".json", ".jsonl"],
  description: "Runs of several agents with a label on the decisive mistake, and lists of Magentic-One.",
  source:
    "The data set Who&When holds one JSON file a run, in a hand-crafted and an algorithm-generated half; AgentRx keeps runs of Magentic-One as lists of the same rows without labels.",
  detectedBy:
    "An object with a list `history` and `mistake_agent` or `mistake_step`, or with a `question` beside rows of Magentic-One; a list or lines of such objects; a list or lines with roles such as `Orchestrator (thought)` (0.95).",
  agents:
    "Everybody whom a row names, by `name`, else by the role without what stands in brackets: `Orchestrator`, `WebSurfer`, `FileSurfer`, `Assistant`, the experts. Not an agent: the person (`human`) and the terminal that runs code (`ComputerTerminal`, `Computer_terminal`), which has no model.",
  turns:
    "One row of an agent. The orchestrator's `(-> X)` and `Next speaker X` are carried out from the ledger before them and belong to its turn; what the terminal answers belongs to the turn that wrote the code, and arrives later.",
  sourceSteps:
    "`history`, the 0-based place in `history`, as `mistake_step` counts; for a list without a record `messages`, the 0-based place in it. Every row counts, also the person's first one and those of the terminal.",
  read: "`Orchestrator (-> X)` is a handoff, `(thought)` a thought, the plans among them plans. Blocks of code that the terminal ran are calls, its message their result with the exit code. A block whose first line says `# filename: x.py` was saved under that name; shell blocks are read as command lines. Variants: `hand-crafted`, `algorithm-generated`, `Magentic-One list`.",
  notRead:
    "Screenshots stand in these files as `<Image>` only. What the web and file surfers did is told in prose and not taken apart.",
  details: [
    "**Labels.** `mistake_agent`, `mistake_step` (a text) and `mistake_reason` are a label on a step; `ground_truth` is a verification, and `is_correct` or `is_corrected` the outcome. They stand apart from the trace.",
    "**First message.** In the algorithm-generated half the first row is said by an expert although it holds the task, and labels fall on it: it is a turn of that expert, and the `question` of the record is the task.",
    "**Several blocks.** The terminal stops at the first block that fails. An exit code of 0 speaks for all of them; of a failure it is not told whose it was, so only the first block's file is known, and those of the others are not.",
    "**The same code again.** The terminal runs the last code that it finds, also a second time: each run is a call of the turn that wrote it.",
    "**End.** `Orchestrator (termination condition)` is the log's last part: its first line is how the run ended, all of it is context.",
  ],
};
