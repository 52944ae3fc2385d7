import type { ContextRow } from "@/lib/views/run";
import type { Strip } from "@/lib/views/strip";
import type { OutlineFilter } from "./address";

/** A line of the outline: a turn, or what stands between turns. */
export type OutlineRow = { kind: "turn"; index: number } | { kind: "context"; context: ContextRow };

/** The lines that a filter leaves, in the order of the run. Context lines belong to the whole list only. */
export function outlineRows(
  strip: Strip,
  contexts: readonly ContextRow[],
  filter: OutlineFilter,
  flagged: ReadonlySet<number>,
): OutlineRow[] {
  const rows: OutlineRow[] = [];
  if (filter !== "all") {
    for (let index = 0; index < strip.turns; index++) {
      const stays = filter === "flagged" ? flagged.has(index) : (strip.write[index] ?? ".") !== ".";
      if (stays) rows.push({ kind: "turn", index });
    }
    return rows;
  }
  const sorted = [...contexts].sort((a, b) => a.beforeTurn - b.beforeTurn || a.n - b.n);
  let next = 0;
  const addContexts = (before: number) => {
    for (let context = sorted[next]; context && context.beforeTurn <= before; context = sorted[++next]) {
      rows.push({ kind: "context", context });
    }
  };
  for (let index = 0; index < strip.turns; index++) {
    addContexts(index);
    rows.push({ kind: "turn", index });
  }
  addContexts(Number.POSITIVE_INFINITY);
  return rows;
}

/** The next flagged turn after (or, backwards, before) a turn; null when there is none that way. */
export function nextFlagged(flagged: ReadonlySet<number>, turn: number, step: 1 | -1): number | null {
  const ahead = [...flagged].filter((each) => (step === 1 ? each > turn : each < turn));
  if (ahead.length === 0) return null;
  return step === 1 ? Math.min(...ahead) : Math.max(...ahead);
}

/** How many turns the filters leave. */
export function filterCounts(strip: Strip, flagged: ReadonlySet<number>): Record<OutlineFilter, number> {
  return { all: strip.turns, flagged: flagged.size, writes: strip.write.length - strip.write.split(".").length + 1 };
}

/** How deep turns of an agent stand: 0 for the first agent, one more for each agent that started it, at most 3. */
export function agentDepths(
  agents: readonly { id: string; startedByTurn: number | null }[],
  agentOfTurn: (turn: number) => string | undefined,
): Map<string, number> {
  const started = new Map(agents.map((agent) => [agent.id, agent.startedByTurn]));
  const depths = new Map<string, number>();
  agents.forEach((agent, i) => {
    let depth = i === 0 ? 0 : 1;
    const seen = new Set([agent.id]);
    let turn = started.get(agent.id) ?? null;
    while (turn !== null && depth < 3) {
      const parent = agentOfTurn(turn);
      if (parent === undefined || seen.has(parent)) break;
      seen.add(parent);
      turn = started.get(parent) ?? null;
      if (turn !== null) depth++;
    }
    depths.set(agent.id, depth);
  });
  return depths;
}
