import type { About } from "../../adapter";

/** What people are told about sessions of Claude Code. */
export const aboutClaudeCode: About = {
  name: "Claude Code",
  extensions: [".jsonl"],
  description: "Session files of Claude Code, with sub-agents, rewinds and compactions.",
  source:
    "Claude Code keeps every session as `~/.claude/projects/<project>/<session>.jsonl`; newer versions keep each sub-agent's session in a file of its own beside it.",
  detectedBy:
    "Lines of type `user` and `assistant` with a `message`, most of them with `uuid`, `parentUuid`, `sessionId` and `isSidechain` (0.95), some (0.85) or none (0.6). Not: stream output (`parent_tool_use_id`, `system` with `init`), Qwen Code (`parts`), iFlow (`response-` identifiers).",
  agents:
    "The main thread, and each sub-agent: lines with `isSidechain`, told apart by `agentId` or by their tree. A file in which all messages are of a sub-agent is that agent's own file.",
  turns:
    "One message of the API: all lines of a thread with the same `message.id` and `requestId`. A line without an id is a turn of its own.",
  sourceSteps: "`line`, the 1-based line numbers of the file; one turn has several.",
  read: "`thinking` is a thought, `text` a message, `tool_use` a call, `tool_result` the result of the call with that identifier in the same thread: the one that waits, if it occurs more than once. To-do lists and plans are a plan item beside their call. Usage is taken once a message: its lines repeat it while it grows. Input tokens include what was read from the cache and written to it. Variants: `session`, `sub-agent session`, `session with sub-agents with rewinds`.",
  notRead:
    "Pictures and documents are named with type and size; thinking of which only a signature is there is counted. The raw record holds all of it.",
  details: [
    "**Sub-agents** are linked to the Task or Agent call that started them by the agent's id in the call's result, by the call that a line names, or by the prompt. Where that says nothing, they are not linked, and a note says so. Their lines stand in one block each, so times decide the order of arrival between threads.",
    "**Rewinds.** Lines form trees by `parentUuid`. The path to the last message of a tree is what the run ended on; turns of the main thread off that path carry the branch `rewind 1`, `rewind 2`, ... Forks of parallel tool calls are no rewinds.",
    "**Context.** The first words of a person are the task (or the arguments of a slash command, when nothing else was said); commands, their output, reminders, attachments and lines with `isMeta` are injected; `compact_boundary` and summaries are compaction; API errors (`<synthetic>`) are the harness's. Lines of the session's own books (snapshots, progress, titles) are metadata; lines of one kind that follow each other are one entry.",
    "**Files.** `toolUseResult` of Write, Edit, MultiEdit and NotebookEdit is carried as recorded content and patch (`userModified` means that a person changed it), that of Read as lines of the file.",
    '**Interrupted and failed.** `is_error`, `interrupted` and "Exit code N" are taken as they stand; a result that does not say is neither.',
    "**Shown once:** a line that a resumed session wrote again (same uuid and message; both places are kept), and a block that repeats one of the same message. A uuid that different lines share links nothing.",
  ],
};
