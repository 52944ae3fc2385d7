import { type JsonObject, type JsonValue, member, parseNestedJson } from "../../safe-json";

/** Columns that hold the messages of a run. */
export const MESSAGE_COLUMNS: ReadonlySet<string> = new Set(["messages", "trajectory"]);

/** The messages of a row and the column that they are in; null when there are none. Some tables keep the list as JSON text. */
export function messagesIn(row: JsonObject): { column: string; messages: JsonValue[] } | null {
  for (const column of MESSAGE_COLUMNS) {
    const held = member(row, column);
    const list = typeof held === "string" && /^\s*\[/.test(held) ? parseNestedJson(held) : held;
    if (Array.isArray(list)) return { column, messages: list };
  }
  return null;
}
