import { z } from "zod";
import type { FailureContext } from "./schema";

/** The parts of what is known about a failure that are texts. */
export const KNOWN_TEXTS = ["taskStatement", "errorReport", "failingTestCode", "referencePatch"] as const;
export type KnownText = (typeof KNOWN_TEXTS)[number];
export type KnownPart = KnownText | "outcome";

/** A part that a person gave: by whom (a name to show) and when (ISO 8601, UTC). */
function givenPart<T extends z.ZodType>(value: T) {
  return z.object({ value, by: z.string(), at: z.string() }).nullable();
}

/** What a person said about how a run ended, part by part; null is what nobody said. */
export const givenFailureSchema = z.object({
  taskStatement: givenPart(z.string()),
  outcome: givenPart(z.enum(["failed", "resolved"])),
  failingTestCode: givenPart(z.string()),
  errorReport: givenPart(z.string()),
  referencePatch: givenPart(z.string()),
});
export type GivenFailure = z.infer<typeof givenFailureSchema>;

export const NOTHING_GIVEN: GivenFailure = {
  taskStatement: null,
  outcome: null,
  failingTestCode: null,
  errorReport: null,
  referencePatch: null,
};

/** Who said a part: the trace, a person, or nobody (null). */
export type PartSource = "trace" | "person" | null;

/** What is known about a failure from both sides. */
export interface KnownFailure {
  /** `source` is `person` when the outcome is a person's word. */
  failure: FailureContext;
  taskStatement: string | null;
  sources: Record<KnownPart, PartSource>;
}

/** What the trace itself says. */
export interface TraceFailure {
  failure: FailureContext;
  taskStatement: string | null;
}

/**
 * Lays what a person gave over what the trace says, part by part: a person's part wins, an empty text of a trace is none.
 * The checks and labels of the trace stay as they are.
 */
export function mergeFailure(trace: TraceFailure, given: GivenFailure): KnownFailure {
  const own = ownParts(trace);
  const { failure } = trace;
  const texts: Record<KnownText, string | null> = {
    taskStatement: given.taskStatement?.value ?? own.taskStatement,
    errorReport: given.errorReport?.value ?? own.errorReport,
    failingTestCode: given.failingTestCode?.value ?? own.failingTestCode,
    referencePatch: given.referencePatch?.value ?? own.referencePatch,
  };
  const sourceOf = (part: KnownText): PartSource => {
    if (given[part] !== null) return "person";
    return own[part] === null ? null : "trace";
  };
  const outcome = given.outcome?.value ?? own.outcome;
  const { taskStatement, ...reports } = texts;
  return {
    failure: { ...failure, ...reports, outcome, source: given.outcome === null ? "trace" : "person" },
    taskStatement,
    sources: {
      taskStatement: sourceOf("taskStatement"),
      outcome: given.outcome !== null ? "person" : outcome === "unknown" ? null : "trace",
      errorReport: sourceOf("errorReport"),
      failingTestCode: sourceOf("failingTestCode"),
      referencePatch: sourceOf("referencePatch"),
    },
  };
}

/**
 * The parts as the trace says them. An import of an older version holds a person's outcome in the trace's place (its
 * `source` says so): what the trace itself said is not known from there.
 */
export function ownParts({ failure, taskStatement }: TraceFailure): Record<KnownText, string | null> & {
  outcome: FailureContext["outcome"];
} {
  const said = (text: string | null): string | null => (text === null || text.trim() === "" ? null : text);
  return {
    taskStatement: said(taskStatement),
    outcome: failure.source === "person" ? "unknown" : failure.outcome,
    errorReport: said(failure.errorReport),
    failingTestCode: said(failure.failingTestCode),
    referencePatch: said(failure.referencePatch),
  };
}
