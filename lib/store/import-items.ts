import type { ObservationFold } from "@/lib/folding/shape";
import type { ContextItem, Item, Turn } from "@/lib/trajectory/schema";
import { type TextField, textOf } from "@/lib/trajectory/texts";
import { isLong, measureText, shortPieces } from "./long-texts";
import type { StoredContext, StoredFold, StoredItem, StoredState } from "./stored-item";

/** A text that goes into `ItemText`. */
export interface LongItemText {
  itemId: string;
  field: TextField;
  text: string;
}

const CONTEXT_TITLE_CHARS = 200;

/**
 * An item as it is stored beside its turn; its long texts are handed to `keep`.
 * @param fold how the text of a result is folded, if anything of it is.
 */
export function storeItem(
  item: Item,
  keep: (long: LongItemText) => void,
  fold: ObservationFold | undefined,
): StoredItem {
  const text = takeLong(item, "text", keep);
  switch (item.kind) {
    case "call": {
      const given = takeLong(item, "arguments", keep);
      return {
        ...item,
        ...(text ? { text: "" } : {}),
        ...(given ? { arguments: null } : {}),
        ...(text || given ? { long: { ...(text ? { text } : {}), ...(given ? { arguments: given } : {}) } } : {}),
      };
    }
    case "result": {
      const { recorded: _, reads, ...rest } = item;
      const readPaths = [...new Set(reads.map((read) => read.path))];
      return {
        ...rest,
        readPaths,
        ...(text ? { text: "", long: { text } } : {}),
        ...(fold ? { fold: storeFold(item.text, fold) } : {}),
      };
    }
    default:
      return { ...item, ...(text ? { text: "", long: { text } } : {}) };
  }
}

function storeFold(text: string, fold: ObservationFold): StoredFold {
  const short = isLong(text) && fold.parts !== null ? shortPieces(text) : [];
  return short.length > 0 ? { ...fold, shortPieces: short } : fold;
}

function takeLong(item: Item, field: TextField, keep: (long: LongItemText) => void) {
  const text = textOf(item, field);
  if (text === null || !isLong(text)) return null;
  keep({ itemId: item.id, field, text });
  return measureText(text);
}

/** A context item as it is stored, with its title; a long text is handed to `keep`. */
export function storeContext(context: ContextItem, keep: (long: LongItemText) => void): StoredContext {
  const title = firstLine(context.text);
  if (!isLong(context.text)) return { ...context, title };
  keep({ itemId: context.id, field: "text", text: context.text });
  return { ...context, text: "", title, long: { text: measureText(context.text) } };
}

function firstLine(text: string): string {
  // Only the beginning can hold the title: a text of many megabytes is not split for one line.
  const line =
    text
      .slice(0, 4_000)
      .split("\n")
      .find((candidate) => candidate.trim() !== "") ?? "";
  const cut = line.trim().slice(0, CONTEXT_TITLE_CHARS);
  return cut.replaceAll(/[\ud800-\udfff]/gu, "");
}

/** The state of a turn without the cumulative diff. */
export function storeState(state: Turn["state"]): StoredState | null {
  if (state === null) return null;
  const { cumulativeDiff, ...rest } = state;
  return { ...rest, cumulativeDiffChars: cumulativeDiff?.length ?? null };
}
