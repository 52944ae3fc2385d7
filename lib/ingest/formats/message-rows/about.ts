import type { About } from "../../adapter";

/** What people are told about rows with messages. */
export const aboutMessageRows: About = {
  name: "Data set rows with messages",
  extensions: [".json", ".jsonl"],
  description: "Rows of SWE-Gym, SWE-rebench, SWE-smith and their like, as JSON, JSON Lines or the hub's answer.",
  source:
    "Save rows of the data set as JSON or JSON Lines, or save an answer of the hub's rows API as it is. Each row becomes a trajectory.",
  detectedBy:
    "Most rows have `messages` or `trajectory`, a list or the JSON text of one, of messages with a role, beside a column of a data set such as `instance_id`, `trajectory_id` or `resolved` (0.9); rows may stand in `row` beside `row_idx`, as the rows API gives them. Messages without such a column are chat messages.",
  agents: "One: the messages of role `assistant`.",
  turns:
    "One message of the agent with what answers it. Calls that one message makes are one turn. What stands in the person's role behind a call that waits is its answer and never a task.",
  sourceSteps:
    "`message`, the 0-based index in the list; `call`, the 0-based number of each call of the run, by which labels of these data sets count: a turn that calls twice has two, one that calls nothing has none.",
  read: "`tool_calls`, whose arguments are JSON text or an object; the older `function_call`; calls that the text writes as `<function=name>` with `<parameter=name>`, where the line break inside a parameter's marks is markup; the one command in a block of code where an answer that begins with `OBSERVATION:` follows. `reasoning_content` is a thought. Numbered views of `str_replace_editor` tell what is in a file.",
  notRead:
    "Pictures are named and not shown. Parts and roles of unknown kinds stay in their place with their source and are counted. Columns that say how the run was judged are kept out of the trace.",
  details: [
    "**Context.** `system` messages are system prompts, wherever they stand: runs of Moatless have one for each of its states. The first message of a person is the task; later ones that answer no call were put there by the harness, as nobody sits at these runs.",
    "**Success.** The exit code that a shell states at the end of its answer, and what the editor says itself; an answer that does not say is neither. The folder that an answer states is where the shell stands afterwards.",
    "**Failure context.** `resolved` or `target` say whether the task was solved. `model_patch`, `generated_patch`, `git_patch`, or `patch` in rows that hold nothing about the task, is what the run delivered; `patch` beside columns of the task is the reference. `test_result` gives its flags and, as its last text, the log of the tests; shares such as `gen_tests_correct` are kept with their value, and are a verdict only at 0 and 1.",
    "**Cut cells.** The hub's viewer cuts long cells; what it says that it has cut is noted.",
  ],
};
