import { has, type Shape, some, starts } from "./other-shapes";
import { isObject } from "./safe-json";

/** Shapes of one whole object, the most particular first. Role lists come last: nearly every format holds one. */
export const OBJECTS: Shape[] = [
  {
    name: "the note beside a Claude Code sub-agent's session",
    reason: "`agentType` and `spawnDepth`; the session is the .jsonl file of the same name",
    matches: (v) => has(v, "agentType", "spawnDepth"),
  },
  {
    name: "the result of a trial of Harbor",
    reason: "`trial_name` and `verifier_result`; the trajectory is in `agent/trajectory.json` beside it",
    matches: (v) => has(v, "trial_name", "verifier_result"),
  },
  {
    name: "an Inspect log",
    reason: "`eval`, `version` and `status`",
    matches: (v) => has(v, "eval", "version", "status"),
  },
  {
    name: "a Moatless trajectory",
    reason: "`nodes` with `node_id`",
    matches: (v) => some(v, "nodes", (n) => has(n, "node_id")),
  },
  {
    name: "a Moatless trajectory",
    reason: "`transitions` with actions",
    matches: (v) => Array.isArray(v.transitions) && has(v, "info"),
  },
  {
    name: "a Moatless trajectory",
    reason: "`steps` beside `info.submission`",
    matches: (v) => Array.isArray(v.steps) && has(v.info, "submission"),
  },
  {
    name: "a Gemini CLI session",
    reason: "`sessionId`, `projectHash` and `messages`",
    matches: (v) => has(v, "sessionId", "projectHash", "messages"),
  },
  {
    name: "an opencode export",
    reason: "`info.id` of a session and messages with `parts`",
    matches: (v) => isObject(v.info) && starts(v.info, "id", "ses_"),
  },
  {
    name: "a Copilot Chat export",
    reason: "`requests` and `responderUsername`",
    matches: (v) => has(v, "requests", "responderUsername"),
  },
  { name: "a Langfuse trace", reason: "`trace` and `observations`", matches: (v) => has(v, "trace", "observations") },
  { name: "an OpenInference span tree", reason: "`trace_id` and `spans`", matches: (v) => has(v, "trace_id", "spans") },
  { name: "an OpenTelemetry trace", reason: "`resourceSpans`", matches: (v) => has(v, "resourceSpans") },
  {
    name: "an Amp thread",
    reason: "an `id` that starts with T- and `messages`",
    matches: (v) => starts(v, "id", "T-") && has(v, "messages"),
  },
  {
    name: "the state of an OpenHands conversation",
    reason: "`persistence_dir` and `execution_status`; its events are in the folder `events` beside it",
    matches: (v) => has(v, "agent", "persistence_dir", "execution_status"),
  },
  {
    name: "a claude.ai or Claude web export",
    reason: "`chat_messages` or `loglines`",
    matches: (v) => has(v, "chat_messages") || has(v, "loglines"),
  },
  { name: "a τ-bench result", reason: "`task_id` and `traj`", matches: (v) => has(v, "task_id", "traj") },
  {
    name: "an opencode export",
    reason: "`info` and messages with `parts`",
    matches: (v) => isObject(v.info) && some(v, "messages", (m) => has(m, "info", "parts")),
  },
  {
    name: "a Kiro conversation",
    reason: "`conversation_id` and `history`",
    matches: (v) => has(v, "conversation_id", "history"),
  },
  {
    name: "a ShareGPT conversation",
    reason: "`conversations` with `from`",
    matches: (v) => some(v, "conversations", (e) => has(e, "from")),
  },
  {
    name: "an asciinema recording",
    reason: "`version`, `width` and `height`",
    matches: (v) => has(v, "version", "width", "height"),
  },
  {
    name: "an API request with its messages",
    reason: "`model` and `messages`",
    isGeneric: true,
    matches: (v) => has(v, "model", "messages"),
  },
  {
    name: "a conversation of another agent",
    reason: "`messages` with roles",
    isGeneric: true,
    matches: (v) => some(v, "messages", (e) => has(e, "role") || has(e, "type")),
  },
];
