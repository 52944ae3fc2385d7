import type { RawSpan } from "@/lib/trajectory/schema";
import { contentLines, type JsonContent } from "../content";
import type { NoteBook } from "../notes";
import { isObject, type JsonObject, type JsonValue, member, stringMember } from "../safe-json";
import { Places } from "./places";

/** One row of a data set, with where it stands. */
export interface Row {
  value: JsonObject;
  places: Places;
  /** What the hub's rows API says about the row beside it: its number, and which cells it has cut. */
  wrapper: { value: JsonObject; places: Places } | null;
}

/** A line or an element of the upload's list: a row, something else, or no JSON. */
export interface Unit {
  /** Its number in the upload, 0-based. */
  index: number;
  raw: RawSpan;
  row: Row | null;
}

/** True for an answer of the hub's rows API: rows in wrappers, with a description of the columns. */
export function isRowsAnswer(value: JsonValue): boolean {
  const rows = member(value, "rows");
  return Array.isArray(rows) && rows.length > 0 && rows.slice(0, 20).every(isWrapper);
}

/** True for a row as the rows API wraps it. */
export function isWrapper(value: JsonValue): boolean {
  return isObject(member(value, "row")) && member(value, "row_idx") !== undefined;
}

/** The row inside a wrapper, or the value itself. */
export function unwrapped(value: JsonValue): JsonValue {
  return isWrapper(value) ? (member(value, "row") ?? value) : value;
}

/** The lines or elements of an upload one after the other; one for a document that is one object. */
export function* unitsOf(content: JsonContent, notes: NoteBook): Generator<Unit> {
  const { bytes } = content.source;
  if (content.kind === "lines") {
    let index = 0;
    for (const { line, start, end, parsed } of contentLines(content)) {
      const raw: RawSpan = { line, pointer: null, start, end };
      if (parsed) notes.addRepairs(parsed.repairs, raw);
      yield { index: index++, raw, row: parsed ? rowOf(parsed.value, new Places(raw, null, bytes)) : null };
    }
    return;
  }
  const { value, layout, repairs } = content.json;
  notes.addRepairs(repairs, null);
  const root = new Places({ line: null, pointer: "", start: content.start, end: bytes.length }, layout, bytes);
  if (Array.isArray(value)) {
    for (const [index, element] of value.entries()) {
      const place = layout.elements[index];
      const raw: RawSpan = { line: null, pointer: `/${index}`, start: place?.start ?? null, end: place?.end ?? null };
      yield { index, raw, row: rowOf(element, new Places(raw, null, bytes)) };
    }
  } else if (isRowsAnswer(value)) {
    const rows = member(value, "rows");
    for (const [index, element] of (Array.isArray(rows) ? rows : []).entries()) {
      const places = root.insideElement("rows", index);
      yield { index, raw: places.raw, row: rowOf(element, places) };
    }
  } else yield { index: 0, raw: root.raw, row: rowOf(value, root) };
}

function rowOf(value: JsonValue, places: Places): Row | null {
  const held = member(value, "row");
  if (isObject(value) && isObject(held) && isWrapper(value)) {
    return { value: held, places: places.inside("row"), wrapper: { value, places } };
  }
  return isObject(value) ? { value, places, wrapper: null } : null;
}

/** The first values that may be rows, without their wrappers; for telling whose they are. */
export function sampleRows(content: JsonContent): JsonValue[] {
  if (content.kind === "lines") {
    return content.sample.flatMap((line) => (line.parsed ? [unwrapped(line.parsed.value)] : []));
  }
  const { value } = content.json;
  if (Array.isArray(value)) return value.slice(0, LOOKED_AT).map(unwrapped);
  const rows = isRowsAnswer(value) ? member(value, "rows") : undefined;
  return Array.isArray(rows) ? rows.slice(0, LOOKED_AT).map(unwrapped) : [unwrapped(value)];
}

const LOOKED_AT = 50;

/** The first of the columns that holds a text. */
export function firstText(row: JsonObject, keys: readonly string[]): string | null {
  for (const key of keys) {
    const text = stringMember(row, key);
    if (text !== null && text.trim() !== "") return text;
  }
  return null;
}
