import type { About } from "../../adapter";

/** What people are told about SWE-agent's trajectories. */
export const aboutSweAgent: About = {
  name: "SWE-agent",
  extensions: [".traj"],
  description: "Trajectories of SWE-agent 0.x and 1.x, with or without their history.",
  source: "SWE-agent writes one `.traj` file a run, in the folder `trajectories/`.",
  detectedBy:
    "An object whose `trajectory` holds steps with `action` and `observation` (0.95); or whose `history` holds messages with `agent` and `message_type` or `thought` (0.8, files without steps); or an empty `trajectory` beside `info` (0.7). It is 1.x when `info.swe_agent_version` or a step's `query` is there, else 0.x.",
  agents: "One: the model. The harness writes prompts, format-error notices and the end of the run.",
  turns: "One element of `trajectory`; without steps, one assistant message of `history`.",
  sourceSteps: "`trajectory`, the 0-based index; context and history-only files: `history`, the 0-based index.",
  read: "`thought` is a thought. `response` is a message when it says more than the thought and the action that were taken from it. `action` is a call, with its text as written; `observation` is its result. The variant says what is inside, for people: `0.x windowed`, `0.x xml cursors`, `1.x function calling editor`.",
  notRead:
    'Each step\'s `query` (or `messages`) repeats the prompt so far, 70 to 90 % of the bytes; a note counts them. Messages of `history` that repeat a step are not shown again, nor the template around an observation ("Your command ran successfully and did not produce any output", the prompt line); what differs is kept. Fields of a step that are not read are noted and stay in the raw record.',
  details: [
    "**Arguments** come from `tool_calls` in `history`, matched to steps in order. Without a history, `str_replace_editor` actions are split as a shell would. Other actions stay text.",
    "**State.** A JSON string is the state before the action, an object the state after it. `diff` is the cumulative `git diff`; it lags and omits untracked files.",
    "**No turn** is made of a step in which the harness ended the run (`exit_cost`, `Exit due to ...`); it is context with its source step. When the agent's last words stand in such a step (`exit_format`), they are a turn.",
    "**An empty action** is a format error: the turn has a thought or message and no call.",
    "**Submitting.** A first `submit` may be answered with a review checklist; both calls are kept and a note says so. `info.submission` is the delivered patch when it is a patch (line endings of a terminal are undone, with a note), else context: a flag of a capture-the-flag run is no patch.",
    "**Totals** come from `info.model_stats`; a run that counted no tokens has none, not zero.",
    '**Success.** `isError` follows the tool\'s own words ("No replacement was performed", "introduced new syntax error"). A shell command has no exit code in these files, so nothing is said about it.',
    "**Reads** come from windows of `open`, `goto`, `scroll_*` and successful edits, and from the numbered views of `str_replace_editor`. That tool shows tabs as spaces; a file with tabs is shown as the tool showed it.",
  ],
};
