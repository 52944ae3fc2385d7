import { z } from "zod";
import { observationFoldSchema } from "@/lib/folding/shape";
import { contextSchema, itemSchema, resultItemSchema, turnStateSchema } from "@/lib/trajectory/schema";

/**
 * How the items of a turn are kept in `Turn.items` and `Context.data`. An item is stored as it is in the canonical
 * trajectory, with two differences:
 *
 * 1. A text of more than LONG_TEXT_CHARS UTF-16 units is not here. Its place holds `""` (a call's `arguments`: null) and
 *    `long.text` (or `long.arguments`) says how long it is. The whole text is in `ItemText` under the item's id and the
 *    field's name, in pieces that join to exactly `textOf(item, field)` of lib/trajectory/texts.ts.
 * 2. Of a result, `recorded` and `reads` are gone (their content lives in the file versions); `readPaths` keeps the paths
 *    that `reads` named, as the trace spells them, each once.
 * 3. A result of which something is folded has `fold` (docs/decisions/0009). Imports from before folding have none; their
 *    head says so.
 *
 * A call's arguments count by their JSON text with an indent of two, the text that quotations address.
 */
export const LONG_TEXT_CHARS = 8_192;

/** The size of a text that lives in `ItemText`: UTF-16 units, and lines (newlines plus one). */
export const longTextSchema = z.object({ chars: z.number().int().min(1), lines: z.number().int().min(1) });
export type LongText = z.infer<typeof longTextSchema>;

const long = z.object({ text: longTextSchema.optional(), arguments: longTextSchema.optional() }).optional();

/**
 * How a result is folded. For a text in `ItemText`, `shortPieces` names the pieces that are one unit shorter than the
 * others (a cut would have split a surrogate pair), so that an offset leads to its piece; missing when there are none.
 */
const storedFoldSchema = observationFoldSchema.extend({ shortPieces: z.array(z.number().int().min(0)).optional() });
export type StoredFold = z.infer<typeof storedFoldSchema>;

const [textItem, callItem, , opaqueItem] = itemSchema.options;

export const storedItemSchema = z.discriminatedUnion("kind", [
  textItem.extend({ long }),
  callItem.extend({ long }),
  resultItemSchema
    .omit({ recorded: true, reads: true })
    .extend({ long, readPaths: z.array(z.string()), fold: storedFoldSchema.optional() }),
  opaqueItem.extend({ long }),
]);
export type StoredItem = z.infer<typeof storedItemSchema>;

/** What `Turn.items` holds. */
export const storedItemsSchema = z.array(storedItemSchema);

/**
 * What `Context.data` holds: the context item under the same rule for long texts (`ItemText.itemId` is its `id`), with
 * `title`, its first line that is not blank, cut to 200 characters.
 */
export const storedContextSchema = contextSchema.extend({ long, title: z.string() });
export type StoredContext = z.infer<typeof storedContextSchema>;

/**
 * What `Turn.state` holds. The cumulative diff that some formats repeat on every turn grows with the square of the run,
 * so only its length stays; the text is one "show raw" away and its effect is in the file versions.
 */
export const storedStateSchema = turnStateSchema
  .omit({ cumulativeDiff: true })
  .extend({ cumulativeDiffChars: z.number().int().min(0).nullable() });
export type StoredState = z.infer<typeof storedStateSchema>;
