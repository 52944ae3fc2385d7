import { isObject, type JsonObject, type JsonValue, listMember, member, stringMember } from "../../safe-json";

/** What one value of a trace is. `v0`: an action or an observation; `v1`: an event of the SDK; `viewer`: an entry of the viewer. */
export type EventShape = "v0" | "v1" | "viewer";

const V1_KIND = /^(?:[A-Z]\w*Event|Condensation\w*|UserRejectObservation)$/;
/** Members in which a document holds its list of events. */
const LISTS = ["history", "trajectory", "entries", "items", "events"] as const;
/** How many values are looked at. */
const LOOKED_AT = 200;

/** The shape of an event, null when it is none. */
export function eventShape(value: JsonValue | undefined): EventShape | null {
  if (!isObject(value)) return null;
  if (V1_KIND.test(stringMember(value, "kind") ?? "")) return "v1";
  const { action, observation, source } = value;
  // SWE-agent's steps hold both.
  if (typeof action === "string" && !Object.hasOwn(value, "observation")) {
    return isObject(value.args) || typeof source === "string" ? "v0" : null;
  }
  if (typeof observation === "string" && !Object.hasOwn(value, "action")) {
    return isObject(value.extras) || typeof source === "string" ? "v0" : null;
  }
  return typeof value.actorType === "string" && typeof value.type === "string" && Object.hasOwn(value, "content")
    ? "viewer"
    : null;
}

/** Whether an event has the parts that only OpenHands gives it. */
function isMarked(value: JsonValue): boolean {
  if (!isObject(value)) return false;
  if (Object.hasOwn(value, "kind")) return true;
  return Object.hasOwn(value, "source") && (isObject(value.args) || isObject(value.extras));
}

/** How many of the first values are events: by count and by marks. Pairs of an action and its observation count as one. */
export function countEvents(values: readonly JsonValue[]): { seen: number; events: number; marked: number } {
  const seen = Math.min(values.length, LOOKED_AT);
  let [events, marked] = [0, 0];
  for (let n = 0; n < seen; n++) {
    const value = values[n] ?? null;
    const held = Array.isArray(value) ? (value[0] ?? null) : value;
    if (eventShape(held) === null) continue;
    events++;
    if (isMarked(held)) marked++;
  }
  return { seen, events, marked };
}

/** The member of a document that holds its events; null when none does. */
export function listOf(document: JsonObject): { key: string; values: JsonValue[] } | null {
  for (const key of LISTS) {
    const values = listMember(document, key);
    const { seen, events } = countEvents(values);
    if (events > 0 && events * 2 > seen) return { key, values };
  }
  return null;
}

/** Whether an object is a row of an evaluation: the instance of a benchmark with the history of its run, also an empty one. */
export function isRow(value: JsonValue | undefined): value is JsonObject {
  if (!isObject(value) || typeof value.instance_id !== "string") return false;
  const history = member(value, "history");
  if (Array.isArray(history) && history.length > 0) return listOf(value)?.key === "history";
  const isEmpty = history === null || Array.isArray(history);
  return isEmpty && isObject(value.metadata) && ["test_result", "instruction"].some((key) => Object.hasOwn(value, key));
}

const REPR = /^(?:[A-Z]\w*(?:Event|Action|Observation)|Condensation\w*)\(/;

/** Whether values are what Python prints of events: texts such as `MessageEvent(id='...', ...)`. */
export function areReprs(values: readonly JsonValue[]): boolean {
  const first = values.slice(0, LOOKED_AT);
  const reprs = first.filter((value) => typeof value === "string" && REPR.test(value));
  return reprs.length > 0 && reprs.length * 2 > first.length;
}

/** The path of an event in a folder of a conversation, and its number there; null for other files. */
export function eventFile(path: string): { folder: string; number: number } | null {
  const found = /^(.*\/)?events\/(?:event-)?(\d{1,9})(?:-[^/]*)?\.json$/.exec(path);
  return found === null ? null : { folder: found[1] ?? "", number: Number(found[2]) };
}
