import type { Usage } from "@/lib/trajectory/schema";
import { countMember, isObject, type JsonValue, member } from "../../safe-json";

/**
 * The tokens of one answer in the words of any of the three APIs. Anthropic counts what came from the cache and what was
 * put into it apart from the input; the input here always includes both. Null when there is no usage.
 */
export function readUsage(usage: JsonValue | undefined): Usage | null {
  if (!isObject(usage)) return null;
  const created = countMember(usage, "cache_creation_input_tokens");
  const read = countMember(usage, "cache_read_input_tokens");
  const given = countMember(usage, "prompt_tokens") ?? countMember(usage, "input_tokens");
  const parts = [given, created, read].filter((part) => part !== null);
  const details = member(usage, "prompt_tokens_details") ?? member(usage, "input_tokens_details");
  const found: Usage = {
    inputTokens: parts.length === 0 ? null : parts.reduce((sum, part) => sum + part, 0),
    cachedTokens: read ?? countMember(details, "cached_tokens"),
    outputTokens: countMember(usage, "completion_tokens") ?? countMember(usage, "output_tokens"),
    costUsd: countMember(usage, "cost"),
  };
  return Object.values(found).some((count) => count !== null) ? found : null;
}

/** Epoch times below this are seconds, others milliseconds (10^11 seconds is the year 5138). */
const MILLISECONDS_FROM = 1e11;
const LAST_TIME_MS = 8.64e15;

/** When something was, as ISO 8601: a text as it stands when it is a time, a number as seconds or milliseconds. */
export function readTime(value: JsonValue | undefined): string | null {
  if (typeof value === "string") return /^\d{4}-\d\d-\d\d/.test(value) && value.length <= 40 ? value : null;
  if (typeof value !== "number" || value <= 0) return null;
  const ms = value < MILLISECONDS_FROM ? value * 1000 : value;
  return ms > LAST_TIME_MS ? null : new Date(ms).toISOString();
}
