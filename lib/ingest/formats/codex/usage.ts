import type { Usage } from "@/lib/trajectory/schema";
import { countMember, isObject, type JsonObject, type JsonValue, member } from "../../safe-json";
import { sumUsage } from "../../usage-sum";

function usageOf(value: JsonValue | undefined): Usage | null {
  if (!isObject(value)) return null;
  const usage = {
    inputTokens: countMember(value, "input_tokens"),
    cachedTokens: countMember(value, "cached_input_tokens"),
    outputTokens: countMember(value, "output_tokens"),
    costUsd: null,
  };
  return usage.inputTokens === null && usage.outputTokens === null ? null : usage;
}

/** Whether an event states what the session has used so far. */
export function statesTotal(payload: JsonObject): boolean {
  return isObject(payload.info) && isObject(payload.info.total_token_usage);
}

/**
 * The tokens of a session. The events state what all requests so far have used, again and again: a request is one whose
 * total differs from the one before, and the last total counts. A total that falls begins another count.
 */
export class TokenBook {
  private before: Usage | null = null;
  private readonly closed: Usage[] = [];

  /** The request that an event reports, with its tokens where it states them; null when it repeats an old total. */
  take(payload: JsonObject): { usage: Usage | null } | null {
    const total = usageOf(member(payload.info, "total_token_usage"));
    // A total that cannot be read still tells of a request.
    if (total === null) return statesTotal(payload) ? { usage: null } : null;
    const { before } = this;
    const isSame = before !== null && sizeOf(before) === sizeOf(total) && before.outputTokens === total.outputTokens;
    if (isSame) return null;
    if (before !== null && sizeOf(total) < sizeOf(before)) this.closed.push(before);
    this.before = total;
    return { usage: usageOf(member(payload.info, "last_token_usage")) ?? (before === null ? { ...total } : null) };
  }

  /** Takes the total that the end of a turn of `exec --json` states. */
  takeTotal(value: JsonValue | undefined): void {
    const total = usageOf(value);
    if (total === null) return;
    if (this.before !== null && sizeOf(total) < sizeOf(this.before)) this.closed.push(this.before);
    this.before = total;
  }

  /** What the whole session has used; null where nothing states it. */
  totals(): Usage {
    return sumUsage(this.before === null ? [] : [...this.closed, this.before]);
  }
}

function sizeOf(usage: Usage): number {
  return (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
}
