import type { About } from "../../adapter";

/** What people are told about runs of OpenHands. */
export const aboutOpenHands: About = {
  name: "OpenHands",
  extensions: [".json", ".jsonl"],
  description: "Runs of OpenHands: V0 and OpenDevin events, SDK (V1) conversations, evaluation rows.",
  source:
    "V0 writes a trajectory where `save_trajectory_path` says, and offers it for download in its interface; the SDK keeps a conversation as a folder with `base_state.json` and `events/`, and its server answers with `items`; the benchmarks write `output.jsonl`, one row a task.",
  detectedBy:
    "Rows with `instance_id` and a `history` of events, or with an empty one beside `metadata` and `instruction` or `test_result` (0.95); a folder `events` with one event a file (0.95); a list, or a list in `history`, `trajectory`, `entries`, `items` or `events`, of which most are actions (`action`), observations (`observation`) or events of the SDK (`kind`): 0.9 with their marks (`source` with `args` or `extras`, `kind`), less without. Texts that Python prints of events (0.7). Not: SWE-agent's steps, which hold action and observation in one.",
  agents:
    "The main agent, named by `agent_class` where an evaluation tells it, and each agent that it delegates to with the action `delegate`: all between that action and the observation `delegate`.",
  turns:
    "One response of the model: actions of the agent that follow each other with the same `model_response.id` (V0) or `llm_response_id` (SDK), also when observations stand between them. An action without one is a turn of its own. Messages of the agent are turns too.",
  sourceSteps:
    "`event`, the 0-based place in the list of all events (in a folder the number in the file's name), or `line`, the 1-based line; `id`, the number that V0 gives an event. Actions and their observations both count.",
  read: "`thought` and the model's reasoning are thoughts; the task tracker's list is a plan beside its call; the closing words of `finish` are a message beside its call. A call has the tool's name as the model knows it (`function_name`, `tool_name`), else the action's; of the SDK's calls the arguments as the model gave them, and where the tool carried out other values, those. An observation is the result of the action that `cause`, `action_id` or the call's identifier names. `old_content`, `new_content` and `diff` are recorded file contents; views with line numbers are reads. Variants: `V0 events`, `V0 events in pairs`, `V1 events`, `V1 conversation`, `V0 evaluation`, `V1 evaluation`, each also `with sub-agents`.",
  notRead:
    "Screenshots and other pictures are named with type and size, and counted. The reply of the model that V0 repeats on every event is read once. Logs of requests (`LLMCompletionLogEvent`) are named only. What an evaluation's data set knows of the solution is kept out of the trace. Files of a conversation's folder that are no events, but for `base_state.json`, are noted.",
  details: [
    "**Several runs.** Each row of `output.jsonl` is a trajectory of its own, also one with an empty history; a folder with several conversations gives one for each.",
    "**Tokens** are counted once a response: by the reply of the model, or by `token_usages` with the same `response_id`. Totals are the accumulated ones where the run states them (`llm_metrics`, `metrics`, `stats`); a cost of zero is not measured, not free.",
    "**Failure.** `report.resolved`, `resolved`, a yes or no in `test_result`, or all points of `final_score` reached give the outcome; checkpoints and flags are verification; `error`, `traceback` and `test_output` are the error report; `patch` and `test_patch` of the instance are the reference and the failing tests. They stand apart from the trace.",
    "**Context.** System prompts, what skills and microagents add, recalled knowledge, condensations (the events that the model no longer sees stay in the trace) and the run's own books: changes of state, which are one item while they follow each other.",
    "**Success.** An exit code of 0 is no error; another one stands as it is, because a search that finds nothing has one too. -1 means that there was none.",
    "**Terminal.** A terminal shows tabs as spaces and drops blanks at the end, so its output is no evidence of what a file holds; only views of the editor and windows of the early skills are.",
    "**Sub-agents of the SDK** have conversations of their own, which the conversation that started them does not hold: their reports are results of the call.",
    "**Times** have no zone and are given as they are. Texts that Python prints of events (`MessageEvent(id=...)`) are not taken apart: each is shown as it stands.",
  ],
};
