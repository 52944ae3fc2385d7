import type { Item } from "./schema";

/** The two texts that an item can have. */
export type TextField = "text" | "arguments";

/**
 * The text of an item that quotations, search and masks address: its `text`, or a call's arguments as JSON with an
 * indent of two. Null when the item has no such text.
 */
export function textOf(item: Item, field: TextField): string | null {
  if (field === "text") return item.text;
  if (item.kind !== "call" || item.arguments === null) return null;
  return JSON.stringify(item.arguments, null, 2);
}
