import { describe, expect, it } from "vitest";
import type { GivenDraft } from "@/components/failure/given-draft";
import type { FailureView } from "@/lib/views/failure";
import { rebase, seenOf } from "./failure-draft";

const draftWith = (texts: Partial<GivenDraft["texts"]>, outcome: GivenDraft["outcome"] = null): GivenDraft => ({
  outcome,
  texts: { taskStatement: "", errorReport: "", failingTestCode: "", referencePatch: "", ...texts },
});

/** What is known, of which only who gave the error report and the outcome, and when, is of interest here. */
function failureAt(report: string | null, outcome: string | null = null): FailureView {
  const said = (at: string | null) => ({ source: at === null ? null : ("person" as const), by: "Ada", at, places: [] });
  const text = (what: FailureView["texts"][number]["what"], at: string | null) => ({
    ...{ what, text: "", totalChars: 0, ownChars: null },
    ...said(at),
  });
  return {
    outcome: { value: "unknown", own: "unknown", ...said(outcome) },
    texts: [text("taskStatement", null), text("errorReport", report)],
    ...{ checks: [], omittedChecks: 0, labels: [], foundAt: [] },
  };
}

describe("a draft that others overtake", () => {
  it("is sent with when each part was given that its writer saw", () => {
    expect(seenOf(failureAt("10:00", "11:00"))).toEqual({
      ...{ outcome: "11:00", taskStatement: null, errorReport: "10:00" },
    });
  });

  it("keeps its writer's words beside theirs where both changed one, and follows them where its writer did not", () => {
    const old = { failure: failureAt("10:00"), before: draftWith({ errorReport: "first" }) };
    const now = {
      failure: failureAt("10:05", "10:06"),
      before: draftWith({ errorReport: "theirs", taskStatement: "their task" }, "failed"),
    };
    expect(rebase(draftWith({ errorReport: "mine" }), old, now)).toEqual({
      draft: draftWith({ errorReport: "mine", taskStatement: "their task" }, "failed"),
      both: ["errorReport"],
    });
  });

  it("holds nothing against anybody where both say the same, or nobody else said anything", () => {
    const old = { failure: failureAt("10:00"), before: draftWith({ errorReport: "first" }) };
    const same = { failure: failureAt("10:05"), before: draftWith({ errorReport: "mine" }) };
    expect(rebase(draftWith({ errorReport: "mine" }), old, same).both).toEqual([]);
    expect(rebase(draftWith({ errorReport: "mine" }), old, old)).toEqual({
      draft: draftWith({ errorReport: "mine" }),
      both: [],
    });
  });
});
