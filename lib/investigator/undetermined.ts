import type { FailureContext } from "@/lib/trajectory/schema";
import type { Verdict } from "./verdict";

/** The verdict of an engine that names no turn, with why; it may still list candidates. */
export function undetermined(
  { engine, engineVersion }: Pick<Verdict, "engine" | "engineVersion">,
  reason: string,
  { candidates, suspicion }: Pick<Verdict, "candidates" | "suspicion"> = { candidates: [], suspicion: [] },
): Verdict {
  return {
    engine,
    engineVersion,
    status: "undetermined",
    undeterminedReason: reason,
    reliability: { class: "lower", reason },
    candidates,
    suspicion,
  };
}

/** Why there is no decisive error to look for in a run, whatever an engine goes by; null when there may be one. */
export function nothingToFind(turns: number, outcome: FailureContext["outcome"]): string | null {
  if (turns === 0) return "The trace holds no turns.";
  return outcome === "resolved"
    ? "The run is known to have succeeded, so there is no decisive error to look for."
    : null;
}

/** How far a named turn can be relied on, by any engine, while nobody knows how the run ended. */
export const OUTCOME_UNKNOWN: Verdict["reliability"] = {
  class: "lower",
  reason: "It is not known whether the run failed; if it did not, this turn is no error.",
};
