import { describe, expect, it } from "vitest";
import { diagnosisWith, findingWith } from "@/components/diagnosis/diagnosis-fixture";
import { askedQuotation, quotationsOf, withAsked } from "./quotations";

const quotation = (item: string, start: number, text: string) => ({
  ...{ item, turn: 2, field: "text" as const, start, end: start + text.length, text },
});
const fromTrace = (item: string, start: number, text: string) => ({
  from: "trace" as const,
  quotation: quotation(item, start, text),
});

/** The verdict names `t2.1`; the rest stands in the diagnosis alone. */
const diagnosis = diagnosisWith({
  finding: findingWith({
    committed: [fromTrace("t2.1", 0, "write one")],
    violated: [fromTrace("t0.2", 40, "two"), { from: "error_report", start: 0, end: 4, text: "oops" }],
  }),
  alternative: { turn: 1, reason: "Or here.", committed: [fromTrace("t1.1", 5, "later")] },
  requirements: [{ id: "R1", text: "Two.", evidence: { from: "task", start: 3, end: 9, text: "be two" } }],
});

describe("the quotations of a verdict", () => {
  it("are those of its candidates once, and all other words of the turns and the task that a model gave", () => {
    const all = quotationsOf(diagnosis.verdict, diagnosis);
    expect(all.map(({ item, start, kind, place }) => [item, start, kind, place])).toEqual([
      ["t2.1", 0, "decisive", { n: 1, of: 1 }],
      ["t0.2", 40, "candidate", null],
      ["t1.1", 5, "candidate", null],
      ["task", 3, "candidate", null],
    ]);
    expect(new Set(all.map(({ n }) => n)).size).toBe(all.length);
  });

  it("are those of the rule where its verdict is shown, none of them decisive while it is undetermined", () => {
    expect(quotationsOf(diagnosis.verdict, null)).toHaveLength(1);
    expect(quotationsOf(null, null)).toEqual([]);
    const [first] = quotationsOf({ ...diagnosis.verdict, status: "undetermined" }, null);
    expect(first?.kind).toBe("candidate");
  });

  it("are gone to by item and place, the first of the item without a place", () => {
    const two = [fromTrace("t2.1", 0, "write"), fromTrace("t2.1", 20, "again")];
    const all = quotationsOf(null, diagnosisWith({ finding: findingWith({ committed: two, violated: two }) }));
    const at = (item: string | null, place: number | null) =>
      all.find(({ n }) => n === askedQuotation(all, { item, at: place }))?.start ?? null;
    expect(at("t2.1", 20)).toBe(20);
    expect(at("t2.1", 0)).toBe(0);
    expect(at("t2.1", null)).toBe(0);
    expect(at("t2.1", 7)).toBeNull();
    expect(at("t9.9", null)).toBeNull();
    expect(at(null, null)).toBeNull();
  });

  it("have the one that is gone to first, so that it is seen where they overlap", () => {
    const all = quotationsOf(diagnosis.verdict, diagnosis);
    const last = all.at(-1)?.n ?? null;
    const sorted = withAsked(all, last);
    expect(sorted.map(({ n, isAsked }) => [n, isAsked ?? false])[0]).toEqual([last, true]);
    expect(sorted.filter(({ isAsked }) => isAsked)).toHaveLength(1);
    expect(sorted).toHaveLength(all.length);
    expect(withAsked(all, null)).toEqual(all);
  });
});
