import type { About } from "../../adapter";

/** What people are told about Codex. */
export const aboutCodex: About = {
  name: "Codex",
  extensions: [".jsonl", ".json"],
  description: "Rollout files of Codex CLI of all versions, and the output of `codex exec --json`.",
  source:
    "Codex keeps every session as `~/.codex/sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, the first versions (in TypeScript) as `rollout-<day>-<id>.json` in `~/.codex/sessions`; `codex exec --json` prints the events of a run.",
  detectedBy:
    "Most lines have a `payload` and a type such as `session_meta`, `response_item` or `event_msg` (0.95), or are events named `thread.`, `turn.` and `item.` (0.95). Rollouts up to 0.4x: a header with `instructions`, or lines with `record_type` (0.9). Events under `msg` with an `id`, as older versions printed them (0.85). One document with `session`, which has an `id`, and `items`, of which most are messages, reasoning, calls or outputs (0.95).",
  agents:
    "One: the session's own. A sub-agent has a file of its own, which says so; its name is the one that the file gives.",
  turns:
    "One answer of the model: its reasoning, messages and calls with their results. What the session has used so far, the settings of a turn and the words of others tell where an answer ends. Where no tokens are stated, and in `exec --json`, the first thing that the agent says after all results of its calls begins another turn.",
  sourceSteps:
    "`line`, the 1-based line numbers of the file; in a session that is one document `item`, the 0-based place in `items`. One turn has several.",
  read: "`response_item` lines are the conversation: `message`, `reasoning`, `function_call`, `custom_tool_call`, `local_shell_call`, `web_search_call` and their outputs. `event_msg` lines tell tokens, durations, exit codes and what a patch did; what they repeat is shown once, with both places. Outputs are taken out of their JSON or out of the lines before `Output:`. The variants are `rollout`, `early rollout` (without the wrapper), `sub-agent rollout`, `exec --json`, `events` (of older versions) and `session document` (of the first ones).",
  notRead:
    "Pictures are named, not shown; reasoning of which only an encrypted form is there is counted. Types of lines, items and events that are not known stay in their place with their source and are counted.",
  details: [
    "**Two channels.** An event that repeats an item belongs to it. Events that stand alone are read as well: a message, a thought, a command or a patch of which there is no item.",
    "**Context.** The first words of a person are the task, behind what an editor put before them. Instructions, surroundings (`environment_context`), notices and `AGENTS.md` are injected, `developer` messages are system prompts, `compacted` lines and the summaries of older versions are compaction. Headers, settings and other books are metadata: lines of them that follow each other are one entry. What a request used stands with the turn that used it, and settings that say nothing new with the turn that follows.",
    "**Tokens** are stated as totals of the session, again and again. A total that changes is one request; the last total counts for the session, and one that falls begins another count. Input tokens include what came from the cache.",
    "**Resumed and forked sessions** begin with a copy of the lines that they go on from: the copy is shown, and a note says so. An item that stands there twice under the same identifier is shown once. Turns that a rollback took back are on a branch of their own.",
    "**Files.** `patch_apply_end` is carried as recorded content and patch; lines that `cat`, `sed -n`, `head` and the like show of one file are reads, also both ends of an output whose middle is left out. `file_change` of `exec --json` names files and nothing of their content.",
    "**Sessions of a terminal.** `write_stdin` goes on with a command that was begun before; what it types into a bare shell counts as a command line.",
  ],
};
