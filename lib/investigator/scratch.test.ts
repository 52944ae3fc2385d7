import { describe, expect, it } from "vitest";
import { patchedPaths } from "./paths";
import { isScratchFile, type ScratchFacts, scratchFiles } from "./scratch";
import { SampleRun } from "./test-support/sample-run";

const made: Omit<ScratchFacts, "path"> = {
  inRepository: true,
  written: true,
  existedBefore: false,
  removedAgain: false,
  delivered: null,
};

describe("isScratchFile", () => {
  it.each<[string, Partial<ScratchFacts>, boolean, string]>([
    // path, facts, is scratch, reason
    ["/tmp/patch.py", { existedBefore: true }, true, "temporary_folder"],
    ["/private/tmp/x", {}, true, "temporary_folder"],
    ["/dev/null", {}, true, "temporary_folder"],
    ["tests/test_wrap.py", { existedBefore: true }, false, "existed_before"],
    ["reproduce.py", { existedBefore: true }, false, "existed_before"],
    ["debug.py", { written: false }, false, "not_written"],
    ["src/new_module.py", { removedAgain: true }, true, "removed_again"],
    ["/home/agent/notes.py", { inRepository: false }, true, "outside_repository"],
    ["reproduce.py", {}, true, "scratch_name"],
    ["reproduce_issue.py", {}, true, "scratch_name"],
    ["repro2.js", {}, true, "scratch_name"],
    ["tools/debug_width.rs", {}, true, "scratch_name"],
    ["tmp.txt", {}, true, "scratch_name"],
    ["wrap_repro.py", {}, true, "scratch_name"],
    ["src/wrap.py.orig", {}, true, "scratch_name"],
    ["src/wrap.py.bak", {}, true, "scratch_name"],
    ["src/wrap.py.backup", {}, true, "scratch_name"],
    ["reproduce.py", { delivered: true }, true, "scratch_name"],
    // Names that only begin like scratch
    ["src/template.py", {}, false, "new_source"],
    ["src/debugger.py", {}, false, "new_source"],
    ["src/temperature.py", {}, false, "new_source"],
    ["src/reproducible.py", {}, false, "new_source"],
    ["src/foobar.py", {}, false, "new_source"],
    // Trials: by place and by the patch
    ["test_fix.py", {}, true, "trial_name"],
    ["check.py", {}, true, "trial_name"],
    ["demo-wrap.ts", {}, true, "trial_name"],
    ["tests/test_wrap_width.py", {}, false, "new_source"],
    ["tests/test_wrap_width.py", { delivered: true }, false, "delivered"],
    ["tests/test_wrap_width.py", { delivered: false }, true, "trial_name"],
    ["test_fix.py", { delivered: true }, false, "delivered"],
    // Anything else
    ["src/limits.py", {}, false, "new_source"],
    ["src/limits.py", { delivered: true }, false, "delivered"],
    ["src/limits.py", { delivered: false }, true, "not_delivered"],
    ["src/.hidden", {}, false, "new_source"],
    ["__proto__", {}, false, "new_source"],
  ])("%s %o", (path, facts, isScratch, reason) => {
    expect(isScratchFile({ path, ...made, ...facts })).toEqual({ isScratch, reason });
  });
});

describe("scratchFiles", () => {
  it("knows files that were there from the baseline, from a read, from an edit and from a refused create", () => {
    const run = new SampleRun();
    run.baseline("/repo/test_a.py", "x");
    run.turn().write("/repo/test_a.py", "y");
    run.turn().read("/repo/test_b.py");
    run.turn().write("/repo/test_b.py", "y", { operation: "overwrite" });
    run.turn().write("/repo/test_c.py", "y", { before: "x" });
    run.turn().write("/repo/test_d.py", "y", { status: "refused" });
    run.turn().write("/repo/test_d.py", "y", { operation: "overwrite" });
    run.turn().write("/repo/test_e.py", "y");
    run.turn().read("/repo/test_e.py");
    run.turn().write("/repo/test_e.py", "z", { before: "y" });
    const decisions = scratchFiles(run.trajectory(), run.history());
    const scratch = [...decisions].filter(([, decision]) => decision.isScratch).map(([path]) => path);
    expect(scratch).toEqual(["/repo/test_e.py"]);
    expect(decisions.get("/repo/test_d.py")?.reason).toBe("existed_before");
  });

  it("sees a file that was made and removed again, but not one that was made anew after that", () => {
    const run = new SampleRun();
    run.turn().write("/repo/src/a.py", "x").turn().write("/repo/src/a.py", "", { operation: "delete" });
    run.turn().write("/repo/src/b.py", "x").turn().write("/repo/src/b.py", "", { operation: "delete" });
    run.turn().write("/repo/src/b.py", "y");
    const decisions = scratchFiles(run.trajectory(), run.history());
    expect(decisions.get("/repo/src/a.py")).toEqual({ isScratch: true, reason: "removed_again" });
    expect(decisions.get("/repo/src/b.py")).toEqual({ isScratch: false, reason: "new_source" });
  });

  it("looks new files up in the delivered patch, by their path in the repository", () => {
    const run = new SampleRun();
    run.patch =
      "diff --git a/src/kept.py b/src/kept.py\nnew file mode 100644\n--- /dev/null\n+++ b/src/kept.py\n@@ -0,0 +1 @@\n+x\n";
    run.turn().write("/repo/src/kept.py", "x").turn().write("/repo/src/left_out.py", "x");
    const decisions = scratchFiles(run.trajectory(), run.history());
    expect(decisions.get("/repo/src/kept.py")?.reason).toBe("delivered");
    expect(decisions.get("/repo/src/left_out.py")).toEqual({ isScratch: true, reason: "not_delivered" });
  });
});

describe("patchedPaths", () => {
  it.each<[string, string | null, string[] | null]>([
    ["no patch", null, null],
    ["an empty patch", " \n", null],
    ["words", "nothing to see", null],
    ["a change", "--- a/x/y.py\n+++ b/x/y.py\n@@ -1 +1 @@\n", ["x/y.py"]],
    ["a deletion", "--- a/gone.py\n+++ /dev/null\n", ["gone.py"]],
    ["a rename", "diff --git a/o b/n\nsimilarity index 100%\nrename from o\nrename to n\n", ["n"]],
    ["a time stamp", "--- a/x\t2020\n+++ b/x\t2020\n", ["x"]],
  ])("reads %s", (_, patch, paths) => expect(patchedPaths(patch)).toEqual(paths === null ? null : new Set(paths)));
});
