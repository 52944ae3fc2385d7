import type { RawSpan } from "@/lib/trajectory/schema";
import { contentLines, type JsonContent } from "../../content";
import type { JsonLayout } from "../../json-scan";
import type { NoteBook } from "../../notes";
import type { JsonValue } from "../../safe-json";
import type { ChatRecord } from "./records";

/** What stands alone in an upload: a line, an element of the one list, or the one object. */
export interface Unit {
  value: JsonValue;
  raw: RawSpan;
  step: ChatRecord["step"];
  /** Where its parts are, when that is known already. */
  layout: JsonLayout | null;
  /** Bytes of the upload up to its end. */
  bytesDone: number;
}

/** A line that is not JSON. */
export interface BrokenUnit {
  raw: RawSpan;
  step: ChatRecord["step"];
  why: string;
}

/** The units of an upload one after the other, so that a long file of lines is never held parsed as a whole. */
export function* unitsOf(content: JsonContent, notes: NoteBook): Generator<Unit | BrokenUnit, void, undefined> {
  const { bytes } = content.source;
  if (content.kind === "document") {
    const { value, layout, repairs } = content.json;
    notes.addRepairs(repairs, null);
    yield* documentUnits(value, layout, content.start, bytes.length);
    return;
  }
  for (const { line, start, end, parsed, error } of contentLines(content)) {
    const raw: RawSpan = { line, pointer: null, start, end };
    const step = { convention: "line", step: String(line) };
    if (parsed === null) {
      yield { raw, step, why: error.message };
      continue;
    }
    notes.addRepairs(parsed.repairs, raw);
    yield { value: parsed.value, raw, step, layout: null, bytesDone: end };
  }
}

function* documentUnits(value: JsonValue, layout: JsonLayout, start: number, end: number): Generator<Unit> {
  if (!Array.isArray(value)) {
    const raw: RawSpan = { line: null, pointer: "", start, end };
    yield { value, raw, step: { convention: "message", step: "0" }, layout, bytesDone: end };
    return;
  }
  for (const [index, element] of value.entries()) {
    const place = layout.elements[index];
    const raw: RawSpan = { line: null, pointer: `/${index}`, start: place?.start ?? null, end: place?.end ?? null };
    const step = { convention: "message", step: String(index) };
    yield { value: element, raw, step, layout: null, bytesDone: place?.end ?? start };
  }
}
