import { describe, expect, it } from "vitest";
import { hasReport, reportWords } from "./failure-words";

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
});
