import { type Content, sampleValues } from "./content";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "./safe-json";

/** A known format that no adapter reads. */
export interface OtherFormat {
  name: string;
  reason: string;
}

interface Shape {
  name: string;
  /** What was seen, in words. */
  reason: string;
  matches: (value: JsonObject) => boolean;
}

const has = (value: JsonValue | undefined, ...keys: string[]): boolean =>
  isObject(value) && keys.every((key) => Object.hasOwn(value, key));
const is = (value: JsonObject, key: string, ...texts: string[]): boolean => {
  const found = value[key];
  return typeof found === "string" && texts.includes(found);
};
const starts = (value: JsonObject, key: string, prefix: string): boolean =>
  stringMember(value, key)?.startsWith(prefix) ?? false;
const some = (value: JsonObject, key: string, test: (element: JsonValue) => boolean): boolean =>
  listMember(value, key).slice(0, 20).some(test);

/** Shapes of one whole object, the most particular first. Role lists come last: nearly every format holds one. */
const OBJECTS: Shape[] = [
  {
    name: "the note beside a Claude Code sub-agent's session",
    reason: "`agentType` and `spawnDepth`; the session is the .jsonl file of the same name",
    matches: (v) => has(v, "agentType", "spawnDepth"),
  },
  {
    name: "a mini-SWE-agent trajectory",
    reason: "`trajectory_format` says so",
    matches: (v) => starts(v, "trajectory_format", "mini-swe-agent"),
  },
  {
    name: "a mini-SWE-agent trajectory",
    reason: "`messages` beside `info.mini_version`",
    matches: (v) => has(v, "messages") && has(v.info, "mini_version"),
  },
  {
    name: "an ATIF trajectory",
    reason: "`schema_version` says so",
    matches: (v) => starts(v, "schema_version", "ATIF-v"),
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
    name: "a Who&When record",
    reason: "`history` and `mistake_agent`",
    matches: (v) => has(v, "history", "mistake_agent"),
  },
  {
    name: "an Amp thread",
    reason: "an `id` that starts with T- and `messages`",
    matches: (v) => starts(v, "id", "T-") && has(v, "messages"),
  },
  {
    name: "an AutoGen state",
    reason: "`type` says so",
    matches: (v) => is(v, "type", "TeamState", "AssistantAgentState"),
  },
  {
    name: "an OpenHands run",
    reason: "`instance_id`, `history` and `metadata`",
    matches: (v) => has(v, "instance_id", "history", "metadata"),
  },
  {
    name: "an OpenHands run",
    reason: "a list of events",
    matches: (v) =>
      ["history", "entries", "trajectory", "items"].some((key) => some(v, key, (e) => isOpenHandsEvent(e))),
  },
  {
    name: "a claude.ai or Claude web export",
    reason: "`chat_messages` or `loglines`",
    matches: (v) => has(v, "chat_messages") || has(v, "loglines"),
  },
  {
    name: "a nebius SWE-agent row",
    reason: "`trajectory` of roles and texts",
    matches: (v) => some(v, "trajectory", (e) => has(e, "role", "text")),
  },
  {
    name: "a data set row with an agent's messages",
    reason: "`instance_id` and `messages`",
    matches: (v) => has(v, "instance_id", "messages"),
  },
  {
    name: "a data set row with an agent's messages",
    reason: "`trajectory` of roles",
    matches: (v) => some(v, "trajectory", (e) => has(e, "role")),
  },
  { name: "a τ-bench result", reason: "`task_id` and `traj`", matches: (v) => has(v, "task_id", "traj") },
  {
    name: "an opencode export",
    reason: "`info` and messages with `parts`",
    matches: (v) => isObject(v.info) && some(v, "messages", (m) => has(m, "info", "parts")),
  },
  {
    name: "an OpenHands run",
    reason: "`history` of actions and observations",
    matches: (v) => some(v, "history", (e) => has(e, "source") && (has(e, "action") || has(e, "observation"))),
  },
  {
    name: "a Kiro conversation",
    reason: "`conversation_id` and `history`",
    matches: (v) => has(v, "conversation_id", "history"),
  },
  { name: "a SWE-chat row", reason: "`session` and `turns`", matches: (v) => has(v, "session", "turns") },
  { name: "a LangSmith run", reason: "`run_type`", matches: (v) => has(v, "run_type") },
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
    matches: (v) => has(v, "model", "messages"),
  },
  {
    name: "a conversation of another agent",
    reason: "`messages` with roles",
    matches: (v) => some(v, "messages", (e) => has(e, "role") || has(e, "type")),
  },
];

/** Shapes of one line or of one element of a list. */
const RECORDS: Shape[] = [
  {
    name: "an iFlow session",
    reason: "lines like Claude Code's with `response-` identifiers",
    matches: (v) => starts(v, "sessionId", "session-") && isObject(v.message) && starts(v.message, "id", "response-"),
  },
  {
    name: "Claude's stream-json output",
    reason: "`system` with `init`, or `parent_tool_use_id`",
    matches: (v) =>
      (is(v, "type", "system") && is(v, "subtype", "init") && has(v, "session_id")) ||
      has(v, "parent_tool_use_id", "session_id"),
  },
  {
    name: "a Droid stream",
    reason: "`system` with `init` and `sessionId`",
    matches: (v) => is(v, "type", "system") && is(v, "subtype", "init"),
  },
  {
    name: "a Codex rollout",
    reason: "`session_meta`, `response_item` or `event_msg` lines",
    matches: (v) =>
      is(v, "type", "session_meta", "turn_context", "response_item", "event_msg") ||
      has(v, "record_type") ||
      (has(v, "id", "timestamp", "instructions") && !has(v, "type")),
  },
  {
    name: "Codex exec output",
    reason: "`thread.started` or `item.completed` lines",
    matches: (v) => starts(v, "type", "thread.") || starts(v, "type", "item."),
  },
  {
    name: "a Qwen Code session",
    reason: "`user` and `assistant` lines with `message.parts`",
    matches: (v) => is(v, "type", "user", "assistant", "tool_result") && has(v.message, "parts"),
  },
  {
    name: "a claude-trace log",
    reason: "`request` and `response` of an API",
    matches: (v) => has(v, "request", "response"),
  },
  { name: "a Factory Droid session", reason: "`session_start`", matches: (v) => is(v, "type", "session_start") },
  {
    name: "a Copilot CLI session",
    reason: "`session.start` and `data`",
    matches: (v) => /^(?:session|assistant|user|tool)\./.test(stringMember(v, "type") ?? "") && has(v, "data"),
  },
  {
    name: "a Kimi CLI session",
    reason: "`metadata` with `protocol_version`",
    matches: (v) => has(v, "protocol_version"),
  },
  {
    name: "a Copilot Chat delta log",
    reason: "lines with `kind` and `v`",
    matches: (v) => typeof v.kind === "number" && has(v, "v"),
  },
  {
    name: "a Cursor transcript",
    reason: "lines with `role` and `message.content`",
    matches: (v) => has(v, "role") && has(v.message, "content"),
  },
  {
    name: "a Pi or OpenClaw session",
    reason: "`session` and `message` lines",
    matches: (v) => is(v, "type", "session") && has(v, "id"),
  },
  {
    name: "a Goose session",
    reason: "`working_dir` and `message_count`",
    matches: (v) => has(v, "working_dir", "message_count"),
  },
  { name: "a CAMEL memory", reason: "`role_at_backend`", matches: (v) => has(v, "role_at_backend") },
  { name: "an OpenTelemetry trace", reason: "`resourceSpans`", matches: (v) => has(v, "resourceSpans") },
  {
    name: "an OpenInference trace",
    reason: "spans with `context` or `attributes`",
    matches: (v) => has(v, "attributes") && (has(v, "span_kind") || has(v, "context")),
  },
  {
    name: "an OpenHands run",
    reason: "events with `action` or `observation`, or a `kind` that ends in Event",
    matches: isOpenHandsEvent,
  },
  {
    name: "an OpenHands evaluation",
    reason: "`instance_id`, `history` and `metadata`",
    matches: (v) => has(v, "instance_id", "history", "metadata"),
  },
  {
    name: "a DevAI trajectory",
    reason: "`step`, `agent` and `environment`",
    matches: (v) => has(v, "step", "agent", "environment"),
  },
  { name: "a τ-bench result", reason: "`task_id` and `traj`", matches: (v) => has(v, "task_id", "traj") },
  { name: "a CrewAI log", reason: "`task`, `agent` and `status`", matches: (v) => has(v, "task", "agent", "status") },
  {
    name: "a Magentic-One log",
    reason: "roles with Orchestrator",
    matches: (v) => /Orchestrator/.test(stringMember(v, "role") ?? ""),
  },
  {
    name: "a Cline task",
    reason: "`say` or `ask` with `ts`",
    matches: (v) => has(v, "ts", "type") && (has(v, "say") || has(v, "ask")),
  },
  { name: "a Goose session", reason: "`content_json`", matches: (v) => has(v, "role", "content_json") },
  {
    name: "a Grok Build session",
    reason: "`type` and `content` without a message",
    matches: (v) =>
      is(v, "type", "system", "user", "assistant", "reasoning") && has(v, "content") && !has(v, "message"),
  },
  {
    name: "an Antigravity session",
    reason: "`step_index` and `source`",
    matches: (v) => has(v, "step_index", "source"),
  },
  { name: "a trace of spans", reason: "`trace_id` and `span_id`", matches: (v) => has(v, "trace_id", "span_id") },
  {
    name: "a Droid stream",
    reason: "`message` lines with `role` and `text`",
    matches: (v) => is(v, "type", "message") && has(v, "session_id", "role", "text"),
  },
  {
    name: "a list of messages of another agent",
    reason: "`message` with `role`",
    matches: (v) => has(v.message, "role"),
  },
  {
    name: "a mini-SWE-agent message list",
    reason: "its words for handing in",
    matches: (v) =>
      /COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT|MICRO_SWE_AGENT_FINAL_OUTPUT/.test(JSON.stringify(v.content ?? "")),
  },
  {
    name: "a list of messages of another agent",
    reason: "`role` and `content`",
    matches: (v) => has(v, "role", "content") || has(v, "role", "parts"),
  },
  { name: "a list of conversations", reason: "lines with `messages`", matches: (v) => has(v, "messages") },
];

/** Texts that are not JSON. */
const TEXTS: { name: string; reason: string; pattern: RegExp }[] = [
  {
    name: "an Aider chat history",
    reason: "its headings and quoted lines",
    pattern: /^# aider chat started at|^> (?:Applied edit to |Aider v\d|\$ aider\b)/m,
  },
  { name: "an Aider LLM history", reason: "`TO LLM` blocks", pattern: /^TO LLM \d{4}-/m },
  { name: "a SpecStory transcript", reason: "`_**User**_` blocks", pattern: /^_\*\*(?:User|Assistant)/m },
  {
    name: "an asciinema or terminal log",
    reason: "terminal control sequences",
    pattern: /^(?:\p{Cc}\[|\[)\?2004[hl]/u,
  },
  {
    name: "a SWE-agent demonstration in YAML",
    reason: "`history:` of messages with `role`",
    pattern: /^history:\s*\n[\s\S]*role:/m,
  },
];

/** Says which other known format the content looks like, so that a refusal names it. Null when it looks like none. */
export function recogniseOther(content: Content): OtherFormat | null {
  if (content.kind === "text") {
    const found = TEXTS.find((text) => text.pattern.test(content.head));
    return found ? { name: found.name, reason: found.reason } : null;
  }
  const document = content.kind === "document" ? content.json.value : undefined;
  const whole = isObject(document) ? OBJECTS.find((shape) => shape.matches(document)) : undefined;
  if (
    Array.isArray(document) &&
    document.length > 0 &&
    document.every(
      (thread) =>
        Array.isArray(thread) && thread.length > 0 && thread.every((message) => has(message, "role", "content")),
    )
  ) {
    return { name: "an AutoCodeRover conversation", reason: "a list of lists of messages" };
  }
  const records = Array.isArray(document) ? document.slice(0, 200) : sampleValues(content);
  const objects = records.filter(isObject);
  const one = RECORDS.find((shape) => objects.some((value) => shape.matches(value)));
  const first = objects[0];
  const header = first ? OBJECTS.find((shape) => shape.matches(first)) : undefined;
  const found = whole ?? one ?? header;
  return found ? { name: found.name, reason: found.reason } : null;
}

function isOpenHandsEvent(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  if (/^[A-Z]\w+Event$/.test(stringMember(value, "kind") ?? "")) return true;
  const isAction = typeof member(value, "action") === "string" && has(value, "args");
  const isObservation = typeof member(value, "observation") === "string" && has(value, "extras");
  return (isAction || isObservation) && has(value, "source");
}
