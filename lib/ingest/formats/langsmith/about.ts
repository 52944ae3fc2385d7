import type { About } from "../../adapter";

/** What people are told about LangSmith. */
export const aboutLangSmith: About = {
  name: "LangSmith",
  extensions: [".json", ".jsonl"],
  description: "Runs of LangSmith: one with its child runs, a list of them, or lines.",
  source:
    "A run that the client or the API returns, for example of `client.list_runs(trace_id=...)`, dumped as JSON: one with `child_runs`, a list, or a line each; an export in bulk as JSON Lines.",
  detectedBy:
    "Most of the first runs say a `run_type` such as `chain`, `llm` or `tool` beside an `id` or a `name` (0.95).",
  agents:
    "The trace's root, and whoever asks a model below a run of a tool: a sub-agent, under the `subagent_type` of its call or the name of the tool.",
  turns:
    "One run of type `llm`: its answer, with its calls and their results. In a trace without such runs, one message of the model in the outputs of the root.",
  sourceSteps: "`run`, the `id` of the run.",
  read: "`inputs` and `outputs` in all forms: `messages` plain or as constructors of LangChain (`lc`), `generations`, `choices`, a `message` or an `output`. Runs of tools give their calls results, errors and durations. The model is `ls_model_name`. The variants are `run` (a single one) and `trace`.",
  notRead:
    "Inputs and outputs that were put elsewhere (`s3_urls`): a note counts the runs. Messages as pairs of a role and a text stay in the runs' own entry.",
  details: [
    "**Repetition.** Every prompt repeats the conversation so far: a message is shown once for each agent, by its id, the identifiers of its calls, or what it says.",
    "**Order.** Runs stand where `dotted_order` puts them, else by the time at which they began; one that is listed and nested counts once. Parents that are missing or lead in circles make a run a root.",
    "**Tokens.** A turn has those of its message (`usage_metadata`), else of its run. The root says the sum of all runs: it is the total, and never added to them. Costs are read from the texts that they are written as.",
    "**Several traces** in one file become a row each.",
    "**Other fields.** All runs with what they hold besides messages are one item of context, a line a run.",
  ],
};
