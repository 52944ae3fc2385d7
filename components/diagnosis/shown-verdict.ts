import type { Address } from "@/components/trajectory/address";
import type { Investigation, InvestigationRow, Investigations, Review } from "@/lib/views/investigation";
import type { RunView } from "@/lib/views/run";

/** The path of what is known of all investigations, under the prefix of a trajectory's JSON routes. */
export const INVESTIGATIONS_PATH = "investigations";

/** The path of one of them. */
export function investigationPath(id: string): string {
  return `${INVESTIGATIONS_PATH}/${encodeURIComponent(id)}`;
}

/** Whether the verdict of an investigation can stand on the page: of an earlier reading only the latest has the same turns. */
export function canShow(all: Investigations, { id, status, isOfOlderImport }: InvestigationRow): boolean {
  return status === "done" && (!isOfOlderImport || id === all.latest?.id);
}

/**
 * Whose verdict the page shows: the investigation that the address asks for, else the last one that has a verdict. Null
 * when there is none. One that failed or runs never takes the place of a verdict.
 */
export function shownInvestigation(all: Investigations, address: Pick<Address, "investigation">): string | null {
  const usable = all.rows.filter((row) => canShow(all, row));
  return (usable.find(({ id }) => id === address.investigation) ?? usable[0])?.id ?? null;
}

/** The investigation that runs or waits; null when none does. */
export function openInvestigation(all: Investigations): Investigation | null {
  const { latest } = all;
  return latest !== null && (latest.status === "queued" || latest.status === "running") ? latest : null;
}

/** The run with the verdict that is shown: the model's where it has one and the address does not ask for the rule's. */
export function withShownVerdict(run: RunView, shown: Investigation | null, address: Pick<Address, "said">): RunView {
  const diagnosis = shown?.diagnosis ?? null;
  return diagnosis === null || address.said === "rule" ? run : { ...run, verdict: diagnosis.verdict };
}

/** What a person said last, when it is about this reading of the upload: it counts before every engine. */
export function countedReview(all: Investigations | null): Review | null {
  const last = all?.reviews[0];
  return last === undefined || last.isOfOlderImport ? null : last;
}
