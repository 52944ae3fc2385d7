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

/**
 * Pairs calls and results. Identifiers may repeat and may be missing: a result answers the nearest earlier open call of
 * its identifier, and of several in one turn the first. Without an identifier the tool's name decides, and without that
 * the order, calls without an identifier first. Every question takes constant time on average, however often an identifier repeats.
 */
export class CallBook {
  private readonly open = new Map<string, Group[]>();
  private readonly last = new Map<string, OpenCall>();

  add(turn: Turn, item: CallItem): void {
    const call: OpenCall = { turn, item, isAnswered: false };
    if (item.callId !== null) this.last.set(item.callId, call);
    for (const key of [item.callId === null ? "no id" : `id ${item.callId}`, `tool ${item.tool}`, "any"]) {
      const groups = this.open.get(key) ?? [];
      this.open.set(key, groups);
      const top = groups.at(-1);
      if (top?.turn === turn) top.calls.push(call);
      else groups.push({ turn, calls: [call], next: 0 });
    }
  }

  /** The call that a result answers; it does not wait any more. A second result goes to the same call again. */
  answer(callId: string | null, tool: string | null): OpenCall | null {
    if (callId !== null) return this.take(`id ${callId}`) ?? this.last.get(callId) ?? null;
    if (tool !== null) return this.take(`tool ${tool}`) ?? this.take("no id");
    return this.take("no id") ?? this.take("any");
  }

  private take(key: string): OpenCall | null {
    const groups = this.open.get(key) ?? [];
    for (let top = groups.at(-1); top; top = groups.at(-1)) {
      while (top.calls[top.next]?.isAnswered) top.next++;
      const call = top.calls[top.next];
      if (call) {
        call.isAnswered = true;
        return call;
      }
      groups.pop();
    }
    return null;
  }
}
