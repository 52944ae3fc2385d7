import type { About } from "../../adapter";

/** What people are told about rows of labelled failures. */
export const aboutLabelledSteps: About = {
  name: "Labelled failures",
  extensions: [".jsonl", ".json"],
  description: "Rows of failed runs with the step that somebody said decided them, for evaluation.",
  source:
    "One JSON object a line: `dataset`, `split`, `id`, `task`, `steps` and `gold_step`, and what is known besides (`gold_reason`, `gold_actor`, `label_origin`, `reference`, `model`). Each row becomes a trajectory; the file as a whole is what `misstep evaluate` scores.",
  detectedBy:
    "Most rows have a `gold_step` (which may be null) beside `steps`, most of them objects with `i` and an `action` or a `text` (0.95).",
  agents:
    "Everybody whom a step names by `actor`. Not an agent: the person (`human`, `user`) and the terminal that runs code (`Computer_terminal`), which has no model.",
  turns:
    "One step of an agent, with its thought, its action and its observation, or with its text. What the terminal answers belongs to the turn that wrote the code.",
  sourceSteps: "`i`, the number that the step itself carries and `gold_step` counts by, from 0 on.",
  read: "Steps have `action`, `args`, `target`, `thought` and `observation`, or `role` and `text` (variants `actions` and `texts`). `str_replace_editor.view` is a call of that editor; an action with a `command` is that command line (`edit`, `open`, `create`, or a shell's); any other is a call of a tool of its name. `target` is the file that an `edit` works on.",
  notRead: "`gold_*`, `label_origin`, `confident`, `exclusion` and `reference` are kept out of the trace.",
  details: [
    "**Labels.** `gold_step`, `gold_reason` and `gold_actor` are the label, with the definition that its data set goes by (a point of no return, an earliest decisive error) and who gave it. A row whose `gold_step` is null has none; why is its `exclusion`.",
    "**Cut texts.** Arguments that end in `…` or in `…[+452 chars]` were cut by whoever wrote the file. The call is marked: the write counts, and what it wrote is not known. Where the cut took the path away, `target` is it.",
    "**Reference.** A patch is the reference patch; any other reference is a verification without an outcome.",
  ],
};
