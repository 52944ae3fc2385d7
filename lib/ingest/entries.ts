import type {
  CallItem,
  ContextItem,
  Entry,
  FailureContext,
  Item,
  OpaqueItem,
  RawSpan,
  ResultItem,
  TextItem,
  Turn,
} from "@/lib/trajectory/schema";

type Given<T extends Item> = Omit<T, "id" | "arrival">;
/** An item without what the writer assigns. */
export type NewItem = Given<TextItem> | Given<CallItem> | Given<ResultItem> | Given<OpaqueItem>;

/** Author and parts of the items that differ little from format to format. */
export const AGENT = { role: "agent" as const, name: null };
export const HARNESS = { role: "harness" as const, name: null };
export const PERSON = { role: "person" as const, name: null };

/** A turn without what the writer assigns; set `endedAt`, `usage` and the like on the turn that it returns. */
export type NewTurn = Pick<Turn, "sourceSteps" | "agent"> & Partial<Omit<Turn, "kind" | "index" | "items">>;

/**
 * Writes entries in trace order and gives out what must be the same for the same bytes: indices, identifiers and the
 * order of arrival. Everything arrives in the order in which it is added.
 */
export class EntryWriter {
  readonly entries: Entry[] = [];
  private turns = 0;
  private contexts = 0;
  private arrivals = 0;
  private readonly itemCounts = new Map<Turn, number>();

  /** The number of turns so far. */
  get turnCount(): number {
    return this.turns;
  }

  /** Adds something that stands between turns. */
  addContext(context: Omit<ContextItem, "kind" | "id" | "arrival">): ContextItem {
    const entry: ContextItem = { kind: "context", id: `c${this.contexts++}`, arrival: this.arrivals++, ...context };
    this.entries.push(entry);
    return entry;
  }

  /** Begins a turn at the end of the entries. */
  addTurn(given: NewTurn): Turn {
    const turn: Turn = {
      kind: "turn",
      index: this.turns++,
      parentTurn: null,
      branch: null,
      model: null,
      usage: null,
      startedAt: null,
      endedAt: null,
      state: null,
      ...given,
      items: [],
    };
    this.entries.push(turn);
    return turn;
  }

  /** Adds an item to any turn. A result stands behind its call and the earlier results of that call, others at the end. */
  addItem<T extends NewItem>(turn: Turn, given: T): T & { id: string; arrival: number } {
    const n = this.itemCounts.get(turn) ?? 0;
    this.itemCounts.set(turn, n + 1);
    // Assigned in place: copying every item costs more than anything else here.
    const item = Object.assign(given, { id: `t${turn.index}.${n}`, arrival: this.arrivals++ });
    const call =
      given.kind === "result" && given.callItem !== null
        ? turn.items.findIndex((other) => other.id === given.callItem)
        : -1;
    if (call === -1) turn.items.push(item);
    else {
      let at = call + 1;
      for (let other = turn.items[at]; other?.kind === "result"; other = turn.items[at]) at++;
      turn.items.splice(at, 0, item);
    }
    return item;
  }
}

/** A result of which nothing but the text is known. */
export function plainResult(
  text: string,
  raw: RawSpan[],
  more: Partial<Omit<ResultItem, "kind" | "id" | "arrival">> = {},
): Given<ResultItem> {
  return {
    kind: "result",
    author: { role: "tool", name: null },
    raw,
    callItem: null,
    callId: null,
    text,
    isError: null,
    exitCode: null,
    isCut: false,
    durationMs: null,
    recorded: [],
    reads: [],
    ...more,
  };
}

/** What a trace says about its failure when it says nothing. */
export function unknownFailure(): FailureContext {
  return {
    outcome: "unknown",
    failingTestCode: null,
    errorReport: null,
    referencePatch: null,
    verification: [],
    source: "trace",
  };
}
