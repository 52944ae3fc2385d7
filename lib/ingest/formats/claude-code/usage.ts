import type { Usage } from "@/lib/trajectory/schema";
import { countMember, isObject, type JsonObject, member } from "../../safe-json";

/** The tokens of one API message. The input counts what came from the cache and what was put into it. */
export function usageOf(message: JsonObject | null): Usage | null {
  const usage = member(message ?? undefined, "usage");
  if (!isObject(usage)) return null;
  const cached = countMember(usage, "cache_read_input_tokens");
  const parts = [countMember(usage, "input_tokens"), countMember(usage, "cache_creation_input_tokens"), cached];
  const known = parts.filter((part) => part !== null);
  const inputTokens = known.length === 0 ? null : known.reduce((sum, part) => sum + part, 0);
  return { inputTokens, cachedTokens: cached, outputTokens: countMember(usage, "output_tokens"), costUsd: null };
}

/** The lines of one message repeat its usage while it grows: the largest counts. */
export function largerUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (!a || !b) return a ?? b;
  const larger = (x: number | null, y: number | null): number | null =>
    x === null ? y : y === null ? x : Math.max(x, y);
  return {
    inputTokens: larger(a.inputTokens, b.inputTokens),
    cachedTokens: larger(a.cachedTokens, b.cachedTokens),
    outputTokens: larger(a.outputTokens, b.outputTokens),
    costUsd: null,
  };
}
