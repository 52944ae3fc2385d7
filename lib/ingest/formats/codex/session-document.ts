import type { JsonContent } from "../../content";
import type { NoteBook } from "../../notes";
import type { OtherLine } from "../../object-lines";
import { isObject, type JsonObject, listMember, stringMember } from "../../safe-json";
import { type CodexLine, isBareItem, readLine } from "./lines";

/** A session of the first Codex CLI, the one in TypeScript: one document with `session` and `items`. */
export interface SessionDocument {
  value: JsonObject;
  json: Extract<JsonContent, { kind: "document" }>["json"];
}

/** The session document that a content is; null for any other content. */
export function sessionDocument(content: JsonContent): SessionDocument | null {
  if (content.kind !== "document") return null;
  const { json } = content;
  const { value } = json;
  if (!isObject(value) || stringMember(value.session, "id") === null || !Array.isArray(value.items)) return null;
  const known = value.items.filter((item) => isObject(item) && isBareItem(item)).length;
  return known * 2 > value.items.length ? { value, json } : null;
}

/** Reads the items of a session as the lines of a rollout, numbered from 0; those that are no objects apart. */
export function readSession(
  { value, json }: SessionDocument,
  notes: NoteBook,
): { lines: CodexLine[]; others: OtherLine[] } {
  notes.addRepairs(json.repairs, null);
  const lines: CodexLine[] = [];
  const others: OtherLine[] = [];
  const spans = json.layout.members.get("items")?.elements ?? [];
  for (const [n, item] of listMember(value, "items").entries()) {
    const { start = null, end = null } = spans[n] ?? {};
    const raw = { line: null, pointer: `/items/${n}`, start, end };
    if (isObject(item)) lines.push(readLine(item, raw, n));
    else others.push({ raw, line: n, why: "an item that is not an object" });
  }
  return { lines, others };
}
