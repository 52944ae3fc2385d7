import { IngestError } from "@/lib/errors";
import type { RawSpan } from "@/lib/trajectory/schema";
import { type Content, contentLines, type JsonContent } from "../../content";
import type { JsonLayout } from "../../json-scan";
import type { NoteBook } from "../../notes";
import type { Part } from "../../parts";
import { recordParts } from "../../record-parts";
import { type JsonObject, type JsonValue, listMember, type ParsedJson, parseJson, storable } from "../../safe-json";
import { decodeUtf8 } from "../../text-decoding";
import { isRecord } from "./detection";

/** One row of a history with its place, or a line that is no JSON. */
export type Row = { raw: RawSpan; step: string } & ({ value: JsonValue } | { text: string });

/** A record of the data set around its history. */
export interface Record {
  value: JsonObject;
  layout: JsonLayout;
  listKey: string;
  place(key: string): RawSpan;
}

/**
 * The rows of the one history that a content holds, and the record around them, if there is one.
 * @throws IngestError `malformed` when there is none.
 */
export function openRecord(content: JsonContent, notes: NoteBook): { record: Record | null; rows: Iterable<Row> } {
  if (content.kind === "lines") return { record: null, rows: lineRows(content, notes) };
  const { json } = content;
  notes.addRepairs(json.repairs, null);
  const { value, layout } = json;
  if (Array.isArray(value)) {
    const [only] = value;
    const span = layout.elements[0];
    if (value.length === 1 && isRecord(only) && span) {
      const inside = parseJson(content.source.bytes, span.start, span.end);
      return { record: recordOf(only, inside, "/0"), rows: historyRows(only, inside.layout, "/0") };
    }
    return { record: null, rows: listRows(value, layout.elements, "") };
  }
  if (!isRecord(value)) throw new IngestError("malformed", "this is no record with a history");
  return { record: recordOf(value, json, ""), rows: historyRows(value, layout, "") };
}

/** @param root the pointer of the record in the upload */
function recordOf(value: JsonObject, { layout }: ParsedJson, root: string): Record {
  const place = (key: string): RawSpan => {
    const span = layout.members.get(key);
    const pointer = `${root}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    return { line: null, pointer, start: span?.start ?? null, end: span?.end ?? null };
  };
  return { value, layout, listKey: "history", place };
}

function historyRows(value: JsonObject, layout: JsonLayout, root: string): Iterable<Row> {
  const spans = layout.members.get("history")?.elements ?? [];
  return listRows(listMember(value, "history"), spans, `${root}/history`);
}

/** One after the other: a long history must not stand in memory a third time. */
function* listRows(
  values: JsonValue[],
  spans: readonly { start: number; end: number }[],
  pointer: string,
): Generator<Row> {
  // A list that stands twice in its object has the places of both.
  const isExact = spans.length === values.length;
  for (const [n, value] of values.entries()) {
    const span = isExact ? spans[n] : undefined;
    const raw = { line: null, pointer: `${pointer}/${n}`, start: span?.start ?? null, end: span?.end ?? null };
    yield { value, raw, step: String(n) };
  }
}

function lineRows(content: JsonContent, notes: NoteBook): Row[] {
  const rows: Row[] = [];
  for (const { line, start, end, parsed } of contentLines(content)) {
    const raw = { line, pointer: null, start, end };
    const step = String(rows.length);
    if (parsed === null)
      rows.push({ raw, step, text: storable(decodeUtf8(content.source.bytes.subarray(start, end)).text) });
    else {
      notes.addRepairs(parsed.repairs, raw);
      rows.push({ raw, step, value: parsed.value });
    }
  }
  return rows;
}

/** The records of a file that holds several, in a list or one a line. */
export function splitWhoAndWhen(content: Content): Part[] {
  return recordParts(content, isRecord, { noun: "record", nameKey: "question_ID" });
}
