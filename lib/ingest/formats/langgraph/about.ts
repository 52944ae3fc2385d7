import type { About } from "../../adapter";

/** What people are told about LangGraph and Deep Agents. */
export const aboutLangGraph: About = {
  name: "LangGraph and Deep Agents",
  extensions: [".db", ".sqlite", ".json", ".jsonl"],
  description: "Checkpoint databases (SqliteSaver) and states of LangGraph, with Deep Agents' files.",
  source:
    "A database that `SqliteSaver` writes, with its `-wal` file where there is one; or a state as JSON: `graph.get_state(config).values`, what the server answers at `/threads/<id>/state` or `/history`, or the values that `graph.stream` prints, a line each.",
  detectedBy:
    "A database with tables `checkpoints` and `writes` (0.95). JSON: a state with `values.messages` or `messages`, or a list of messages, of which most say `type: human`, `ai` or `tool`, or are constructors of LangChain (0.9). Messages that say `role` are not claimed.",
  agents:
    "The graph itself, and each graph inside of it that says something of its own (`checkpoint_ns`): a sub-agent of Deep Agents under its `subagent_type`, any other under the name of its node.",
  turns:
    "One message of the model (`ai`) with its calls and their results. Messages of the person, of the system and summaries stand between turns.",
  sourceSteps:
    "`step`, the number of the checkpoint at which the turn was first there; none in a state without metadata.",
  read: "Messages in all serialisations: msgpack (its constructors are described, never run), JSON with `lc`, plain. `content` is the message, its `thinking` and `reasoning` parts are thoughts, `tool_calls` are calls. `write_todos` is a plan beside its call. Tokens come from `usage_metadata`, once a message. The variants are `checkpoints` (a database), `states` (several) and `state`.",
  notRead:
    "Pickles, which could only be read by running them, and encrypted values: each is counted. The counters of channels (`channel_versions`, `versions_seen`). Other tables of the database are counted by their rows.",
  details: [
    "**Repetition.** Every checkpoint holds all messages before it; each message is shown once, where it first was. The newest may only be in `writes`: they are read as the reducer `add_messages` would.",
    "**Replaced and removed.** A message with the same `id` takes the place of the old one, which stays on a branch `replaced`; a message taken from the end of the state stays on a branch `removed`. What is taken out while later messages stay (trimming, a summary) stays where it was, and a note counts it. Checkpoints that a fork left behind are on branches of their own.",
    "**Write-ahead log.** `SqliteSaver` writes with one, and what it wrote last may stand in `<name>-wal` only. Drop both files together, or their folder or an archive of it: the database is read as SQLite would find it. A database whose log is not there is read alone, and a note says so.",
    "**Postgres and other servers.** What `PostgresSaver` (or one for Redis, MongoDB) keeps is rows of a server, in tables of other shapes, and no file. Write the state as JSON instead, `json.dump(langchain_core.load.dumpd(graph.get_state(config).values), file)`, or save what the LangGraph server answers at `/threads/<id>/history`.",
    "**Several threads** in one database, or states of several runs in one file, become a row each.",
    "**Sub-agents** are linked to the call that started them by the task that their namespace names, or by the words that they begin with.",
    "**Files.** The channel `files` is compared from checkpoint to checkpoint: what changed is recorded with the result of the call that wrote it, before and after. What no call explains is shown as context. In a single state only what the last write left is known.",
    "**Rows.** Places in a database are `table/row`; what a checkpoint holds besides messages and files is one item of context with a line a row.",
  ],
};
