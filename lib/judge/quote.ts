import { type ContextItem, type Item, type Trajectory, turnsOf } from "@/lib/trajectory/schema";
import type { TextField } from "@/lib/trajectory/texts";
import { unescapeDelimiters } from "./envelope";
import type { MaskedText, MaskedTrajectory, TextRange } from "./masked";

/** Shorter words stand anywhere and prove nothing. Without the white space around them. */
export const QUOTE_MIN_CHARS = 4;
/** What is longer is no quotation but a copy. */
export const QUOTE_MAX_CHARS = 2_000;

/** Words that a model claims to have read. `item` narrows the search when it gave one. */
export interface ClaimedQuotation {
  /** 0-based; null for what stands between turns. */
  turn: number | null;
  item: string | null;
  text: string;
}

/** Where the claimed words stand: the UTF-16 range of the item's original text that is exactly `text`. */
export interface QuotationPlace {
  item: string;
  turn: number | null;
  field: TextField;
  start: number;
  end: number;
  text: string;
}

export type QuotationRefusal =
  | "too_short"
  | "too_long"
  | "turn_out_of_range"
  | "no_such_item"
  /** The words do not stand there. */
  | "not_found"
  /** The words hold a mask, or a part of one. */
  | "masked";

export type ResolvedQuotation = { ok: true; place: QuotationPlace } | { ok: false; reason: QuotationRefusal };

/**
 * Finds the words that a model quotes in the masked texts that it could see (security test M1). They have to stand there
 * verbatim, but for white space at their ends, the form of line ends, and escapes: of the envelope, and in arguments of
 * JSON. The first place counts: in the order of the turn's items, text before arguments.
 */
export function resolveQuotation(
  trajectory: Trajectory,
  masked: MaskedTrajectory,
  claimed: ClaimedQuotation,
): ResolvedQuotation {
  const words = claimed.text.trim();
  if (words.length < QUOTE_MIN_CHARS) return { ok: false, reason: "too_short" };
  if (words.length > QUOTE_MAX_CHARS) return { ok: false, reason: "too_long" };
  const found = textsAt(trajectory, masked, claimed.turn);
  if (found === null) return { ok: false, reason: "turn_out_of_range" };
  const searched = claimed.item === null ? found : found.filter(({ item }) => item === claimed.item);
  if (searched.length === 0) return { ok: false, reason: "no_such_item" };
  let isMasked = false;
  for (const { item, field, text } of searched) {
    const range = findWords(text, words, field);
    if (range === null) continue;
    const place = text.originalRange(range);
    if (place !== null) {
      const quoted = text.original.slice(place.start, place.end);
      return { ok: true, place: { item, turn: claimed.turn, field, ...place, text: quoted } };
    }
    isMasked = true;
  }
  return { ok: false, reason: isMasked ? "masked" : "not_found" };
}

/**
 * As `resolveQuotation`, in a single text that is no part of the trace, such as the failing report.
 */
export function resolveInText(
  text: MaskedText,
  claimed: string,
): { ok: true; place: TextRange & { text: string } } | { ok: false; reason: QuotationRefusal } {
  const words = claimed.trim();
  if (words.length < QUOTE_MIN_CHARS) return { ok: false, reason: "too_short" };
  if (words.length > QUOTE_MAX_CHARS) return { ok: false, reason: "too_long" };
  const range = findWords(text, words, "text");
  if (range === null) return { ok: false, reason: "not_found" };
  const place = text.originalRange(range);
  if (place === null) return { ok: false, reason: "masked" };
  return { ok: true, place: { ...place, text: text.original.slice(place.start, place.end) } };
}

/** What is wrong with a quotation, for the model that gave it. */
export const REFUSAL_WORDS: Record<QuotationRefusal, string> = {
  too_short: `it is shorter than ${QUOTE_MIN_CHARS} characters`,
  too_long: `it is longer than ${QUOTE_MAX_CHARS} characters`,
  turn_out_of_range: "there is no such turn",
  no_such_item: "the turn has no such item",
  not_found: "these words do not stand there; copy them exactly as they are shown",
  masked: "it holds a [redacted:...] mask; quote words without one",
};

interface SearchedText {
  item: string;
  field: TextField;
  text: MaskedText;
}

function textsAt(trajectory: Trajectory, masked: MaskedTrajectory, turn: number | null): SearchedText[] | null {
  if (turn === null) {
    return trajectory.entries
      .filter((entry): entry is ContextItem => entry.kind === "context")
      .map((context) => ({ item: context.id, field: "text", text: masked.contextText(context) }));
  }
  const found = turnsOf(trajectory).find((one) => one.index === turn);
  return found === undefined ? null : found.items.flatMap((item) => textsOfItem(masked, item));
}

function textsOfItem(masked: MaskedTrajectory, item: Item): SearchedText[] {
  return (["text", "arguments"] as const).flatMap((field) => {
    const text = masked.textOf(item, field);
    return text === null ? [] : [{ item: item.id, field, text }];
  });
}

function findWords({ text }: MaskedText, words: string, field: TextField): TextRange | null {
  for (const needle of readings(words, field)) {
    const start = text.indexOf(needle);
    if (start !== -1) return { start, end: start + needle.length };
  }
  return null;
}

/** The ways in which the same words may stand in a text. */
function readings(words: string, field: TextField): Set<string> {
  const plain = unescapeDelimiters(words);
  const lines = plain.replaceAll("\r\n", "\n");
  const asMeant = [words, plain, lines, lines.replaceAll("\n", "\r\n")];
  if (field === "text") return new Set(asMeant);
  return new Set([...asMeant, ...asMeant.map((one) => JSON.stringify(one).slice(1, -1))]);
}
