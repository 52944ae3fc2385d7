import type { CallItem, Turn } from "@/lib/trajectory/schema";

/** A call that an answer can belong to. */
export interface MadeCall {
  turn: Turn;
  item: CallItem;
}

/**
 * Pairs calls and answers. Identifiers may repeat: an answer goes to the calls of the latest turn with its identifier, one
 * after the other. Without an identifier it goes to the first call of the last turn that waits. Constant time an answer.
 */
export class CallBook {
  private readonly byId = new Map<string, { calls: MadeCall[]; next: number }>();
  private readonly answered = new Set<MadeCall>();
  private last: MadeCall[] = [];
  private head = 0;

  /** Begins a turn: calls without an identifier that still wait get no answer any more. */
  beginTurn(): void {
    this.last = [];
    this.head = 0;
  }

  add(call: MadeCall): void {
    this.last.push(call);
    const { callId } = call.item;
    if (callId === null) return;
    const known = this.byId.get(callId);
    if (known?.calls.at(-1)?.turn === call.turn) known.calls.push(call);
    else this.byId.set(callId, { calls: [call], next: 0 });
  }

  /** The call that an answer with this identifier belongs to; null when there is none. */
  answerTo(callId: string): MadeCall | null {
    const known = this.byId.get(callId);
    const call = known?.calls[Math.min(known.next, known.calls.length - 1)] ?? null;
    if (known) known.next++;
    if (call) this.answered.add(call);
    return call;
  }

  /** The first call of the last turn that waits; null when none does. */
  answerToNext(): MadeCall | null {
    for (; this.head < this.last.length; this.head++) {
      const call = this.last[this.head];
      if (!call || this.answered.has(call)) continue;
      this.answered.add(call);
      return call;
    }
    return null;
  }
}
