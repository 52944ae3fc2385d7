import type { CallItem, Turn } from "@/lib/trajectory/schema";
import type { JsonValue } from "../../safe-json";
import type { ThreadKey } from "./threads";

/** A call that a result can answer. */
export interface OpenCall {
  turn: Turn;
  item: CallItem;
  input: JsonValue | undefined;
  thread: ThreadKey;
}

/**
 * Pairs calls and results. Identifiers may repeat and may be missing: a result answers the first call of its identifier
 * in its own thread that waits, else the last one, else the last of any thread. Without an identifier it answers the
 * first call of its thread that has none and waits.
 */
export class CallBook {
  private readonly queues = new Map<string, { calls: OpenCall[]; answered: number }>();
  private readonly firsts = new Map<string, OpenCall>();
  private readonly lasts = new Map<string, OpenCall>();

  add(call: OpenCall): void {
    const id = call.item.callId;
    const key = queueKey(id, call.thread);
    const queue = this.queues.get(key);
    if (queue) queue.calls.push(call);
    else this.queues.set(key, { calls: [call], answered: 0 });
    if (id === null) return;
    if (!this.firsts.has(id)) this.firsts.set(id, call);
    this.lasts.set(id, call);
  }

  /** The call that a result answers; it does not wait any more. */
  answer(id: string | null, thread: ThreadKey): OpenCall | undefined {
    const queue = this.queues.get(queueKey(id, thread));
    const waiting = queue?.calls[queue.answered];
    if (queue && waiting) {
      queue.answered++;
      return waiting;
    }
    return id === null ? undefined : (queue?.calls.at(-1) ?? this.lasts.get(id));
  }

  /** The first call with an identifier, in any thread. */
  first(id: string): OpenCall | undefined {
    return this.firsts.get(id);
  }

  /** The last call with an identifier, in any thread. */
  last(id: string): OpenCall | undefined {
    return this.lasts.get(id);
  }
}

function queueKey(id: string | null, thread: ThreadKey): string {
  // The length keeps a thread and an identifier apart, whatever stands in them.
  return id === null ? `none:${thread}` : `${thread.length}:${thread}${id}`;
}
