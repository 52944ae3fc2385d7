import { describe, expect, it } from "vitest";
import { GIVEN_TEXT_MAX_BYTES } from "@/lib/catalogue/limits";
import { changeBetween, EMPTY_DRAFT, type GivenDraft, oversized, saysSomething } from "./given-draft";

const draft = (more: Partial<GivenDraft["texts"]>, outcome: GivenDraft["outcome"] = null): GivenDraft => ({
  outcome,
  texts: { ...EMPTY_DRAFT.texts, ...more },
});

describe("a draft about a failure", () => {
  it("sends the parts that were changed, and takes back those that were emptied", () => {
    const before = draft({ errorReport: "E", referencePatch: "--- a", taskStatement: "T" }, "failed");
    const after = draft({ errorReport: "E", referencePatch: " \n", taskStatement: "T2", failingTestCode: "def t" });
    expect(changeBetween(before, after)).toEqual({
      ...{ outcome: null, referencePatch: null, taskStatement: "T2", failingTestCode: "def t" },
    });
  });

  it("says nothing when nothing was changed", () => {
    const same = draft({ errorReport: "E" }, "resolved");
    expect(saysSomething(changeBetween(same, draft({ errorReport: "E" }, "resolved")))).toBe(false);
    expect(saysSomething(changeBetween(same, EMPTY_DRAFT))).toBe(true);
  });

  it("knows a text over the limit by its bytes", () => {
    expect(oversized(draft({ errorReport: "x".repeat(GIVEN_TEXT_MAX_BYTES) }))).toEqual([]);
    expect(oversized(draft({ errorReport: "x".repeat(GIVEN_TEXT_MAX_BYTES + 1) }))).toEqual(["errorReport"]);
    const wide = "€".repeat(Math.floor(GIVEN_TEXT_MAX_BYTES / 3) + 1);
    expect(oversized(draft({ referencePatch: wide, taskStatement: "x" }))).toEqual(["referencePatch"]);
  });
});
