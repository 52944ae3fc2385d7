import type { Diagnosis, Evidence } from "@/lib/views/investigation";
import type { Verdict } from "./flags";
import type { MarkedStretch } from "./text-lines";

/** A quotation where it stands. `n` numbers all of the page, so that a link can go to one of several in a text. */
export interface PlacedQuotation extends MarkedStretch {
  /** The item; `task` for the words of the task, wherever the trace holds it. */
  item: string;
  field: "text" | "arguments";
  /** Its place among the quotations of a candidate, 1-based, and how many those are; null where no candidate has it. */
  place: { n: number; of: number } | null;
}

/** What stands for the item of the task: the investigator knows its words, and not where the trace holds them. */
export const TASK_ITEM = "task";

/**
 * Every quotation by which a verdict is shown, so that each link to one finds it marked: those of its candidates, then what
 * else a model gave as evidence.
 * @param diagnosis of the same verdict; null for the structural rule's.
 */
export function quotationsOf(verdict: Verdict | null, diagnosis: Diagnosis | null): PlacedQuotation[] {
  const all: PlacedQuotation[] = [];
  for (const { rank, quotations } of verdict?.candidates ?? []) {
    const kind = verdict?.status === "determined" && rank === 1 ? "decisive" : "candidate";
    quotations.forEach(({ item, field, start, end, text }, i) => {
      const place = { n: i + 1, of: quotations.length };
      all.push({ item, field, start, end, text, kind, n: all.length + 1, place });
    });
  }
  for (const evidence of diagnosis === null ? [] : evidenceOf(diagnosis)) {
    if (evidence.from !== "trace" && evidence.from !== "task") continue;
    const { item, field, start, end, text } =
      evidence.from === "trace" ? evidence.quotation : { ...evidence, item: TASK_ITEM, field: "text" as const };
    const isKnown = all.some(
      (one) => one.item === item && one.field === field && one.start === start && one.end === end,
    );
    if (!isKnown) all.push({ item, field, start, end, text, kind: "candidate", n: all.length + 1, place: null });
  }
  return all;
}

function evidenceOf({ finding, alternative, requirements, harnessFault }: Diagnosis): Evidence[] {
  return [
    ...(finding === null ? [] : [...finding.committed, ...finding.violated]),
    ...(alternative?.committed ?? []),
    ...requirements.map(({ evidence }) => evidence),
    ...(harnessFault?.quotations ?? []).map((quotation) => ({ from: "trace" as const, quotation })),
  ];
}

/** The number of the quotation that an address asks for; null when it asks for none that is known. */
export function askedQuotation(
  quotations: readonly PlacedQuotation[],
  { item, at }: { item: string | null; at: number | null },
): number | null {
  const inItem = quotations.filter((one) => one.item === item);
  return (inItem.find(({ start }) => start === at) ?? (at === null ? inItem[0] : undefined))?.n ?? null;
}

/** Quotations with the one that is asked for first, so that it is seen where they overlap. */
export function withAsked(quotations: readonly PlacedQuotation[], asked: number | null): PlacedQuotation[] {
  const own = quotations.find(({ n }) => n === asked);
  return own === undefined ? [...quotations] : [{ ...own, isAsked: true }, ...quotations.filter((one) => one !== own)];
}
