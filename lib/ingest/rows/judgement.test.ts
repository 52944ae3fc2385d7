import { describe, expect, it } from "vitest";
import { readJudgement } from "./judgement";

describe("how a row says its run ended", () => {
  it.each([
    [{ resolved: true }, "resolved"],
    [{ resolved: 0 }, "failed"],
    [{ target: false }, "failed"],
    [{ resolved: null }, "unknown"],
    [{ resolved: 0.5 }, "unknown"],
    [{ fail: true }, "unknown"],
    [{}, "unknown"],
  ])("%j is %s", (row, outcome) => {
    expect(readJudgement(row).failure.outcome).toBe(outcome);
  });

  it("takes the log of a failed run as its error report, and of a solved one as evidence, each with its place", () => {
    const failed = readJudgement({ target: false, eval_logs: "1 failed" }).failure;
    expect(failed).toMatchObject({ errorReport: "1 failed" });
    expect(failed.foundAt).toContainEqual({ what: "error_report", where: "/eval_logs" });
    const solved = readJudgement({ target: true, eval_logs: "1 passed" }).failure;
    expect(solved.errorReport).toBeNull();
    expect(solved.verification).toContainEqual({ name: "eval_logs", passed: true, detail: "1 passed" });
    expect(solved.foundAt).toContainEqual({ what: "verification", where: "/eval_logs" });
  });

  it("takes the last text of a test result as the log, flags by what they mean, and a repeated flag once", () => {
    const { failure, patch } = readJudgement({
      resolved: false,
      test_result: {
        git_patch: "diff",
        apply: "PASS",
        report: { resolved: false, empty_generation: false, failed_apply_patch: true },
        test_output: "1 failed",
      },
    });
    expect(patch).toBe("diff");
    expect(failure.errorReport).toBe("1 failed");
    expect(failure.verification).toEqual([
      { name: "resolved", passed: false },
      { name: "empty_generation", passed: true, detail: "false" },
      { name: "failed_apply_patch", passed: false, detail: "true" },
      { name: "apply", passed: null, detail: "PASS" },
    ]);
    expect(failure.foundAt).toContainEqual({ what: "error_report", where: "/test_result/test_output" });
  });

  it("takes a share as a verdict at its ends only", () => {
    const shares = { gen_tests_correct: 0.5, pred_passes_gen_tests: 1 };
    expect(readJudgement(shares).failure.verification).toEqual([
      { name: "gen_tests_correct", passed: null, detail: "0.5" },
      { name: "pred_passes_gen_tests", passed: true, detail: "1" },
    ]);
    expect(readJudgement({ gen_tests_correct: null }).failure.verification).toEqual([]);
  });

  it.each([
    [{ generated_patch: "a" }, "a", null],
    [{ patch: "a" }, "a", null],
    [{ patch: "a", model_patch: "b" }, "b", "a"],
    [{ patch: "a", model_patch: "" }, null, "a"],
    [{ patch: "a", base_commit: "c" }, null, "a"],
    [{ patch: "" }, null, null],
  ])("tells what was delivered from the reference: %j", (row, delivered, reference) => {
    const { patch, failure } = readJudgement(row);
    expect({ patch, reference: failure.referencePatch }).toEqual({ patch: delivered, reference });
  });
});
