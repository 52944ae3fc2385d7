import { IngestError } from "@/lib/errors";
import { type Content, contentLines, isJsonContent, type JsonContent } from "../../content";
import type { JsonLayout } from "../../json-scan";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, listMember, storable } from "../../safe-json";
import { decodeUtf8 } from "../../text-decoding";
import type { Row } from "./chat-json";
import { isEvent, listKeyOf } from "./detection";

/** The rows of a content, and the object around them, if there is one. */
export interface OpenedRows {
  rows: Iterable<Row>;
  around: { value: JsonObject; layout: JsonLayout; listKey: string } | null;
}

/**
 * Opens a list of messages: a document, a member of one, or lines.
 * @throws IngestError `malformed` when there is none.
 */
export function openRows(content: Content, notes: NoteBook): OpenedRows {
  if (!isJsonContent(content)) throw new IngestError("malformed", "messages of AutoGen are JSON or JSON Lines");
  if (content.kind === "lines") return { rows: lineRows(content, notes), around: null };
  const { value, layout, repairs } = content.json;
  notes.addRepairs(repairs, null);
  if (Array.isArray(value)) return { rows: listRows(value, layout.elements, ""), around: null };
  const listKey = isObject(value) && !isEvent(value) ? listKeyOf(value) : null;
  if (!isObject(value) || listKey === null) {
    // One message alone, as a line of a file may stand alone.
    const raw = { line: null, pointer: "", start: content.start, end: content.source.bytes.length };
    return { rows: [{ value, raw, step: { convention: "message", step: "0" } }], around: null };
  }
  const elements = layout.members.get(listKey)?.elements ?? [];
  const rows = listRows(listMember(value, listKey), elements, `/${listKey}`);
  return { rows, around: { value, layout, listKey } };
}

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
    yield { value, raw, step: { convention: "message", step: String(n) } };
  }
}

function* lineRows(content: JsonContent, notes: NoteBook): Generator<Row> {
  for (const { line, start, end, parsed } of contentLines(content)) {
    const raw = { line, pointer: null, start, end };
    const step = { convention: "line", step: String(line) };
    if (parsed === null)
      yield { raw, step, text: storable(decodeUtf8(content.source.bytes.subarray(start, end)).text) };
    else {
      notes.addRepairs(parsed.repairs, raw);
      yield { raw, step, value: parsed.value };
    }
  }
}
