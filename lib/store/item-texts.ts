import type { TextField } from "@/lib/trajectory/texts";
import { database } from "./client";
import type { Reading } from "./reading";
import type { StoredContext, StoredItem } from "./stored-item";
import { TextCache } from "./text-cache";
import { endsOf, type TextEnds } from "./text-cut";

/** A stored item or context item: what a text can belong to. */
export type TextOwner = StoredItem | StoredContext;

/** 128 MB of UTF-16 for the texts that pages are leafing through. */
const wholeTexts = new TextCache(64_000_000);

/** Enough pieces at each end for a head and a tail; only the last one may be shorter than 65,535 characters. */
const END_PIECES = 2;

/** The key of a text of an item among those of a turn. */
export function textKey(itemId: string, field: TextField): string {
  return `${field} ${itemId}`;
}

/** The text of an item that is stored with it, masked; null when the item has none or it is stored in pieces. */
export function inlineText(reading: Reading, owner: TextOwner, field: TextField): string | null {
  const { projection } = reading;
  if (field === "text") return owner.long?.text || owner.text === null ? null : projection.whole(owner.text);
  if (!("kind" in owner) || owner.kind !== "call" || owner.arguments === null) return null;
  return projection.argumentsText(JSON.stringify(owner.arguments, null, 2));
}

/**
 * The ends of every text of some items, masked, under `textKey`. For an owner only the outer pieces of long texts are
 * read; for a share each text is read and masked as a whole first.
 */
export async function endsOfTexts(reading: Reading, owners: readonly TextOwner[]): Promise<Map<string, TextEnds>> {
  const ends = new Map<string, TextEnds>();
  const long: { owner: TextOwner; field: TextField }[] = [];
  for (const owner of owners) {
    for (const field of FIELDS) {
      const inline = inlineText(reading, owner, field);
      if (inline !== null) ends.set(textKey(owner.id, field), endsOf(inline));
      else if (owner.long?.[field]) long.push({ owner, field });
    }
  }
  if (long.length === 0) return ends;
  if (reading.projection.isShared) {
    for (const { owner, field } of long) {
      const whole = await longText(reading, owner.id, field);
      if (whole !== null) ends.set(textKey(owner.id, field), endsOf(whole));
    }
    return ends;
  }
  const pieces = await outerPieces(
    reading.importId,
    long.map(({ owner }) => owner.id),
  );
  for (const { owner, field } of long) {
    const size = owner.long?.[field];
    const found = pieces.get(textKey(owner.id, field));
    if (!size || !found) continue;
    ends.set(textKey(owner.id, field), { ...found, totalChars: size.chars, totalLines: size.lines });
  }
  return ends;
}

const FIELDS: readonly TextField[] = ["text", "arguments"];

interface Piece {
  itemId: string;
  field: string;
  piece: number;
  last: number;
  text: string;
}

async function outerPieces(importId: string, itemIds: string[]): Promise<Map<string, { first: string; last: string }>> {
  const rows = await database().$queryRaw<Piece[]>`
    SELECT t."itemId", t."field", t."piece", m."last", t."text"
    FROM (
      SELECT "itemId", "field", max("piece") AS "last" FROM "ItemText"
      WHERE "importId" = ${importId} AND "itemId" = ANY(${itemIds}) GROUP BY "itemId", "field"
    ) m
    JOIN "ItemText" t ON t."importId" = ${importId} AND t."itemId" = m."itemId" AND t."field" = m."field"
    WHERE t."piece" < ${END_PIECES} OR t."piece" > m."last" - ${END_PIECES}
    ORDER BY t."itemId", t."field", t."piece"`;
  const found = new Map<string, { first: string; last: string }>();
  for (const row of rows) {
    const key = `${row.field} ${row.itemId}`;
    const ends = found.get(key) ?? { first: "", last: "" };
    // A text of a few pieces is here as a whole: then both ends are all of it.
    const isShort = row.last < 2 * END_PIECES;
    if (isShort || row.piece < END_PIECES) ends.first += row.text;
    if (isShort || row.piece > row.last - END_PIECES) ends.last += row.text;
    found.set(key, ends);
  }
  return found;
}

/** A text that is stored in pieces, joined and masked as a whole; null when there is none. */
export async function longText(reading: Reading, itemId: string, field: TextField): Promise<string | null> {
  const { scope, importId, projection } = reading;
  const reader = scope.kind === "share" ? `share ${scope.shareId}` : "owner";
  const cached = await wholeTexts.get(`${reader} ${importId} ${field} ${itemId}`, async () => {
    const rows = await database().itemText.findMany({
      where: { importId, itemId, field },
      orderBy: { piece: "asc" },
      select: { text: true },
    });
    if (rows.length === 0) return null;
    const raw = rows.map((row) => row.text).join("");
    const fork = projection.fork();
    const text = field === "arguments" ? fork.argumentsText(raw) : fork.whole(raw);
    return { text, secrets: fork.met() };
  });
  if (cached === null) return null;
  projection.remember(cached.secrets);
  return cached.text;
}

/** The beginning of the texts of some items, enough for a title: lets the projection meet the secrets in them. */
export async function meetSecrets(reading: Reading, owners: readonly TextOwner[]): Promise<void> {
  if (!reading.projection.isShared) return;
  const long: string[] = [];
  for (const owner of owners) {
    for (const field of FIELDS) inlineText(reading, owner, field);
    if (owner.long) long.push(owner.id);
  }
  if (long.length === 0) return;
  const rows = await database().itemText.findMany({
    where: { importId: reading.importId, itemId: { in: long }, piece: 0 },
    select: { text: true },
  });
  for (const row of rows) reading.projection.whole(row.text);
}
