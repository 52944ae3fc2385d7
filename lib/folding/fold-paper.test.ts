import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { foldObservation, foldPaper } from "./fold";
import { TAU_CHARS } from "./signals";

const long = (text: string): string => `${"all is quiet here\n".repeat(TAU_CHARS / 18 + 1)}${text}`;

describe("the paper's Algorithm 1", () => {
  it.each([
    // Figure 8, observations 1 to 5.
    [
      "a configuration of 180 lines",
      `host: "127.0.0.1"\nport: 5431\n${'- name: "REGION"\n  value: "eu"\n'.repeat(180)}`,
      "long",
    ],
    ["a failed test", "FAILED. TimeoutError: Failed to reach 127.0.0.1:5431 after 5000ms.", "word fail"],
    ["a constant", "DB_TIMEOUT = 5", "no_word"],
    ["2,000 lines of a build", "[build] formatted src/module.py\n".repeat(2_000), "long"],
    ["a failed test again", "FAILED. TimeoutError: Still unable to reach 127.0.0.1:5431.", "word fail"],
    // Both conditions, each side.
    ["nothing", "", "empty"],
    ["a word in capitals", "x AssertionError y", "word error"],
    ["a word inside another", "the terror of it", "word error"],
    ["no failures at all", "5 passed, 0 failed", "word fail"],
    ["exactly tau with a word", `error ${"x".repeat(TAU_CHARS - 6)}`, "word error"],
    ["one more than tau with a word", `error ${"x".repeat(TAU_CHARS - 5)}`, "long"],
    ["a long log with a failure", long("Traceback (most recent call last):"), "long"],
    ["a long log with a hunk", long("@@ -1,2 +1,3 @@\n-a\n+b\n"), "diff"],
    ["a long log with an old side", long("--- a/src/price.py\n"), "diff"],
    ["a long log with a new side", long("+++ b/src/price.py\n"), "diff"],
    ["a short diff without any word", "--- a/x\n+++ b/x\n", "diff"],
    ["go's own dashes", "--- PASS: TestTotal (0.00s)\nok", "no_word"],
    ["a hunk in the middle of a line", "see @@ -1,2 +1,3 @@ there", "no_word"],
    ["text in another script", "すべて正常です\n".repeat(20), "no_word"],
  ])("%s", (_name, text, expected) => {
    const fold = foldPaper(text);
    expect([fold.why, ...(fold.word === null ? [] : [fold.word])].join(" ")).toBe(expected);
    expect(fold.isFolded).toBe(expected === "long" || expected === "no_word");
  });
});

describe("beside the other rule", () => {
  it("says the same, also of a text in which the other rule met nothing", () => {
    const line = fc.constantFrom(
      "",
      "quiet",
      "读取完了",
      "FAILED",
      "0 errors",
      "+++ b/x",
      "+++ B/x",
      "5 passed",
      "diff --git ",
    );
    const text = fc.tuple(line, line, fc.integer({ min: 1, max: 900 })).map(([a, b, n]) => `${a}\n`.repeat(n) + b);
    fc.assert(
      fc.property(fc.oneof(text, line), (each) => {
        const both = foldObservation(each);
        const alone = foldPaper(each);
        if (both === null) expect(alone.isFolded).toBe(false);
        else expect(both.paper).toEqual(alone);
      }),
      { numRuns: 500, seed: 7 },
    );
  });
});
