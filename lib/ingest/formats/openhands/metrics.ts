import type { Usage } from "@/lib/trajectory/schema";
import { countMember, isObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";
import { sumUsage } from "../../usage-sum";

/** What a record of metrics says: the sums, and the tokens of each response of the model by its identifier. */
export interface Metrics {
  total: Usage;
  byResponse: Map<string, Usage>;
  models: string[];
}

/** The tokens of one reply of the model, as the API counted them. Null when it counts none. */
export function replyUsage(reply: JsonValue | undefined): Usage | null {
  const usage = member(reply, "usage");
  const inputTokens = countMember(usage, "prompt_tokens") ?? countMember(usage, "input_tokens");
  const outputTokens = countMember(usage, "completion_tokens") ?? countMember(usage, "output_tokens");
  if (inputTokens === null && outputTokens === null) return null;
  const cachedTokens = countMember(member(usage, "prompt_tokens_details"), "cached_tokens");
  return { inputTokens, cachedTokens, outputTokens, costUsd: null };
}

/** A record of tokens as OpenHands keeps it. Null when it counts none. */
function keptUsage(kept: JsonValue | undefined): Usage | null {
  const inputTokens = countMember(kept, "prompt_tokens");
  const outputTokens = countMember(kept, "completion_tokens");
  if (inputTokens === null && outputTokens === null) return null;
  return { inputTokens, cachedTokens: countMember(kept, "cache_read_tokens"), outputTokens, costUsd: null };
}

/**
 * Reads one record of metrics (`accumulated_cost`, `accumulated_token_usage`, `token_usages`), or a table of them by what
 * they were used for (`usage_to_metrics`). Null when it is neither.
 */
export function readMetrics(given: JsonValue | undefined): Metrics | null {
  const table = member(given, "usage_to_metrics");
  const records = isObject(table) ? Object.values(table) : [given ?? null];
  const read = records.flatMap((record) => {
    if (!isObject(record) || !Object.hasOwn(record, "accumulated_cost")) return [];
    const cost = countMember(record, "accumulated_cost");
    const byResponse = new Map<string, Usage>();
    for (const one of listMember(record, "token_usages")) {
      const [id, usage] = [stringMember(one, "response_id"), keptUsage(one)];
      if (id !== null && id !== "" && usage !== null) byResponse.set(id, usage);
    }
    const total = keptUsage(member(record, "accumulated_token_usage")) ?? sumUsage([...byResponse.values()]);
    // A cost of zero was not measured: models without a price count it.
    return [{ total: { ...total, costUsd: cost === 0 ? null : cost }, byResponse, model: modelOf(record) }];
  });
  if (read.length === 0) return null;
  return {
    total: sumUsage(read.map(({ total }) => total)),
    byResponse: new Map(read.flatMap(({ byResponse }) => [...byResponse])),
    models: [...new Set(read.flatMap(({ model }) => (model === null ? [] : [model])))],
  };
}

function modelOf(record: JsonValue): string | null {
  const model = stringMember(record, "model_name");
  return model === null || model === "" || model === "default" ? null : model;
}
