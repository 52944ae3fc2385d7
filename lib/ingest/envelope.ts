import type { ContextItem, RawSpan } from "@/lib/trajectory/schema";
import { type EntryWriter, HARNESS } from "./entries";
import type { JsonLayout } from "./json-scan";
import type { JsonObject } from "./safe-json";

/**
 * Adds what a document holds beside the parts that become turns and messages as one context item: settings, prices,
 * versions, and fields that nobody knows. Nothing when there is no such part.
 * @param shown the members of the root that stand in the trajectory already
 * @param values what to show instead of a member, for one of which a part stands elsewhere
 */
export function addEnvelope(
  writer: EntryWriter,
  document: JsonObject,
  layout: JsonLayout,
  shown: ReadonlySet<string>,
  values: JsonObject = {},
): ContextItem | null {
  const raw: RawSpan[] = [];
  const rest: JsonObject = {};
  for (const [key, value] of Object.entries(document)) {
    if (shown.has(key)) continue;
    const span = layout.members.get(key);
    const pointer = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    raw.push({ line: null, pointer, start: span?.start ?? null, end: span?.end ?? null });
    const held = Object.hasOwn(values, key) ? values[key] : value;
    Object.defineProperty(rest, key, { value: held, enumerable: true, configurable: true, writable: true });
  }
  if (raw.length === 0) return null;
  const text = JSON.stringify(rest, null, 2);
  return writer.addContext({ contextKind: "metadata", author: HARNESS, sourceSteps: [], raw, text });
}
