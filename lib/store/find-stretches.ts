import type { TextField } from "@/lib/trajectory/texts";
import { database } from "./client";
import type { FindCursor } from "./find-cursor";
import type { PlaceText } from "./find-places";
import type { TextStretch } from "./find-text";
import { inlineText, longText, textKey } from "./item-texts";
import type { Reading } from "./reading";

/** Characters and texts whose beginnings are read together. */
const BATCH_CHARS = 1_000_000;
const BATCH_TEXTS = 200;
/** Stored pieces of one text that are read at once: half a million characters. */
const PIECES = 8;
const PIECES_CHARS = PIECES * 65_536;

interface Piece {
  piece: number;
  text: string;
}

/** A text with the beginning of what is stored of it, where that was read with others. */
export interface ReadText {
  text: PlaceText;
  pieces: readonly Piece[] | null;
}

/** Reads the beginnings of an owner's long texts, many at once; everything else passes as it is. */
export async function* readAhead(
  reading: Reading,
  texts: AsyncIterable<PlaceText> | Iterable<PlaceText>,
): AsyncGenerator<ReadText> {
  let batch: PlaceText[] = [];
  let chars = 0;
  for await (const text of texts) {
    batch.push(text);
    chars += Math.min(PIECES_CHARS, text.owner.long?.[text.field]?.chars ?? text.owner.text?.length ?? 0);
    if (chars < BATCH_CHARS && batch.length < BATCH_TEXTS) continue;
    yield* readBatch(reading, batch);
    batch = [];
    chars = 0;
  }
  yield* readBatch(reading, batch);
}

async function* readBatch(reading: Reading, batch: readonly PlaceText[]): AsyncGenerator<ReadText> {
  const long = reading.projection.isShared ? [] : batch.filter(({ owner, field }) => owner.long?.[field]);
  const pieces = new Map<string, Piece[]>();
  if (long.length > 0) {
    const itemIds = [...new Set(long.map(({ owner }) => owner.id))];
    const rows = await database().$queryRaw<(Piece & { itemId: string; field: TextField })[]>`
      SELECT "itemId", "field", "piece", "text" FROM "ItemText"
      WHERE "importId" = ${reading.importId} AND "itemId" = ANY(${itemIds}) AND "piece" < ${PIECES}
      ORDER BY "itemId", "field", "piece"`;
    for (const { itemId, field, piece, text } of rows) {
      const key = textKey(itemId, field);
      pieces.set(key, [...(pieces.get(key) ?? []), { piece, text }]);
    }
  }
  for (const text of batch) yield { text, pieces: pieces.get(textKey(text.owner.id, text.field)) ?? null };
}

/**
 * A text as its reader sees it, in stretches: an owner's long text as it is stored, from a piece on; a share's as a whole,
 * because it is masked as a whole.
 */
export async function* stretchesOf(
  reading: Reading,
  { text: { owner, field }, pieces }: ReadText,
  from: Pick<FindCursor, "piece" | "pieceStart">,
): AsyncGenerator<TextStretch> {
  const size = owner.long?.[field];
  if (!size || reading.projection.isShared) {
    const text = size ? await longText(reading, owner.id, field) : inlineText(reading, owner, field);
    if (text !== null) yield { n: 0, start: 0, text, isLast: true };
    return;
  }
  let { piece, pieceStart: start } = from;
  let rows = (piece === 0 ? pieces : null) ?? (await piecesFrom(reading, { item: owner.id, field, piece }));
  while (rows.length > 0) {
    for (const row of rows) {
      const end = start + row.text.length;
      yield { n: row.piece, start, text: row.text, isLast: end >= size.chars };
      start = end;
      piece = row.piece + 1;
    }
    rows = start < size.chars ? await piecesFrom(reading, { item: owner.id, field, piece }) : [];
  }
}

function piecesFrom(reading: Reading, from: { item: string; field: TextField; piece: number }): Promise<Piece[]> {
  return database().itemText.findMany({
    where: { importId: reading.importId, itemId: from.item, field: from.field, piece: { gte: from.piece } },
    orderBy: { piece: "asc" },
    take: PIECES,
    select: { piece: true, text: true },
  });
}
