import { has, is, type Shape, some, starts, texts } from "./other-shapes";
import { isObject, stringMember } from "./safe-json";

/** Shapes of one line or of one element of a list. */
export const RECORDS: Shape[] = [
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
    name: "a Qwen Code session",
    reason: "`user` and `assistant` lines with `message.parts`",
    matches: (v) => is(v, "type", "user", "assistant", "tool_result") && has(v.message, "parts"),
  },
  {
    name: "a claude-trace log",
    reason: "`request` and `response` of an API with their headers",
    matches: (v) => has(v, "request", "response") && (has(v.request, "body") || has(v.request, "headers")),
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
  { name: "an OpenTelemetry trace", reason: "`resourceSpans`", matches: (v) => has(v, "resourceSpans") },
  {
    name: "an OpenInference trace",
    reason: "spans with `context` or `attributes`",
    matches: (v) => has(v, "attributes") && (has(v, "span_kind") || has(v, "context")),
  },
  { name: "a τ-bench result", reason: "`task_id` and `traj`", matches: (v) => has(v, "task_id", "traj") },
  { name: "a CrewAI log", reason: "`task`, `agent` and `status`", matches: (v) => has(v, "task", "agent", "status") },
  {
    name: "a Cline task",
    reason: "`<environment_details>` and answers of tools in the person's messages",
    matches: (v) => is(v, "role", "user") && texts(v).some((text) => /^<environment_details>|^\[\w+ for '/.test(text)),
  },
  {
    name: "an AutoCodeRover conversation",
    reason: "its prompts and searches",
    matches: (v) =>
      texts(v).some((text) =>
        /^You are a software developer maintaining a large project\.|^Result of search_/.test(text),
      ),
  },
  {
    name: "a Goose session",
    reason: "`toolRequest` and `toolResponse`",
    matches: (v) => some(v, "content", (part) => isObject(part) && is(part, "type", "toolRequest", "toolResponse")),
  },
  {
    name: "a table of a Hermes session",
    reason: "`session_id`, `observed` and `active`",
    matches: (v) => has(v, "session_id", "observed", "active"),
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
      is(v, "type", "system", "user", "assistant", "reasoning") &&
      has(v, "content") &&
      !has(v, "message") &&
      !has(v, "role") &&
      !has(v, "summary"),
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
    name: "a list of messages of another agent",
    reason: "`role` and `content`",
    isGeneric: true,
    matches: (v) => has(v, "role", "content") || has(v, "role", "parts"),
  },
  {
    name: "a list of conversations",
    reason: "lines with `messages`",
    isGeneric: true,
    matches: (v) => has(v, "messages"),
  },
];
