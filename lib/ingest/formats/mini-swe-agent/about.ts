import type { About } from "../../adapter";

/** What people are told about runs of mini-SWE-agent. */
export const aboutMiniSweAgent: About = {
  name: "mini-SWE-agent",
  extensions: [".traj.json"],
  description: "Runs of mini-SWE-agent 1.x and 2.x: lists of messages, and objects with `info`.",
  source:
    "mini-SWE-agent writes one `.traj.json` file a run: `mini -o run.traj.json`, or a folder a task of its benchmark runs.",
  detectedBy:
    "An object whose `trajectory_format` starts with `mini-swe-agent`, or with `messages` beside `info.mini_version` (0.95); messages with `extra.actions` and `extra.raw_output` (0.9); messages of which most hold exactly one `bash` or `mswea_bash_command` block, with prompts that name the line for handing in (0.9) or with `<returncode>` answers (0.8); such prompts without any message of the agent (0.8).",
  agents: "One: the model. The harness writes prompts, answers, format-error notices and the end of the run.",
  turns:
    "One message of the agent (`assistant`, or a reply of the Responses API) with the calls in it, also several at once, and their results.",
  sourceSteps:
    "`messages`, the 0-based index: of the agent's message and of the answers to it; context items carry theirs.",
  read: "`reasoning_content` is a thought, and so is what the agent writes beside its action; words without an action are a message. A tool call, or the one block of a text, is a call of `bash`. `extra.raw_output` is the result, whole also where the agent saw it without its middle; `returncode` is its exit code. Tokens and cost are taken once a message. `info` gives model, version, working directory, how the run ended, and the delivered patch. What else stands in the file beside the messages is one item of context at its end.",
  notRead:
    "`extra.response` repeats the message (a note counts these, and those that differ); `extra.actions` repeats the tool calls (an action that no call orders is a call of its own). Fields of messages that are not known are noted and stay in the raw record. Pictures are named with type and size, and counted in a note with what a provider signs or hides of the reasoning.",
  details: [
    "**Handing in** is a command that prints the line `COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT` (or the older ones, `MINI_SWE_AGENT_FINAL_OUTPUT` and `MICRO_SWE_AGENT_FINAL_OUTPUT`): a call of kind submit. The `exit` message, or the last message of a list, is its result. `info.submission`, else that result, is the delivered patch when it is a patch.",
    "**No turn** is made of a run that the model never answered (`InternalServerError`, `LimitsExceeded`, ...): it has a task, an end and no turns. `traceback` stands with the `exit` message as context.",
    "**Format errors.** An answer without exactly one action is a turn without a call; the notice behind it is context. Versions that keep the answer only inside the notice (`extra.model_response`, `extra.response`) give the same turn.",
    "**Persons.** What a person types into a run (`UserInterruption`, `UserRejection`, `UserNewTask`, commands in human mode) is context of a person; what their commands change is not followed, and a note says so.",
    "**Shell.** Every command starts in a new shell in the folder that `info.config.environment.cwd` names: a `cd` ends with its call.",
    "**Success.** An exit code of 0 is no error; another one stands as it is, because a search that finds nothing has one too. A command that timed out or could not run is an error.",
    "**Reads** come from the output of `cat`, `cat -n`, `nl -ba`, `head`, `tail -n +N` and `sed -n 'A,Bp'` of one file, when the command succeeded and nothing of its output is missing. mini-SWE-agent gives carriage returns before a line feed away, so a file with such line endings is shown without them.",
    "**Times** are seconds since 1970, given as UTC. A cost of zero is not measured, not free.",
  ],
};
