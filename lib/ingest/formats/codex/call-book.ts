import type { CallItem, ResultItem, Turn } from "@/lib/trajectory/schema";
import type { JsonObject } from "../../safe-json";

/** A call that a result can answer. */
export interface OpenCall {
  turn: Turn;
  item: CallItem;
  arguments: JsonObject | null;
  /** The result that answered it last. */
  result: ResultItem | null;
}

/** Pairs calls and results: a result answers the first call of its identifier that waits, else the last one. */
export class CallBook {
  private readonly queues = new Map<string, { calls: OpenCall[]; answered: number }>();
  private readonly waitingIn = new Map<Turn, number>();

  add(id: string | null, call: OpenCall): void {
    if (id === null) return;
    const queue = this.queues.get(id);
    if (queue) queue.calls.push(call);
    else this.queues.set(id, { calls: [call], answered: 0 });
    this.waitingIn.set(call.turn, (this.waitingIn.get(call.turn) ?? 0) + 1);
  }

  /** The call that a result answers; it does not wait any more. */
  answer(id: string | null): OpenCall | undefined {
    const queue = id === null ? undefined : this.queues.get(id);
    const waiting = queue?.calls[queue.answered];
    if (queue === undefined || waiting === undefined) return queue?.calls.at(-1);
    queue.answered++;
    this.waitingIn.set(waiting.turn, (this.waitingIn.get(waiting.turn) ?? 1) - 1);
    return waiting;
  }

  /** The call of an identifier that waits, or the last one. */
  find(id: string): OpenCall | undefined {
    const queue = this.queues.get(id);
    return queue?.calls[queue.answered] ?? queue?.calls.at(-1);
  }

  /** Whether a call of a turn waits for its result. */
  waits(turn: Turn): boolean {
    return (this.waitingIn.get(turn) ?? 0) > 0;
  }
}
