import type { Trajectory, Usage } from "@/lib/trajectory/schema";
import type { ToolFacts } from "./tool-lines";

/** Collects the tokens and the cost that aider tells of. */
export class UsageBook {
  readonly #usages: Usage[] = [];
  #sessionCostUsd: number | null = null;

  add(facts: ToolFacts): void {
    this.#usages.push(...facts.usages);
    this.#sessionCostUsd = facts.sessionCostUsd ?? this.#sessionCostUsd;
  }

  /** The sums; the cost is the session's as last told, which is rounded once and not for each message. */
  totals(): Trajectory["totals"] {
    const sum = sumOf(this.#usages);
    return {
      inputTokens: sum?.inputTokens ?? null,
      cachedTokens: sum?.cachedTokens ?? null,
      outputTokens: sum?.outputTokens ?? null,
      costUsd: this.#sessionCostUsd ?? sum?.costUsd ?? null,
      durationMs: null,
    };
  }
}

/** The sum of what is told, null for what nobody tells. */
export function sumOf(usages: readonly Usage[]): Usage | null {
  if (usages.length === 0) return null;
  const total = (pick: (usage: Usage) => number | null): number | null => {
    const known = usages.map(pick).filter((count) => count !== null);
    return known.length === 0 ? null : known.reduce((sum, count) => sum + count, 0);
  };
  return {
    inputTokens: total((usage) => usage.inputTokens),
    cachedTokens: total((usage) => usage.cachedTokens),
    outputTokens: total((usage) => usage.outputTokens),
    costUsd: total((usage) => usage.costUsd),
  };
}
