import type { Write } from "@/lib/artefact/model";
import type { CallItem, Item, Turn } from "@/lib/trajectory/schema";
import { QUOTATION_MAX_CHARS, quoteLineWith, quoteOpening, quoteText } from "./quotation";
import type { Quotation } from "./verdict";
import { tellingLines } from "./written-lines";

/** The calls of a turn, in order; none for a turn that there is not. */
export function callsOf(turn: Turn | undefined): CallItem[] {
  return turn === undefined ? [] : turn.items.filter((item): item is CallItem => item.kind === "call");
}

/** Quotes the first line that a write brings in, else the first that it takes away, else its call's opening. */
export function quoteWrite(item: Item, turn: number, write: Write): Quotation | null {
  const taken = (write.fragment?.before ?? "").split("\n").map((line) => line.trim());
  const lines = [...tellingLines(write).map(({ line }) => line), ...taken.filter((line) => line.length > 2)];
  for (const line of lines.slice(0, 20)) {
    const needle = line.slice(0, QUOTATION_MAX_CHARS / 2);
    const quotation = quoteText(item, turn, "text", needle) ?? quoteText(item, turn, "arguments", needle);
    if (quotation !== null) return quotation;
  }
  return quoteOpening(item, turn);
}

/** Quotes the line of a turn's thoughts that holds `name`, else how they begin; null for a turn that says nothing. */
export function quoteThought(turn: Turn | undefined, name: string): Quotation | null {
  if (turn === undefined) return null;
  const said = turn.items.filter((item) => item.kind === "thought" || item.kind === "message" || item.kind === "plan");
  for (const item of said) {
    const quotation = quoteLineWith(item, turn.index, name);
    if (quotation !== null) return quotation;
  }
  const first = said[0];
  return first === undefined ? null : quoteOpening(first, turn.index);
}
