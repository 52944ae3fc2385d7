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
    // Member by member: to spread one object into the middle of another takes several times as long.
    const { agent, sourceSteps, parentTurn = null, branch = null, model = null, usage = null } = given;
    const { startedAt = null, endedAt = null, state = null } = given;
    const turn: Turn = {
      kind: "turn",
      index: this.turns++,
      parentTurn,
      branch,
      model,
      usage,
      startedAt,
      endedAt,
      state,
      agent,
      sourceSteps,
      items: [],
    };
    this.entries.push(turn);
    return turn;
  }

  /** Adds an item to any turn; `finish` puts results behind their calls. */
  addItem<T extends NewItem>(turn: Turn, given: T): T & { id: string; arrival: number } {
    const n = turn.items.length;
    // Assigned in place: copying every item costs more than anything else here.
    const item = Object.assign(given, { id: `t${turn.index}.${n}`, arrival: this.arrivals++ });
    turn.items.push(item);
    return item;
  }

  /** Puts each result behind its call and the earlier results of that call. Call it once, after the last item. */
  finish(): Entry[] {
    for (const entry of this.entries) if (entry.kind === "turn") entry.items = inReadingOrder(entry.items);
    return this.entries;
  }
}

function inReadingOrder(items: Item[]): Item[] {
  // Nearly every turn is written so, and sorting costs more than all else here.
  if (items.every((item, n) => isInPlace(item, items[n - 1]))) return items;
  const answers = new Map<string, Item[]>();
  const calls = new Set(items.filter((item) => item.kind === "call").map((item) => item.id));
  const others: Item[] = [];
  for (const item of items) {
    const call = item.kind === "result" ? item.callItem : null;
    if (call === null || !calls.has(call)) others.push(item);
    else {
      const known = answers.get(call);
      if (known) known.push(item);
      else answers.set(call, [item]);
    }
  }
  return others.flatMap((item) => [item, ...(answers.get(item.id) ?? [])]);
}

/** True for what is no result of a call, and for a result right behind its call or another result of that call. */
function isInPlace(item: Item, before: Item | undefined): boolean {
  if (item.kind !== "result" || item.callItem === null) return true;
  return before?.id === item.callItem || (before?.kind === "result" && before.callItem === item.callItem);
}

/** A result of which nothing but the text is known. */
export function plainResult(
  text: string,
  raw: RawSpan[],
  more: Partial<Omit<ResultItem, "kind" | "id" | "arrival">> = {},
): Given<ResultItem> {
  // Member by member, as a turn.
  return {
    kind: "result",
    author: more.author ?? { role: "tool", name: null },
    raw: more.raw ?? raw,
    callItem: more.callItem ?? null,
    callId: more.callId ?? null,
    text: more.text ?? text,
    isError: more.isError ?? null,
    exitCode: more.exitCode ?? null,
    isCut: more.isCut ?? false,
    durationMs: more.durationMs ?? null,
    recorded: more.recorded ?? [],
    reads: more.reads ?? [],
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
