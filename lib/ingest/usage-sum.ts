import type { Turn, Usage } from "@/lib/trajectory/schema";

/** The sum of usages, part by part; a part that none of them states is null. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const sum = (pick: (usage: Usage) => number | null): number | null => {
    const known = usages.map(pick).filter((count) => count !== null);
    return known.length === 0 ? null : known.reduce((total, count) => total + count, 0);
  };
  return {
    inputTokens: sum((usage) => usage.inputTokens),
    cachedTokens: sum((usage) => usage.cachedTokens),
    outputTokens: sum((usage) => usage.outputTokens),
    costUsd: sum((usage) => usage.costUsd),
  };
}

/** What the turns of a run used together; null where none of them says it. */
export function usageOfTurns(turns: readonly Turn[]): Usage {
  return sumUsage(turns.flatMap(({ usage }) => usage ?? []));
}
