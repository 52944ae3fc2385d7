import type { CallItem, Turn } from "@/lib/trajectory/schema";

/** A call that an answer can be to. */
export interface OpenCall {
  turn: Turn;
  item: CallItem;
}

/** Pairs calls and answers: by identifier, which may repeat or be missing, else by tool, else in order. */
export class CallBook {
  private readonly queues = new Map<string, { calls: OpenCall[]; next: number }>();
  private readonly answered = new Set<OpenCall>();

  add(call: OpenCall): void {
    const { callId, tool } = call.item;
    this.enqueue(callId === null ? "any" : `id ${callId}`, call);
    this.enqueue(`tool ${tool}`, call);
  }

  /** The call that waits for this answer; null when none does. */
  answer(id: string | null, tool: string | null): OpenCall | null {
    const key = id !== null ? `id ${id}` : tool !== null ? `tool ${tool}` : "any";
    const queue = this.queues.get(key);
    if (queue === undefined) return null;
    for (let call = queue.calls[queue.next]; call !== undefined; call = queue.calls[++queue.next]) {
      if (this.answered.has(call)) continue;
      this.answered.add(call);
      return call;
    }
    return null;
  }

  private enqueue(key: string, call: OpenCall): void {
    const queue = this.queues.get(key);
    if (queue) queue.calls.push(call);
    else this.queues.set(key, { calls: [call], next: 0 });
  }
}
