import type { Trajectory } from "@/lib/trajectory/schema";
import { countMember, isObject, type JsonValue, member } from "../../safe-json";

const CACHED = "usage_including_cached_inference";
const UNCACHED = "usage_excluding_cached_inference";

/**
 * What a chat of AutoGen 0.2 says that it cost, over all of its models. What came out of AutoGen's own cache was not paid
 * again and is left out. Null when it says nothing.
 */
export function readCost(cost: JsonValue | undefined): { models: string[]; totals: Trajectory["totals"] } | null {
  const usage = member(cost, UNCACHED) ?? member(cost, CACHED);
  const all = member(cost, CACHED) ?? usage;
  if (!isObject(usage) || !isObject(all)) return null;
  const models = Object.keys(all).filter((key) => isObject(all[key]));
  const sum = (key: string): number | null => {
    const counts = Object.values(usage).flatMap((model) => countMember(model, key) ?? []);
    return counts.length === 0 ? null : counts.reduce((total, count) => total + count, 0);
  };
  const totals = {
    inputTokens: sum("prompt_tokens"),
    cachedTokens: null,
    outputTokens: sum("completion_tokens"),
    costUsd: countMember(usage, "total_cost"),
    durationMs: null,
  };
  return { models, totals };
}
