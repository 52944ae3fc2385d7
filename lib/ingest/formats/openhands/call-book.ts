import type { CallItem, Turn } from "@/lib/trajectory/schema";
import type { JsonObject } from "../../safe-json";

/** A call that an observation can answer. */
export interface OpenCall {
  turn: Turn;
  item: CallItem;
  given: JsonObject | null;
  /** How deep in sub-agents the call was made. */
  depth: number;
  isAnswered: boolean;
}

/** The identifiers by which a call and what answers it are known: of the event, and of the call. */
export interface CallKeys {
  event: string | number | null;
  call: string | null;
}

/** One call, or several that share an identifier, with the number of the first that may still wait. */
type Queue = OpenCall | { calls: OpenCall[]; next: number };

/**
 * Pairs calls and observations by the identifiers of either. An identifier may repeat: the first call of it that waits is
 * answered, else the last.
 */
export class CallBook {
  private readonly byEvent = new Map<string | number, Queue>();
  private readonly byCall = new Map<string, Queue>();

  add(call: OpenCall, { event, call: callId }: CallKeys): void {
    if (event !== null) push(this.byEvent, event, call);
    if (callId !== null) push(this.byCall, callId, call);
  }

  /** The call that an observation with these identifiers answers; the event's counts first. */
  answer({ event, call }: CallKeys): OpenCall | undefined {
    const found =
      (event === null ? undefined : waiting(this.byEvent.get(event))) ??
      (call === null ? undefined : waiting(this.byCall.get(call)));
    if (found) found.isAnswered = true;
    return found;
  }
}

function push<K>(queues: Map<K, Queue>, key: K, call: OpenCall): void {
  const queue = queues.get(key);
  if (queue === undefined) queues.set(key, call);
  else if ("calls" in queue) queue.calls.push(call);
  else queues.set(key, { calls: [queue, call], next: 0 });
}

function waiting(queue: Queue | undefined): OpenCall | undefined {
  if (queue === undefined || !("calls" in queue)) return queue;
  while (queue.calls[queue.next]?.isAnswered === true) queue.next++;
  return queue.calls[queue.next] ?? queue.calls.at(-1);
}
