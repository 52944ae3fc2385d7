import type { RawSpan } from "@/lib/trajectory/schema";
import { type EntryWriter, HARNESS } from "../../entries";
import type { JsonLayout } from "../../json-scan";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue } from "../../safe-json";
import { isEmpty, pointerKey } from "./fields";

const ROOT_FIELDS = new Set(["messages", "info", "trajectory_format", "instance_id"]);
const INFO_FIELDS = new Set([
  "model_stats",
  "config",
  "mini_version",
  "exit_status",
  "submission",
  "traceback",
  "exception_str",
]);
/** What the last message of a run says again, or is shown as the delivered patch. */
const SHOWN_ELSEWHERE = ["submission", "traceback", "exception_str"];

/**
 * Adds what a document holds beside its messages as one context item at the end: settings, prices, versions, and fields
 * that are not known, which are noted as well. A submission that is no patch stays in it.
 * @param shown texts that stand in the trace already
 */
export function addRemainder(
  writer: EntryWriter,
  document: JsonValue,
  layout: JsonLayout,
  shown: ReadonlySet<string>,
  notes: NoteBook,
): void {
  if (!isObject(document)) return;
  const raw: RawSpan[] = [];
  const rest: JsonObject = {};
  for (const [key, value] of Object.entries(document)) {
    if (key === "messages") continue;
    const span = layout.members.get(key);
    const place: RawSpan = {
      line: null,
      pointer: `/${pointerKey(key)}`,
      start: span?.start ?? null,
      end: span?.end ?? null,
    };
    raw.push(place);
    define(rest, key, key === "info" && isObject(value) ? withoutShown(value, shown) : value);
    if (!ROOT_FIELDS.has(key) && !isEmpty(value)) note(place, key);
    if (key !== "info" || !isObject(value)) continue;
    for (const [name, held] of Object.entries(value)) {
      if (!INFO_FIELDS.has(name) && !isEmpty(held)) note({ ...place, pointer: `/info/${pointerKey(name)}` }, name);
    }
  }
  if (raw.length === 0) return;
  const text = JSON.stringify(rest, null, 2);
  writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });

  function note(position: RawSpan, name: string): void {
    const words = `Fields about the run that are not known, such as \`${name}\`; the last item of context shows them`;
    notes.add("information_not_understood", "not_understood", words, position);
  }
}

function withoutShown(info: JsonObject, shown: ReadonlySet<string>): JsonObject {
  const kept: JsonObject = {};
  for (const [key, value] of Object.entries(info)) {
    const isShown = typeof value === "string" && SHOWN_ELSEWHERE.includes(key) && shown.has(value.trim());
    if (!isShown) define(kept, key, value);
  }
  return kept;
}

/** Sets an own member even when it is called `__proto__`. */
function define(object: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
