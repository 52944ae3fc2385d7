import type { Write } from "@/lib/artefact/model";
import { testRunsOf } from "@/lib/investigator/test-runs";
import type { CallItem, Turn } from "@/lib/trajectory/schema";

/** What a turn mainly does. The order is the order of precedence when it does several things. */
export const ACTIVITIES = [
  "submit",
  "write",
  "test",
  "delegate",
  "execute",
  "search",
  "read",
  "other",
  "think",
] as const;
export type Activity = (typeof ACTIVITIES)[number];

/**
 * What a turn mainly does, judged by its calls and the writes that the artefact history found in it (`writes` are those
 * of this turn). A write that was refused counts as a write: it is what the turn tried.
 */
export function activityOf(turn: Turn, writes: Write[]): Activity {
  const calls = turn.items.filter((item): item is CallItem => item.kind === "call");
  if (calls.length === 0) return "think";
  if (calls.some((call) => call.callKind === "submit")) return "submit";
  // An opaque write is a command that may have touched a file: it is still, first of all, a command or a test run.
  if (writes.some((write) => write.status !== "opaque") || calls.some((call) => call.callKind === "write"))
    return "write";
  if (testRunsOf(turn).length > 0) return "test";
  if (calls.some((call) => call.callKind === "delegate")) return "delegate";
  if (calls.some((call) => call.callKind === "execute")) return "execute";
  if (calls.some((call) => call.callKind === "search")) return "search";
  if (calls.some((call) => call.callKind === "read")) return "read";
  return "other";
}

/** True when a result of the turn failed: the trace says so, or a command ended with another exit code than 0. */
export function hasFailedResult(turn: Turn): boolean {
  return turn.items.some((item) => item.kind === "result" && (item.isError === true || (item.exitCode ?? 0) !== 0));
}

/** Characters of everything that the turn holds: the texts of its items and the arguments of its calls. */
export function turnSizeChars(turn: Turn): number {
  let size = 0;
  for (const item of turn.items) {
    size += item.text?.length ?? 0;
    if (item.kind === "call" && item.arguments !== null) size += JSON.stringify(item.arguments).length;
  }
  return size;
}
