import { countNewlines } from "@/lib/artefact/lines";
import { TEXT_PIECE_CHARS } from "@/lib/catalogue/limits";
import { safeEnd } from "@/lib/trajectory/text-cuts";
import { LONG_TEXT_CHARS, type LongText } from "./stored-item";

/** True when a text is kept in `ItemText` and not beside its item. */
export function isLong(text: string): boolean {
  return text.length > LONG_TEXT_CHARS;
}

/**
 * The numbers of the pieces of a text that `splitText` makes shorter than the limit, without the last one: each by one
 * unit, because a pair lies across its end.
 */
export function shortPieces(text: string): number[] {
  const short: number[] = [];
  let at = 0;
  for (let piece = 0; at + TEXT_PIECE_CHARS < text.length; piece += 1) {
    const end = safeEnd(text, at + TEXT_PIECE_CHARS);
    if (end - at < TEXT_PIECE_CHARS) short.push(piece);
    at = end;
  }
  return short;
}

/** Where a piece begins in its text, in UTF-16 units. */
export function pieceStart(piece: number, short: readonly number[]): number {
  return piece * TEXT_PIECE_CHARS - short.filter((each) => each < piece).length;
}

/** The piece in which an offset of a text stands. */
export function pieceAt(offset: number, short: readonly number[]): number {
  // Pieces before it are shorter by less than a piece in all, so it is this one or the next.
  let piece = Math.floor(offset / TEXT_PIECE_CHARS);
  while (pieceStart(piece + 1, short) <= offset) piece += 1;
  return piece;
}

/** The size of a text as `long` records it. */
export function measureText(text: string): LongText {
  return { chars: text.length, lines: countNewlines(text) + 1 };
}

/**
 * Cuts a text into pieces of at most `limit` UTF-16 units that join to exactly the text. No cut falls inside a surrogate
 * pair, so that each piece is text of its own and can be stored as UTF-8.
 */
export function splitText(text: string, limit: number = TEXT_PIECE_CHARS): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    // A limit of one unit splits a pair rather than never ending.
    const end = Math.max(safeEnd(text, at + limit), at + 1);
    pieces.push(text.slice(at, end));
    at = end;
  }
  return pieces;
}
