import { type JsonObject, type JsonValue, member, parseNestedJson } from "../../safe-json";

/** Columns that hold the messages of a run. */
export const MESSAGE_COLUMNS: ReadonlySet<string> = new Set(["messages", "trajectory"]);

interface Found {
  column: string;
  messages: JsonValue[];
}

/** What was found in a row: a list that is kept as text is most of the row, and is asked for when it is detected and read. */
const foundIn = new WeakMap<JsonObject, Found | null>();

/** The messages of a row and the column that they are in; null when there are none. Some tables keep the list as JSON text. */
export function messagesIn(row: JsonObject): Found | null {
  const known = foundIn.get(row);
  if (known !== undefined) return known;
  const found = lookIn(row);
  foundIn.set(row, found);
  return found;
}

function lookIn(row: JsonObject): Found | null {
  for (const column of MESSAGE_COLUMNS) {
    const held = member(row, column);
    const list = typeof held === "string" && /^\s*\[/.test(held) ? parseNestedJson(held) : held;
    if (Array.isArray(list)) return { column, messages: list };
  }
  return null;
}
