import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countCheck, countPlaywright, countVitest, summary } from "./results.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "misstep-results-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function report(content: unknown): string {
  const file = path.join(folder, "report.json");
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}
const vitest = (passed: number, failed: number, pending = 0, testResults: unknown[] = []) =>
  report({ numPassedTests: passed, numFailedTests: failed, numPendingTests: pending, numTodoTests: 0, testResults });

describe("counting", () => {
  it("takes a check as one test", () => {
    expect(countCheck(0)).toMatchObject({ passed: 1, failed: 0 });
    expect(countCheck(1)).toMatchObject({ passed: 0, failed: 1 });
  });

  it("takes vitest's numbers", () => {
    expect(countVitest(vitest(5, 0), 0)).toEqual({ passed: 5, failed: 0, note: "" });
    expect(countVitest(vitest(4, 1), 1)).toEqual({ passed: 4, failed: 1, note: "" });
  });

  it("counts a file that could not be loaded, although none of its tests failed", () => {
    const files = [
      { status: "failed", assertionResults: [] },
      { status: "failed", assertionResults: [{ status: "failed" }] },
    ];
    expect(countVitest(vitest(4, 1, 0, files), 1)).toMatchObject({ passed: 4, failed: 2 });
  });

  it("counts skipped tests as failed", () => {
    expect(countVitest(vitest(4, 0, 2), 0)).toEqual({ passed: 4, failed: 2, note: "2 skipped, counted as failed" });
    expect(countPlaywright(report({ stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 1 } }), 1)).toMatchObject({
      passed: 3,
      failed: 3,
    });
  });

  it("never calls a run good that showed nothing", () => {
    expect(countVitest(vitest(0, 0), 0)).toMatchObject({ failed: 1, note: "no test was found" });
    expect(countVitest(vitest(3, 0), 1)).toMatchObject({ failed: 1, note: "exit code 1 although no test failed" });
    expect(countVitest(path.join(folder, "none.json"), 1)).toMatchObject({ failed: 1 });
    expect(countPlaywright(report('{"stats":'), 0)).toMatchObject({ failed: 1 });
  });
});

describe("summary", () => {
  it("ends with the plain line", () => {
    const outcome = { stage: "unit", passed: 3, failed: 1, note: "", durationMs: 1_234 };
    const { lines, failed } = summary([outcome, { ...outcome, stage: "e2e", failed: 0 }]);
    expect(lines.at(-1)).toBe("6 passed, 1 failed");
    expect(failed).toBe(1);
  });
});
