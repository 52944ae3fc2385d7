import type { CallItem } from "@/lib/trajectory/schema";
import { CallArguments } from "./call-arguments";
import type { Attempt } from "./effect";
import type { ShellSurroundings } from "./shell-surroundings";

/** Keys that end or edit a line name no file; a text that is shorter than this says nothing. */
const SHORTEST = 3;

/**
 * The files that keystrokes may change when it is not certain what reads them: known files that they name. What these
 * hold is not known from there on. Nothing for calls that type nothing.
 */
export function readUncertainKeystrokes(
  call: CallItem,
  around: ShellSurroundings,
  directory: string | null,
): Attempt[] {
  const typed = new CallArguments(call).text("keystrokes");
  if (typed === null || call.text !== null || typed.length < SHORTEST) return [];
  const named = around
    .filesUnder(".", directory, false)
    .filter((path) => typed.includes(path.slice(path.lastIndexOf("/") + 1)));
  return named.map((path) => ({
    path,
    grammar: "W7",
    operation: "opaque",
    effect: { kind: "opaque" },
    status: "opaque",
    reason: "it is not certain what read these keystrokes",
    fragment: null,
  }));
}
