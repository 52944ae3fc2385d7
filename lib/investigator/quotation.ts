import type { Item } from "@/lib/trajectory/schema";
import { safeEnd } from "@/lib/trajectory/text-cuts";
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
  to = safeEnd(text, to);
  while (to > from && isSpace(text.charCodeAt(to - 1))) to -= 1;
  if (to <= from) return null;
  return { item: item.id, turn, field, start: from, end: to, text: text.slice(from, to) };
}

/** Occurrences of a needle that are looked at before the first of them is taken. */
const OCCURRENCES_MAX = 100;

/**
 * Quotes `needle` where it stands first by itself and not as a part of a longer word, else where it stands first at all
 * (in arguments: as JSON writes it); null when the text does not hold it.
 */
export function quoteText(item: Item, turn: number, field: TextField, needle: string): Quotation | null {
  const text = textOf(item, field);
  if (text === null || needle === "") return null;
  const searched = field === "arguments" ? JSON.stringify(needle).slice(1, -1) : needle;
  const first = text.indexOf(searched);
  if (first === -1) return null;
  let at = first;
  for (let n = 0; at !== -1 && n < OCCURRENCES_MAX && !standsAlone(text, at, at + searched.length); n++)
    at = text.indexOf(searched, at + 1);
  const start = at === -1 ? first : at;
  return quoteRange(item, turn, field, start, start + searched.length);
}

/** True when neither end of a range cuts a word in two. JSON writes line breaks and tabs as a letter behind a backslash. */
function standsAlone(text: string, start: number, end: number): boolean {
  const before = text.slice(Math.max(0, start - 2), start);
  const cutsStart = /\w/.test(text.charAt(start)) && /\w$/.test(before) && !/\\[ntr]$/.test(before);
  return !cutsStart && !(/\w/.test(text.charAt(end - 1)) && /\w/.test(text.charAt(end)));
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

/** The first line with a word in it. */
const OPENING_LINE = /^(?=[^\n]*?[\p{L}\p{N}]{2})/mu;

/** Quotes the first line that says something; for calls the command line, else the arguments. */
export function quoteOpening(item: Item, turn: number): Quotation | null {
  const fields: TextField[] = ["text", "arguments"];
  for (const field of fields) {
    const text = textOf(item, field);
    if (text === null) continue;
    const telling = text.search(OPENING_LINE);
    const from = telling === -1 ? text.search(field === "text" ? /\S/ : /[^\s{]/) : telling;
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
