import type { Sniff } from "../../adapter";
import { type Content, isJsonContent } from "../../content";
import { sampleRows } from "../../rows/rows";
import { isObject, type JsonValue, listMember, member } from "../../safe-json";

const LOOKED_AT = 20;

/** Whether the content is a row of labelled failures, or a list or lines of them. */
export function sniffLabelledSteps(content: Content): Sniff {
  const rows = isJsonContent(content) ? sampleRows(content) : [];
  if (rows.filter(isLabelled).length * 2 > rows.length) {
    return { score: 0.95, reason: "`gold_step` beside `steps` that are numbered by `i`" };
  }
  return { score: 0, reason: "no rows with `gold_step` and numbered `steps`" };
}

function isLabelled(row: JsonValue): boolean {
  if (member(row, "gold_step") === undefined) return false;
  const steps = listMember(row, "steps").slice(0, LOOKED_AT);
  return steps.filter(isNumbered).length * 2 > steps.length;
}

function isNumbered(step: JsonValue): boolean {
  return isObject(step) && Object.hasOwn(step, "i") && (Object.hasOwn(step, "action") || Object.hasOwn(step, "text"));
}
