import { TEXT_PIECE_CHARS } from "@/lib/catalogue/limits";
import { LONG_TEXT_CHARS, type LongText } from "./stored-item";

/** True when a text is kept in `ItemText` and not beside its item. */
export function isLong(text: string): boolean {
  return text.length > LONG_TEXT_CHARS;
}

/** The size of a text as `long` records it. */
export function measureText(text: string): LongText {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lines += 1;
  return { chars: text.length, lines };
}

/**
 * Cuts a text into pieces of at most `limit` UTF-16 units that join to exactly the text. No cut falls inside a surrogate
 * pair, so that each piece is text of its own and can be stored as UTF-8.
 */
export function splitText(text: string, limit: number = TEXT_PIECE_CHARS): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    let end = Math.min(text.length, at + limit);
    if (end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) && end - at > 1) end -= 1;
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
