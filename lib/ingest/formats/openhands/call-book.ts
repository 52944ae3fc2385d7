import type { CallItem, Turn } from "@/lib/trajectory/schema";
import type { JsonObject } from "../../safe-json";

/** A call that an observation can answer. */
export interface OpenCall {
  turn: Turn;
  item: CallItem;
  given: JsonObject | null;
  /** How deep in sub-agents the call was made. */
  depth: number;
}

/**
 * Pairs calls and observations by the identifiers of either: of the event, of the call, of the response. An identifier may
 * repeat: the first call of it that waits is answered, else the last.
 */
export class CallBook {
  private readonly queues = new Map<string, OpenCall[]>();
  private readonly answered = new Set<OpenCall>();
  private readonly firstWaiting = new Map<string, number>();

  add(call: OpenCall, keys: readonly string[]): void {
    for (const key of keys) {
      const queue = this.queues.get(key);
      if (queue) queue.push(call);
      else this.queues.set(key, [call]);
    }
  }

  /** The call that an observation with these identifiers answers, the surest identifier first. */
  answer(keys: readonly string[]): OpenCall | undefined {
    for (const key of keys) {
      const queue = this.queues.get(key);
      if (!queue) continue;
      let n = this.firstWaiting.get(key) ?? 0;
      for (let call = queue[n]; call !== undefined && this.answered.has(call); call = queue[n]) n++;
      this.firstWaiting.set(key, n);
      const found = queue[n] ?? queue.at(-1);
      if (!found) continue;
      this.answered.add(found);
      return found;
    }
    return undefined;
  }
}
