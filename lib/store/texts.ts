import { z } from "zod";
import { TEXT_PIECE_CHARS } from "@/lib/catalogue/limits";
import { safeEnd } from "@/lib/trajectory/text-cuts";
import type { TextField } from "@/lib/trajectory/texts";
import type { TextPiece } from "@/lib/views/turn";
import { database } from "./client";
import { inlineText, longText, type TextOwner } from "./item-texts";
import { checkNumber, openReading, type Reading } from "./reading";
import { checkId, type ReadScope } from "./scope";
import { storedContextSchema, storedItemsSchema } from "./stored-item";

export interface TextPosition {
  item: string;
  field: TextField;
  /** UTF-16 units. */
  offset: number;
}

/**
 * A piece of a text of an item, of at most 65,536 characters and never ending inside a surrogate pair. Null when the
 * scope has no such text. An offset past the end gives an empty piece without a next one.
 */
export async function getTextPiece(scope: ReadScope, id: string, position: TextPosition): Promise<TextPiece | null> {
  const itemId = checkItemId(position.item);
  const field = z.enum(["text", "arguments"]).parse(position.field);
  const offset = checkNumber(position.offset);
  const reading = await openReading(scope, id);
  if (reading === null) return null;
  const whole = (await longText(reading, itemId, field)) ?? (await shortText(reading, itemId, field));
  if (whole === null) return null;
  const start = Math.min(offset, whole.length);
  let end = safeEnd(whole, Math.min(start + TEXT_PIECE_CHARS, whole.length));
  if (end <= start) end = Math.min(start + 1, whole.length);
  return {
    item: itemId,
    field,
    offset: start,
    text: whole.slice(start, end),
    totalChars: whole.length,
    nextOffset: end < whole.length ? end : null,
  };
}

const ITEM_ID_MAX_CHARS = 200;

/** An item's id is our own (`t12.3`), but its alphabet is the format's business: any short text may be asked for. */
function checkItemId(id: unknown): string {
  return typeof id === "string" && id.length <= ITEM_ID_MAX_CHARS && !id.includes("\0") ? id : checkId("");
}

/** The text of an item that is stored with it: found in its turn, or among what stands between turns. */
async function shortText(reading: Reading, itemId: string, field: TextField): Promise<string | null> {
  const owner = await ownerOf(reading.importId, itemId);
  return owner === null ? null : inlineText(reading, owner, field);
}

async function ownerOf(importId: string, itemId: string): Promise<TextOwner | null> {
  const wanted = JSON.stringify([{ id: itemId }]);
  const turns = await database().$queryRaw<{ items: unknown }[]>`
    SELECT "items" FROM "Turn" WHERE "importId" = ${importId} AND "items"::jsonb @> ${wanted}::jsonb LIMIT 1`;
  const items = turns[0] === undefined ? [] : storedItemsSchema.parse(turns[0].items);
  const item = items.find((one) => one.id === itemId);
  if (item !== undefined) return item;
  const context = await database().context.findFirst({
    where: { importId, data: { path: ["id"], equals: itemId } },
    select: { data: true },
  });
  return context === null ? null : storedContextSchema.parse(context.data);
}
