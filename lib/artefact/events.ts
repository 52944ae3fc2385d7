import type { CallItem, ResultItem, Trajectory, Turn } from "@/lib/trajectory/schema";

/** A moment at which something may have become true of a file, in the order in which it became known. */
export interface HistoryEvent {
  turn: Turn;
  arrival: number;
  call: CallItem | null;
  result: ResultItem | null;
}

/**
 * Calls with the result that answers them, in order of arrival. A call counts from its first result, or from itself when
 * there is none; later results of the same call, and results without a call, stand alone.
 */
export function eventsOf(trajectory: Trajectory): HistoryEvent[] {
  const answers = new Map<string, ResultItem>();
  const turns = trajectory.entries.filter((entry): entry is Turn => entry.kind === "turn");
  for (const turn of turns) {
    for (const item of turn.items) {
      if (item.kind !== "result" || item.callItem === null) continue;
      const known = answers.get(item.callItem);
      if (known === undefined || item.arrival < known.arrival) answers.set(item.callItem, item);
    }
  }
  const events: HistoryEvent[] = [];
  const used = new Set<string>();
  for (const turn of turns) {
    for (const item of turn.items) {
      if (item.kind !== "call") continue;
      const result = answers.get(item.id) ?? null;
      if (result !== null) used.add(result.id);
      events.push({ turn, arrival: result?.arrival ?? item.arrival, call: item, result });
    }
  }
  for (const turn of turns) {
    for (const item of turn.items) {
      if (item.kind !== "result" || used.has(item.id)) continue;
      events.push({ turn, arrival: item.arrival, call: null, result: item });
    }
  }
  return events.sort((left, right) => left.arrival - right.arrival);
}
