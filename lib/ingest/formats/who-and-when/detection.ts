import type { Sniff } from "../../adapter";
import { type Content, sampleValues } from "../../content";
import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";

const LOOKED_AT = 200;

/** Whether a value is a record of the data set: the history of several agents beside a label or a question. */
export function isRecord(value: JsonValue | undefined): value is JsonObject {
  if (!isObject(value) || !Array.isArray(member(value, "history"))) return false;
  if (Object.hasOwn(value, "mistake_agent") || Object.hasOwn(value, "mistake_step")) return true;
  return typeof value.question === "string" && isMagenticList(listMember(value, "history"));
}

/** Whether values are the rows of a run of Magentic-One: the orchestrator's role says what it does. */
export function isMagenticList(values: readonly JsonValue[]): boolean {
  const first = values.slice(0, LOOKED_AT);
  const rows = first.filter((row) => isObject(row) && typeof row.role === "string" && Object.hasOwn(row, "content"));
  const isLed = rows.some((row) => /^Orchestrator \((?:thought|-> )/.test(stringMember(row, "role") ?? ""));
  return isLed && rows.length * 2 > first.length;
}

/** Whether the content is one record, several of them, or a list of Magentic-One. */
export function sniffWhoAndWhen(content: Content): Sniff {
  const label = { score: 0.95, reason: "`history` with `mistake_agent` or `mistake_step`, or with a `question`" };
  const list = { score: 0.95, reason: "roles such as `Orchestrator (thought)`" };
  const none = { score: 0, reason: "no history with labels and no roles of Magentic-One" };
  const document = content.kind === "document" ? content.json.value : undefined;
  if (isRecord(document)) return label;
  const values = Array.isArray(document) ? document.slice(0, LOOKED_AT) : sampleValues(content);
  if (values.length === 0) return none;
  if (values.filter(isRecord).length * 2 > values.length) return label;
  return isMagenticList(values) ? list : none;
}
