/**
 * What the two folding rules look for. Data, so that a rule can be read, tested as a table and given a new version; any
 * change here that moves a fold is a new version of both rules.
 */
export const PAPER_RULE = "paper@1";
export const PARTS_RULE = "parts@1";

/**
 * The paper's threshold tau, UTF-16 units. It prints none. Ours is about the mean observation that its figures give:
 * 74.9 % of "over 5,000 characters" a step (arXiv 2605.26563, sections 1 and 3.2), rounded up.
 */
export const TAU_CHARS = 4_000;

interface FailureWord {
  /** Found as a substring, in any case. */
  word: string;
  /** For `parts`: what may stand between the word and the end of its word; "" is nothing. */
  endings: readonly string[];
  /** For `parts`: whether a longer name may end in it, as `AssertionError` does. */
  endsNames: boolean;
}

const said = (word: string, ...endings: string[]): FailureWord => ({
  word,
  endings: ["", ...endings],
  endsNames: false,
});

/**
 * The failure words K. The first five are the paper's, which goes on with dots; the rest is ours, chosen from what shells,
 * compilers, test runners and the editing tools of agents print when something does not work. "Timeout" is not among
 * them: the paper's worked example (Figure 8) folds `DB_TIMEOUT = 5`.
 */
export const FAILURE_WORDS: readonly FailureWord[] = [
  { word: "exception", endings: ["", "s"], endsNames: true },
  said("fail", "s", "ed", "ing", "ure", "ures"),
  { word: "error", endings: ["", "s", "ed"], endsNames: true },
  said("traceback", "s"),
  said("invalid", "ly"),
  said("fatal", "ly"),
  said("panic", "s", "ked"),
  said("abort", "s", "ed", "ing"),
  said("crash", "es", "ed", "ing"),
  said("denied"),
  said("refused"),
  said("killed"),
  said("cannot"),
  said("unable to"),
  said("not found"),
  said("not exist"),
  said("no such file"),
  said("no replacement"),
  said("not ok"),
  said("timed out"),
  said("segmentation fault"),
  said("core dumped"),
  said("err!"),
];

/** The patch-header pattern P as the paper prints it: `--- a`, `+++ b`, `@@ -N,M +P,Q @@`. One of them is enough. */
const DIFF_HEADERS = ["^--- a\\/", "^\\+\\+\\+ b\\/", "^@@ -\\d+(?:,\\d+)? \\+\\d+(?:,\\d+)? @@"];

/** For `parts` only: git's line before the header, and the lines in which pytest shows what went wrong. */
const ROW_STARTS = ["^diff --git ", "^E {3}"];

/**
 * For `parts` only: how test runners sum up (pytest, unittest, jest and vitest, mocha, go, cargo, maven, TAP, rspec,
 * phpunit). `passed` and `examples` count only with a number before them.
 */
const TEST_SUMMARIES = [
  "passed",
  "passing",
  "examples?,",
  "test result:",
  "tests run:",
  "build success",
  "short test summary",
  "^ran \\d",
  "^tests?(?: suites| files)?: ",
  "^# (?:pass|fail) \\d",
  "^ok(?:$|\\r| \\(|[ \\t]+\\S+\\t)",
];

const words = FAILURE_WORDS.map(({ word }) => word);

/**
 * Everything that either rule looks for, in one pass: global, in any case, `^` at each line. A match is only a candidate:
 * `parts` judges it by its surroundings (signal-judgement.ts). Use it with `matchAll` or a copy: it keeps a position.
 */
export const SIGNAL_EXPRESSION = new RegExp(
  [...words, ...DIFF_HEADERS, ...ROW_STARTS, ...TEST_SUMMARIES].join("|"),
  "gim",
);

/** The pattern P alone. */
export const DIFF_HEADER = new RegExp(DIFF_HEADERS.join("|"), "m");

/** The words K alone. */
export const FAILURE_WORD = new RegExp(words.join("|"), "i");
