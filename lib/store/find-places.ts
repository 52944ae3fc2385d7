import type { TextField } from "@/lib/trajectory/texts";
import type { Place } from "@/lib/views/find";
import { database } from "./client";
import type { FindCursor } from "./find-cursor";
import { turnAtStep } from "./find-order";
import type { TextOwner } from "./item-texts";
import type { Reading } from "./reading";
import { type StoredItem, storedContextSchema, storedItemsSchema } from "./stored-item";

/** A text that is there to be searched. `step` and `at` name it in a cursor. */
export interface PlaceText {
  step: number;
  place: Place;
  owner: TextOwner;
  field: TextField;
  at: NonNullable<FindCursor["text"]>;
}

/** The way of a search: outward from `start` over all turns. */
export interface Way {
  start: number;
  turnCount: number;
  /** Where it goes on. */
  cursor: FindCursor;
}

/** Turns whose sizes are looked up at once, and characters of turns that are read at once. */
const PLAN_TURNS = 400;
const READ_CHARS = 1_000_000;
/** Context items read at once: most turns have none before them, a run without turns may have very many. */
const CONTEXTS = 100;

const FIELDS: readonly TextField[] = ["text", "arguments"];

/**
 * The texts of a run along the way: at each turn those of the context items before it, those of its items, and behind the
 * last turn what ends the run.
 */
export async function* textsOutward(reading: Reading, { start, turnCount, cursor }: Way): AsyncGenerator<PlaceText> {
  const total = Math.max(1, turnCount);
  let from = cursor.text;
  for (let step = cursor.step; step < total; ) {
    const planned = Array.from({ length: Math.min(PLAN_TURNS, total - step) }, (_, i) =>
      turnAtStep(step + i, Math.min(start, total - 1), total),
    );
    for (const turns of await readGroups(reading.importId, planned)) {
      for (const read of await readTurns(reading.importId, turns, total - 1)) {
        if (read.hasContexts && from?.of !== "item") yield* textsOfContexts(reading.importId, step, read, from?.n ?? 0);
        yield* textsOfItems(step, read, from?.of === "item" ? from.n : 0);
        from = null;
        step += 1;
      }
    }
  }
}

/** The texts of one turn, null when there is no such turn. */
export async function textsOfTurn({ importId }: Reading, index: number, from: FindCursor): Promise<PlaceText[] | null> {
  const row = await database().turn.findUnique({
    where: { importId_index: { importId, index } },
    select: { items: true },
  });
  return row === null ? null : [...textsOfItems(0, { turn: index, items: row.items }, from.text?.n ?? 0)];
}

/** The text of one context item, null when there is no such item. */
export async function textsOfContext({ importId }: Reading, n: number): Promise<PlaceText[] | null> {
  const row = await database().context.findUnique({
    where: { importId_n: { importId, n } },
    select: { n: true, beforeTurn: true, data: true },
  });
  return row === null ? null : [textOfContext(0, row)];
}

/** Turns in the groups in which they are read: few long ones, or many short ones. */
async function readGroups(importId: string, turns: readonly number[]): Promise<number[][]> {
  const rows = await database().turn.findMany({
    where: { importId, index: { in: [...turns] } },
    select: { index: true, sizeChars: true },
  });
  const sizes = new Map(rows.map(({ index, sizeChars }) => [index, sizeChars]));
  const groups: number[][] = [];
  let chars = Number.POSITIVE_INFINITY;
  for (const turn of turns) {
    const size = sizes.get(turn) ?? 0;
    if (chars + size > READ_CHARS) {
      groups.push([]);
      chars = 0;
    }
    groups.at(-1)?.push(turn);
    chars += size;
  }
  return groups;
}

interface ReadTurn {
  turn: number;
  /** As stored; none in a run without turns. */
  items: unknown;
  hasContexts: boolean;
  isLast: boolean;
}

async function readTurns(importId: string, turns: readonly number[], last: number): Promise<ReadTurn[]> {
  const rows = await database().turn.findMany({
    where: { importId, index: { in: [...turns] } },
    select: { index: true, items: true },
  });
  const contexts = await database().context.groupBy({
    by: ["beforeTurn"],
    where: { importId, beforeTurn: { in: turns.includes(last) ? [...turns, last + 1] : [...turns] } },
  });
  const withContexts = new Set(contexts.map(({ beforeTurn }) => beforeTurn));
  const items = new Map(rows.map((row) => [row.index, row.items]));
  return turns.map((turn) => ({
    turn,
    items: items.get(turn) ?? [],
    hasContexts: withContexts.has(turn) || (turn === last && withContexts.has(last + 1)),
    isLast: turn === last,
  }));
}

function* textsOfItems(step: number, { turn, items }: Pick<ReadTurn, "turn" | "items">, from: number) {
  for (const [index, owner] of storedItemsSchema.parse(items).entries()) {
    for (const [i, field] of FIELDS.entries()) {
      const n = index * FIELDS.length + i;
      if (n < from || !hasText(owner, field)) continue;
      yield { step, place: { turn, context: null }, owner, field, at: { of: "item", n } } satisfies PlaceText;
    }
  }
}

async function* textsOfContexts(importId: string, step: number, { turn, isLast }: ReadTurn, from: number) {
  const beforeTurn = isLast ? { in: [turn, turn + 1] } : turn;
  for (let next = from; ; ) {
    const rows = await database().context.findMany({
      where: { importId, beforeTurn, n: { gte: next } },
      orderBy: { n: "asc" },
      take: CONTEXTS,
      select: { n: true, beforeTurn: true, data: true },
    });
    for (const row of rows) yield textOfContext(step, row);
    const last = rows.at(-1);
    if (last === undefined || rows.length < CONTEXTS) return;
    next = last.n + 1;
  }
}

function textOfContext(step: number, row: { n: number; beforeTurn: number; data: unknown }): PlaceText {
  const owner = storedContextSchema.parse(row.data);
  const place = { turn: row.beforeTurn, context: row.n };
  return { step, place, owner, field: "text", at: { of: "context", n: row.n } };
}

function hasText(owner: TextOwner, field: TextField): boolean {
  if (owner.long?.[field]) return true;
  if (field === "text") return owner.text !== null && owner.text !== "";
  return "kind" in owner && owner.kind === "call" && owner.arguments !== null && !isInText(owner);
}

/** True when the only argument of a call is its text: the page shows that, and a match would count twice. */
function isInText({ text, arguments: given }: Extract<StoredItem, { kind: "call" }>): boolean {
  const values = Object.values(given ?? {});
  return values.length === 1 && text !== null && text !== "" && values[0] === text;
}
