import type { KnownText } from "@/lib/views/failure";

/** What a text about a failure is called. */
export const KNOWN_NAMES: Record<KnownText, string> = {
  taskStatement: "Task statement",
  errorReport: "Error report",
  failingTestCode: "Failing test",
  referencePatch: "Reference patch",
};

/** What belongs into it. */
export const KNOWN_HINTS: Record<KnownText, string> = {
  taskStatement: "What the run was asked to do.",
  errorReport: "What failed afterwards: the output of tests, a traceback, a report.",
  failingTestCode: "The code of the test that has to pass.",
  referencePatch: "A change that is known to be right, as a diff.",
};
