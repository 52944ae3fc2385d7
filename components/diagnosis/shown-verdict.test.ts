import { describe, expect, it } from "vitest";
import { flagsOf, flagWords } from "@/components/trajectory/flags";
import { runWith } from "@/components/trajectory/forensics-fixture";
import type { Review } from "@/lib/views/investigation";
import { diagnosisWith, investigationsWith, investigationWith } from "./diagnosis-fixture";
import { countedReview, openInvestigation, shownInvestigation, withShownVerdict } from "./shown-verdict";

const done = investigationWith({ id: "done" });
const failed = investigationWith({ id: "failed", status: "failed", diagnosis: null });
const running = investigationWith({ id: "running", status: "running", diagnosis: null });
const review: Review = {
  ...{ id: "r", kind: "confirmed", turn: 2, reason: "So it is.", by: "Ines", at: "2026-11-30T20:00:00Z" },
  ...{ analysisId: "done", isOfOlderImport: false },
};

describe("whose verdict is shown", () => {
  it("is that of the last investigation with one: what failed or runs never takes its place", () => {
    const none = { investigation: null };
    for (const latest of [failed, running]) {
      expect(shownInvestigation(investigationsWith(latest), none)).toBeNull();
      expect(shownInvestigation(investigationsWith(latest, { rows: [latest, done] }), none)).toBe("done");
    }
    expect(openInvestigation(investigationsWith(running))).toBe(running);
    expect(openInvestigation(investigationsWith(failed))).toBeNull();
  });

  it("is the one that the address asks for, if its turns are those of the page", () => {
    const first = investigationWith({ id: "first" });
    const older = investigationWith({ id: "older", isOfOlderImport: true });
    const all = investigationsWith(done, { rows: [done, failed, first, older] });
    expect(shownInvestigation(all, { investigation: "first" })).toBe("first");
    for (const investigation of ["older", "failed", "unknown"]) {
      expect(shownInvestigation(all, { investigation })).toBe("done");
    }
    expect(shownInvestigation(investigationsWith(older), { investigation: null })).toBe("older");
  });

  it("is the rule's where the address says so, and where no model has one", () => {
    const run = runWith();
    expect(withShownVerdict(run, done, { said: null }).verdict?.engine).toBe("investigator");
    expect(withShownVerdict(run, done, { said: "rule" })).toBe(run);
    expect(withShownVerdict(run, failed, { said: null })).toBe(run);
    expect(withShownVerdict(run, null, { said: null })).toBe(run);
  });
});

describe("what a person says", () => {
  it("counts when it is the last word about this reading", () => {
    expect(countedReview(null)).toBeNull();
    expect(countedReview(investigationsWith(done, { reviews: [review, { ...review, id: "old" }] }))).toBe(review);
    const older = { ...review, isOfOlderImport: true };
    expect(countedReview(investigationsWith(done, { reviews: [older, review] }))).toBeNull();
  });

  it("is marked at its turn, beside the engine's mark or alone; a rejection marks nothing", () => {
    const { verdict } = diagnosisWith();
    const confirmed = flagsOf(verdict, review).get(2);
    expect(confirmed).toMatchObject({ role: "decisive", namedBy: "Ines" });
    expect(confirmed && flagWords(confirmed)).toBe("Decisive error, confirmed");
    const moved = flagsOf(verdict, { ...review, kind: "moved", turn: 3 });
    expect(moved.get(3)).toMatchObject({ role: "person", namedBy: "Ines" });
    expect(moved.get(2)).toMatchObject({ role: "decisive", namedBy: null });
    expect(flagsOf(verdict, { ...review, kind: "rejected", turn: null })).toEqual(flagsOf(verdict));
  });
});
