import type { CallItem, Turn } from "@/lib/trajectory/schema";

/** A call that a result can answer. */
export interface OpenCall {
  turn: Turn;
  item: CallItem;
  isAnswered: boolean;
}

/** The calls of one turn that share a key, of which the first `next` are answered. */
interface Group {
  turn: Turn;
  calls: OpenCall[];
  next: number;
}

/** Calls by a key, the latest turn last. */
class Groups {
  private readonly groups = new Map<string, Group[]>();

  add(key: string, call: OpenCall): void {
    const groups = this.groups.get(key);
    const top = groups?.at(-1);
    if (top?.turn === call.turn) top.calls.push(call);
    else {
      const group = { turn: call.turn, calls: [call], next: 0 };
      if (groups) groups.push(group);
      else this.groups.set(key, [group]);
    }
  }

  /** The first open call of the latest turn that has one. What is answered is passed over once and never again. */
  take(key: string): OpenCall | null {
    const groups = this.groups.get(key) ?? [];
    for (let top = groups.at(-1); top; top = groups.at(-1)) {
      while (top.calls[top.next]?.isAnswered) top.next++;
      const call = top.calls[top.next];
      if (call) return call;
      groups.pop();
    }
    return null;
  }
}

/**
 * Pairs calls and results. Identifiers may repeat and may be missing: a result answers the nearest earlier open call of
 * its identifier, and of several in one turn the first. Without an identifier the tool's name decides, and without that
 * the order, calls without an identifier first. A question takes constant time on average, however much repeats.
 */
export class CallBook {
  private readonly all: OpenCall[] = [];
  /** The last call of each identifier, and those of identifiers that repeat. */
  private readonly last = new Map<string, OpenCall>();
  private readonly repeated = new Groups();
  /** The first `indexed` calls by what a result without an identifier goes by; most traces have none such. */
  private readonly byOrder = new Groups();
  private indexed = 0;

  add(turn: Turn, item: CallItem): void {
    const call: OpenCall = { turn, item, isAnswered: false };
    this.all.push(call);
    const { callId } = item;
    if (callId === null) return;
    const before = this.last.get(callId);
    if (before) this.repeated.add(callId, before);
    this.last.set(callId, call);
  }

  /** The call that a result answers; it does not wait any more. A second result goes to the same call again. */
  answer(callId: string | null, tool: string | null): OpenCall | null {
    const call = callId === null ? this.unnamed(tool) : this.named(callId);
    if (call) call.isAnswered = true;
    return call;
  }

  private named(callId: string): OpenCall | null {
    const last = this.last.get(callId);
    if (last === undefined) return null;
    const earlier = this.repeated.take(callId);
    // The last one stands apart: an earlier one of its turn comes first, one of an earlier turn after it.
    if (earlier === null || (!last.isAnswered && earlier.turn !== last.turn)) return last;
    return earlier;
  }

  private unnamed(tool: string | null): OpenCall | null {
    for (; this.indexed < this.all.length; this.indexed++) {
      const call = this.all[this.indexed];
      if (!call) continue;
      if (call.item.callId === null) this.byOrder.add("no id", call);
      this.byOrder.add(`tool ${call.item.tool}`, call);
      this.byOrder.add("any", call);
    }
    if (tool !== null) return this.byOrder.take(`tool ${tool}`) ?? this.byOrder.take("no id");
    return this.byOrder.take("no id") ?? this.byOrder.take("any");
  }
}
