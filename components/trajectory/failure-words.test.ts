import { describe, expect, it } from "vitest";
import { failureLink, hasReport, reportWords, saidBy } from "./failure-words";

const NOTHING = { passed: 0, failed: 0, unsaid: 0, texts: 0, labels: 0 };

describe("the link to what is known of a failure", () => {
  it("is there when there is more than an outcome", () => {
    expect(hasReport(NOTHING)).toBe(false);
    for (const key of Object.keys(NOTHING)) expect(hasReport({ ...NOTHING, [key]: 1 })).toBe(true);
  });

  it.each([
    [{ failed: 2, passed: 1_000 }, "2 of 1,002 checks failed"],
    [{ failed: 1 }, "1 of 1 check failed"],
    [{ passed: 3 }, "3 checks passed"],
    [{ passed: 1, unsaid: 1 }, "2 checks"],
    [{ texts: 1, labels: 1 }, "Failure report"],
    [{ labels: 1 }, "1 label"],
  ])("%j reads %s", (some, words) => {
    expect(reportWords({ ...NOTHING, ...some })).toBe(words);
  });

  it("is there for whoever may say something, also when nothing is known", () => {
    expect(failureLink(NOTHING, "unknown", true)).toBe("How did the run end?");
    expect(failureLink(NOTHING, "unknown", false)).toBeNull();
    expect(failureLink(NOTHING, "resolved", false)).toBe("How the run ended");
    expect(failureLink({ ...NOTHING, texts: 1 }, "unknown", true)).toBe("Failure report");
  });
});

it.each([
  [{ source: null, by: null, at: null }, ""],
  [{ source: "trace", by: null, at: null }, "from the trace"],
  [{ source: "person", by: "Ada", at: "2026-12-07T18:00:00Z" }, "given by Ada, 7 December 2026, 18:00 UTC"],
  [{ source: "person", by: null, at: "2026-12-07T18:00:00Z" }, "given by a person, 7 December 2026, 18:00 UTC"],
] as const)("who said a part: %j reads %s", (said, words) => {
  expect(saidBy(said)).toBe(words);
});
