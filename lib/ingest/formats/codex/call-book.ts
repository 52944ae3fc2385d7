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
  /** The turn of the last call, and how many calls of it wait. */
  private last: Turn | null = null;
  private waiting = 0;

  add(id: string | null, call: OpenCall): void {
    if (id === null) return;
    const queue = this.queues.get(id);
    if (queue) queue.calls.push(call);
    else this.queues.set(id, { calls: [call], answered: 0 });
    if (call.turn !== this.last) this.waiting = 0;
    this.last = call.turn;
    this.waiting++;
  }

  /** The call that a result answers; it does not wait any more. */
  answer(id: string | null): OpenCall | undefined {
    const queue = id === null ? undefined : this.queues.get(id);
    const waiting = queue?.calls[queue.answered];
    if (queue === undefined || waiting === undefined) return queue?.calls.at(-1);
    queue.answered++;
    if (waiting.turn === this.last) this.waiting--;
    return waiting;
  }

  /** The call of an identifier that waits, or the last one. */
  find(id: string): OpenCall | undefined {
    const queue = this.queues.get(id);
    return queue?.calls[queue.answered] ?? queue?.calls.at(-1);
  }

  /** Whether a call of the turn that is open waits for its result. */
  waits(turn: Turn): boolean {
    return turn === this.last && this.waiting > 0;
  }
}
