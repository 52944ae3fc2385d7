import { type JsonValue, stringMember } from "../../safe-json";

/** The time of an event as the trace gives it, null when it is none. */
export function timeOf(value: JsonValue): string | null {
  const found = stringMember(value, "timestamp");
  return found !== null && !Number.isNaN(Date.parse(found)) ? found : null;
}

/** The milliseconds between the first and the last time of a run; null when they are not known or not apart. */
export function durationOf(times: { first: string; last: string } | null): number | null {
  if (times === null) return null;
  const duration = Date.parse(times.last) - Date.parse(times.first);
  return duration > 0 ? duration : null;
}
