import type { Item } from "@/lib/trajectory/schema";
import { type TextField, textOf } from "@/lib/trajectory/texts";
import type { Quotation } from "./verdict";

/** Longest quotation in UTF-16 units; what is quoted can be opened whole. */
export const QUOTATION_MAX_CHARS = 240;

/**
 * Quotes the UTF-16 range `start`..`end` of an item's text, without the white space around it, cut at
 * QUOTATION_MAX_CHARS and never inside a surrogate pair. Null when nothing is left to quote.
 */
export function quoteRange(item: Item, turn: number, field: TextField, start: number, end: number): Quotation | null {
  const text = textOf(item, field);
  if (text === null) return null;
  let from = Math.max(0, start);
  let to = Math.min(text.length, end, from + QUOTATION_MAX_CHARS * 4);
  while (from < to && isSpace(text.charCodeAt(from))) from += 1;
  to = Math.min(to, from + QUOTATION_MAX_CHARS);
  if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  if (to <= from) return null;
  return { item: item.id, turn, field, start: from, end: to, text: text.slice(from, to) };
}

/** Quotes `needle` where it stands first in the text (in arguments: as JSON writes it); null when it does not. */
export function quoteText(item: Item, turn: number, field: TextField, needle: string): Quotation | null {
  const text = textOf(item, field);
  if (text === null || needle === "") return null;
  const searched = field === "arguments" ? JSON.stringify(needle).slice(1, -1) : needle;
  const at = text.indexOf(searched);
  return at === -1 ? null : quoteRange(item, turn, field, at, at + searched.length);
}

/** Quotes the line of an item's text that holds `needle`; null when the text does not hold it. */
export function quoteLineWith(item: Item, turn: number, needle: string): Quotation | null {
  const text = textOf(item, "text");
  const at = text === null || needle === "" ? -1 : text.indexOf(needle);
  if (text === null || at === -1) return null;
  const lineStart = text.lastIndexOf("\n", at - 1) + 1;
  const lineEnd = text.indexOf("\n", at);
  // A very long line is quoted from the needle on, so that what matters is inside the quotation.
  const from = at - lineStart > QUOTATION_MAX_CHARS - needle.length ? at : lineStart;
  return quoteRange(item, turn, "text", from, lineEnd === -1 ? text.length : lineEnd);
}

/** Quotes the first line that says something; for calls the command line, else the arguments. */
export function quoteOpening(item: Item, turn: number): Quotation | null {
  const fields: TextField[] = ["text", "arguments"];
  for (const field of fields) {
    const text = textOf(item, field);
    if (text === null) continue;
    const from = text.search(field === "text" ? /\S/ : /[^\s{]/);
    if (from === -1) continue;
    const lineEnd = text.indexOf("\n", from);
    const quotation = quoteRange(item, turn, field, from, lineEnd === -1 ? text.length : lineEnd);
    if (quotation !== null) return quotation;
  }
  return null;
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
