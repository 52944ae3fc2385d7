import { IngestError } from "@/lib/errors";
import { type Content, contentLines, isJsonContent } from "../../content";
import type { JsonLayout } from "../../json-scan";
import type { NoteBook } from "../../notes";
import type { Part } from "../../parts";
import { recordParts } from "../../record-parts";
import { type JsonObject, type JsonValue, listMember, parseJson, storable } from "../../safe-json";
import { decodeUtf8 } from "../../text-decoding";
import { isConversation } from "./detection";
import type { Row } from "./pieces";

/** The records of one trajectory, and the conversation around them, if there is one. */
export interface OpenedRows {
  rows: Row[];
  around: { value: JsonObject; layout: JsonLayout; pointer: string } | null;
}

/**
 * Opens the records of a content: a list, the messages of a conversation, or lines.
 * @throws IngestError `malformed` when it is no JSON.
 */
export function openRows(content: Content, notes: NoteBook): OpenedRows {
  if (!isJsonContent(content)) throw new IngestError("malformed", "records of CAMEL are JSON or JSON Lines");
  const { bytes } = content.source;
  if (content.kind === "lines") {
    const rows = [...contentLines(content)].map(({ line, start, end, parsed }): Row => {
      const place = { raw: { line, pointer: null, start, end }, step: { convention: "line", step: String(line) } };
      if (parsed === null) return { ...place, text: storable(decodeUtf8(bytes.subarray(start, end)).text) };
      notes.addRepairs(parsed.repairs, place.raw);
      return { ...place, value: parsed.value };
    });
    return { rows, around: null };
  }
  const { value, layout, repairs } = content.json;
  notes.addRepairs(repairs, null);
  if (isConversation(value)) return conversationRows(value, layout, "");
  if (!Array.isArray(value)) return { rows: listRows([value], [], ""), around: null };
  const [only] = value;
  const span = layout.elements[0];
  if (value.length === 1 && isConversation(only) && span) {
    return conversationRows(only, parseJson(bytes, span.start, span.end).layout, "/0");
  }
  return { rows: listRows(value, layout.elements, ""), around: null };
}

function conversationRows(value: JsonObject, layout: JsonLayout, pointer: string): OpenedRows {
  const elements = layout.members.get("messages")?.elements ?? [];
  const rows = listRows(listMember(value, "messages"), elements, `${pointer}/messages`);
  return { rows, around: { value, layout, pointer } };
}

function listRows(values: JsonValue[], spans: readonly { start: number; end: number }[], pointer: string): Row[] {
  // A list that stands twice in its object has the places of both.
  const isExact = spans.length === values.length;
  return values.map((value, n) => {
    const span = isExact ? spans[n] : undefined;
    const raw = { line: null, pointer: `${pointer}/${n}`, start: span?.start ?? null, end: span?.end ?? null };
    return { value, raw, step: { convention: "message", step: String(n) } };
  });
}

/** The conversations of a file that holds several, in a list or one a line. */
export function splitCamel(content: Content): Part[] {
  return recordParts(content, isConversation, { noun: "conversation", nameKey: "conversation_id" });
}
