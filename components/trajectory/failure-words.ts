import type { FailureSummary, FailureView } from "@/lib/views/failure";
import { formatCount, formatMoment, formatPlural } from "./numbers";

/** True when more is known of how the run ended than its outcome. */
export function hasReport({ passed, failed, unsaid, texts, labels }: FailureSummary): boolean {
  return passed + failed + unsaid + texts + labels > 0;
}

/** The link to the report: the checks when there are some, else what there is. */
export function reportWords({ passed, failed, unsaid, texts, labels }: FailureSummary): string {
  const all = passed + failed + unsaid;
  if (failed > 0) return `${formatCount(failed)} of ${formatPlural(all, "check")} failed`;
  if (passed > 0 && passed === all) return `${formatPlural(all, "check")} passed`;
  if (all > 0) return formatPlural(all, "check");
  return texts > 0 ? "Failure report" : formatPlural(labels, "label");
}

/**
 * The link that opens what is known of how the run ended. Null where there is nothing to see and nothing can be said.
 * @param canGive whether this reader may say something about it.
 */
export function failureLink(
  summary: FailureSummary,
  outcome: FailureView["outcome"]["value"],
  canGive: boolean,
): string | null {
  if (hasReport(summary)) return reportWords(summary);
  if (outcome !== "unknown") return "How the run ended";
  return canGive ? "How did the run end?" : null;
}

/** Who said a part, in words. Empty when nobody did. */
export function saidBy({ source, by, at }: Pick<FailureView["outcome"], "source" | "by" | "at">): string {
  if (source === null) return "";
  if (source === "trace") return "from the trace";
  return [`given by ${by ?? "a person"}`, ...(at === null ? [] : [formatMoment(at)])].join(", ");
}
