import type { RawSpan, Usage } from "@/lib/trajectory/schema";
import {
  countMember,
  isObject,
  type JsonObject,
  type JsonValue,
  listMember,
  member,
  parseNestedJson,
  stringMember,
} from "../../safe-json";
import { readContent } from "./contents";

/** A call of a step. */
export interface StepCall {
  id: string | null;
  tool: string;
  arguments: JsonObject | null;
  text: string | null;
}

/** A result of a step's observation. */
export interface StepResult {
  callId: string | null;
  text: string;
  media: string[];
  /** References to trajectories of sub-agents. */
  references: JsonValue[];
}

/** One step of a trajectory. */
export interface Step {
  id: string;
  source: string;
  message: string;
  media: string[];
  reasoning: string;
  calls: StepCall[];
  results: StepResult[];
  usage: Usage | null;
  model: string | null;
  time: string | null;
  isCopied: boolean;
  extra: JsonValue | undefined;
  /** Keys that hold something and are not read. */
  unread: string[];
  raw: RawSpan;
}

const KNOWN: ReadonlySet<string> = new Set([
  ...["step_id", "timestamp", "source", "model_name", "message", "reasoning_content", "reasoning_effort"],
  ...["tool_calls", "observation", "metrics", "is_copied_context", "llm_call_count", "extra"],
]);

/** Reads a step, or null when it is no object. */
export function readStep(value: JsonValue, index: number, raw: RawSpan): Step | null {
  if (!isObject(value)) return null;
  const { text, media } = readContent(member(value, "message"));
  const id = member(value, "step_id");
  return {
    id: typeof id === "number" || typeof id === "string" ? String(id) : String(index + 1),
    source: stringMember(value, "source") ?? "",
    message: text,
    media,
    reasoning: stringMember(value, "reasoning_content") ?? "",
    calls: listMember(value, "tool_calls").map(readCall),
    results: listMember(member(value, "observation"), "results").map(readResult),
    usage: readUsage(member(value, "metrics")),
    model: stringMember(value, "model_name"),
    time: timeOf(stringMember(value, "timestamp")),
    isCopied: member(value, "is_copied_context") === true,
    extra: member(value, "extra"),
    unread: Object.keys(value).filter((key) => !KNOWN.has(key) && value[key] !== null),
    raw,
  };
}

/** A time of the format, as it stands; null for anything that is none. */
function timeOf(text: string | null): string | null {
  return text === null || Number.isNaN(Date.parse(text)) ? null : text;
}

function readCall(call: JsonValue): StepCall {
  const given = member(call, "arguments");
  const values = typeof given === "string" ? parseNestedJson(given) : given;
  const isGiven = isObject(values);
  const text = isGiven || given === undefined || given === null ? null : asText(given);
  return {
    id: stringMember(call, "tool_call_id"),
    tool: stringMember(call, "function_name") ?? "",
    arguments: isGiven ? values : text === null ? {} : null,
    text,
  };
}

function asText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function readResult(result: JsonValue): StepResult {
  const { text, media } = readContent(member(result, "content"));
  const references = member(result, "subagent_trajectory_ref");
  const list = Array.isArray(references) ? references : isObject(references) ? [references] : [];
  return { callId: stringMember(result, "source_call_id"), text, media, references: list };
}

/** Tokens and cost of a step or of a whole trajectory; null when it states none. */
export function readUsage(metrics: JsonValue | undefined): Usage | null {
  if (!isObject(metrics)) return null;
  const usage: Usage = {
    inputTokens: countMember(metrics, "prompt_tokens") ?? countMember(metrics, "total_prompt_tokens"),
    cachedTokens: countMember(metrics, "cached_tokens") ?? countMember(metrics, "total_cached_tokens"),
    outputTokens: countMember(metrics, "completion_tokens") ?? countMember(metrics, "total_completion_tokens"),
    costUsd: countMember(metrics, "cost_usd") ?? countMember(metrics, "total_cost_usd"),
  };
  return Object.values(usage).some((count) => count !== null) ? usage : null;
}
