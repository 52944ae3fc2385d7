import type { FailureSummary, ReportText } from "@/lib/views/failure";
import { formatCount, formatPlural } from "./numbers";

/** What a text of the report is called. */
export const REPORT_NAMES: Record<ReportText["what"], string> = {
  error_report: "Error report",
  failing_test_code: "Failing test",
  reference_patch: "Reference patch",
};

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
