import { foldObservation } from "@/lib/folding/fold";
import type { KeptRange, ObservationFold } from "@/lib/folding/shape";
import type { FoldView } from "@/lib/views/fold";
import { database } from "./client";
import { inlineText, longText } from "./item-texts";
import { pieceAt, pieceStart } from "./long-texts";
import type { Reading } from "./reading";
import type { StoredFold, StoredItem } from "./stored-item";

type FoldedResult = Extract<StoredItem, { kind: "result" }> & { fold: StoredFold };

/**
 * How the results among some items are folded, by item, with the texts of the parts that stay. For an owner these are the
 * stored parts, read from only the pieces that they touch. For a share the text is masked as a whole first and folded
 * then: a mask moves what comes after it, and a part must never begin inside a secret.
 */
export async function foldsOfItems(reading: Reading, items: readonly StoredItem[]): Promise<Map<string, FoldView>> {
  const folded = items.filter((item): item is FoldedResult => item.kind === "result" && item.fold !== undefined);
  return reading.projection.isShared ? foldMasked(reading, folded) : readStored(reading, folded);
}

async function foldMasked(reading: Reading, items: readonly FoldedResult[]): Promise<Map<string, FoldView>> {
  const views = new Map<string, FoldView>();
  for (const item of items) {
    const text = inlineText(reading, item, "text") ?? (await longText(reading, item.id, "text"));
    const fold = text === null ? null : foldObservation(text);
    if (text !== null && fold !== null)
      views.set(
        item.id,
        viewOf(fold, ({ start, end }) => text.slice(start, end)),
      );
  }
  return views;
}

async function readStored(reading: Reading, items: readonly FoldedResult[]): Promise<Map<string, FoldView>> {
  const pieces = await readPieces(reading.importId, items);
  return new Map(
    items.map((item) => {
      const short = item.fold.shortPieces ?? [];
      const textOf = ({ start, end }: KeptRange): string | null => {
        if (!item.long?.text) return item.text.slice(start, end);
        const touched = touchedPieces({ start, end }, short).map((piece) => pieces.get(`${piece} ${item.id}`));
        if (touched.includes(undefined)) return null;
        const from = start - pieceStart(pieceAt(start, short), short);
        return touched.join("").slice(from, from + end - start);
      };
      return [item.id, viewOf(item.fold, textOf)];
    }),
  );
}

function viewOf(fold: ObservationFold, textOf: (range: KeptRange) => string | null): FoldView {
  const { parts, paper } = fold;
  const kept = parts?.kept.map((range) => ({ ...range, text: textOf(range) })) ?? [];
  return { parts: parts === null ? null : { kept, leftOut: parts.leftOut }, paper };
}

function touchedPieces({ start, end }: { start: number; end: number }, short: readonly number[]): number[] {
  const first = pieceAt(start, short);
  const last = pieceAt(Math.max(start, end - 1), short);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** The pieces of long texts that parts touch, under their number and item. */
async function readPieces(importId: string, items: readonly FoldedResult[]): Promise<Map<string, string>> {
  const wanted = new Map<string, { item: string; piece: number }>();
  for (const item of items) {
    if (!item.long?.text || item.fold.parts === null) continue;
    for (const range of item.fold.parts.kept) {
      for (const piece of touchedPieces(range, item.fold.shortPieces ?? [])) {
        wanted.set(`${piece} ${item.id}`, { item: item.id, piece });
      }
    }
  }
  if (wanted.size === 0) return new Map();
  const asked = [...wanted.values()];
  const rows = await database().$queryRaw<{ itemId: string; piece: number; text: string }[]>`
    SELECT t."itemId", t."piece", t."text"
    FROM unnest(${asked.map(({ item }) => item)}::text[], ${asked.map(({ piece }) => piece)}::int[]) AS w("item", "n")
    JOIN "ItemText" t
      ON t."importId" = ${importId} AND t."itemId" = w."item" AND t."field" = 'text' AND t."piece" = w."n"`;
  return new Map(rows.map((row) => [`${row.piece} ${row.itemId}`, row.text]));
}
