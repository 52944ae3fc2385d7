import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { foldParts } from "./fold";
import { gapsOf, renderParts } from "./render";
import { ROW_CHARS } from "./rows";
import type { KeptReason, PartsFold } from "./shape";
import { FAILURE_WORDS, SIGNAL_EXPRESSION } from "./signals";

const QUIET = Array.from({ length: 200 }, (_, i) => `step ${i + 1} of the job is done`);

/** A quiet log of 200 lines with something put after its line 100. */
const inLog = (middle: string): string => [...QUIET.slice(0, 100), middle, ...QUIET.slice(100)].join("\n");

const reasons = (fold: PartsFold): string[] =>
  fold.kept.flatMap(({ why }) => why.map((each: KeptReason) => (each.kind === "signal" ? each.word : each.kind)));

const middleReasons = (text: string): string[] =>
  reasons(foldParts(text)).filter((each) => each !== "first" && each !== "last");

describe("signals", () => {
  it.each([
    ["FAILED tests/test_a.py::test_b - assert 1 == 2", "fail"],
    ["AssertionError: expected 2", "error"],
    ["TimeoutError: Failed to reach 127.0.0.1", "error"],
    ["E       assert 240 == 480", "E"],
    ["requests.exceptions.ConnectionError: no route", "error"],
    ["socket.error: [Errno 111] Connection refused", "error"],
    ["src/main.c:12:5: error: expected ';' before '}' token", "error"],
    ["error[E0308]: mismatched types", "error"],
    ["npm ERR! code ELIFECYCLE", "err!"],
    ["bash: frobnicate: command not found", "not found"],
    ["cat: x.txt: No such file or directory", "no such file"],
    ["No replacement was performed, old_str did not appear", "no replacement"],
    ["\u001b[1;31mFAILED\u001b[0m tests/test_a.py", "fail"],
    ["\u001b[31mError\u001b[0m: broken", "error"],
    ["--- FAIL: TestTotal (0.00s)", "fail"],
    ["not ok 12 - adds up", "not ok"],
    ["TIMEOUT_ERROR", "error"],
    ["    2 Error(s)", "error"],
    ["Killed", "killed"],
    ["thread 'main' panicked at src/main.rs:4", "panic"],
    ['Exception in thread "main" java.lang.NullPointerException', "exception"],
    ["Error: class Basket has no total", "error"],
    ["3 failed", "fail"],
    ["10 errors generated.", "error"],
    ["--- a/src/price.py", "diff"],
    ["@@ -10,2 +10,3 @@ def total():", "diff"],
    ["diff --git a/x.py b/x.py", "diff"],
    ["12 passed in 0.31s", "tests"],
    ["==== 5 passed, 0 failed in 0.12s ====", "tests"],
    ["Ran 5 tests in 0.003s", "tests"],
    ["OK", "tests"],
    ["OK (skipped=1)", "tests"],
    ["ok  \tgithub.com/x/shop\t0.012s", "tests"],
    ["test result: ok. 5 passed; 0 failed; 0 ignored", "tests"],
    ["Tests:       3 passed, 3 total", "tests"],
    ["  12 passing (31ms)", "tests"],
    ["Tests run: 5, Failures: 0, Errors: 0, Skipped: 0", "tests"],
    ["# pass 5", "tests"],
    ["12 examples, 0 failures", "tests"],
    ["Passed: 5", "tests"],
  ])("%s keeps its place in a log", (line, word) => {
    const text = inLog(line);
    expect(middleReasons(text)).toContain(word);
    const fold = foldParts(text);
    const part = fold.kept.find(({ start, end }) => text.slice(start, end).includes(line));
    // Two lines before, three after, and nothing else of the middle.
    expect(part && text.slice(part.start, part.end).split("\n").slice(0, -1)).toEqual([
      ...QUIET.slice(98, 100),
      ...[line, ...QUIET.slice(100, 103)],
    ]);
    expect([part?.line, part?.lineAfter]).toEqual([99, 105]);
  });
});

describe("failure words", () => {
  it.each(FAILURE_WORDS.map(({ word }) => word))("%s is told from every other, in any case", (word) => {
    expect(middleReasons(inLog(`${word} 1`))).toEqual([word]);
    expect(middleReasons(inLog(`${word.toUpperCase()} 1`))).toEqual([word]);
  });

  it.each(["examples, 2 examples, 1 more", "3 passed", "short test summary info", "build success"])(
    "%s is none of them",
    (line) => {
      expect(middleReasons(inLog(line))).toEqual(["tests"]);
    },
  );
});

describe("the deny list", () => {
  it.each([
    "0 failed",
    "0 AssertionErrors",
    "no errors",
    "No test failures",
    "without any errors",
    "Failures: 0",
    '  "error": null,',
    "  errors = []",
    "is_error: false",
    "src/error_handler.py",
    "error_handler",
    "lib/errors/index.ts",
    "test_error.py",
    "ErrorBoundary.tsx",
    "self.errors.append(item)",
    "$error",
    "--fail-fast",
    "the terror of it",
    "a failover cluster",
    "the cache was invalidated",
    "xfailed",
    '    raise ValueError("wrong")',
    "    12\t    except KeyError:",
    "src/a.py:12:    raise ShopError",
    "src/a.py:class ShopError(Exception):",
    "} catch (error) {",
    "// an error is thrown when it is empty",
    "# errors are collected",
    "    if error is not None:",
    "log.error('x')",
    "tests/test_a.py::test_b PASSED",
    "all of it passed",
    "error handling".replace(" ", "-"),
  ])("%s is no signal", (line) => {
    expect(middleReasons(inLog(line))).toEqual([]);
  });

  it("goes on in the line after a candidate that is none", () => {
    expect(middleReasons(inLog("0 failed, then: error: broken pipe"))).toEqual(["error"]);
  });

  it("takes a source file with the word in it for what it is", () => {
    const source = Array.from({ length: 60 }, (_, i) =>
      i % 5 === 0 ? `    raise ShopError("part ${i} is missing")` : `    total_${i} = price_${i} * count_${i}`,
    );
    expect(middleReasons(source.join("\n"))).toEqual([]);
    expect(middleReasons(source.map((line, i) => `${String(i + 1).padStart(6)}\t${line}`).join("\n"))).toEqual([]);
    expect(middleReasons(source.map((line, i) => `shop/a.py:${i + 1}:${line}`).join("\n"))).toEqual([]);
  });
});

describe("blocks", () => {
  it("keeps a traceback with all its frames and what it ends with", () => {
    const frames = Array.from({ length: 12 }, (_, i) => `  File "/a/b${i}.py", line ${i}, in f${i}\n    step(${i})`);
    const traceback = ["Traceback (most recent call last):", ...frames, "shop.Missing: nothing there"].join("\n");
    const text = inLog(traceback);
    expect(foldParts(text).kept.some(({ start, end }) => text.slice(start, end).includes(traceback))).toBe(true);
  });

  it("keeps a diff with its hunks, by the numbers of lines in their headers", () => {
    const hunk = ["@@ -1,14 +1,14 @@", ...Array.from({ length: 13 }, (_, i) => ` row ${i}`), "-old", "+new"];
    const diff = ["--- a/x.py", "+++ b/x.py", ...hunk].join("\n");
    const text = inLog(diff);
    const part = foldParts(text).kept.find(({ start, end }) => text.slice(start, end).includes(diff));
    expect(part && text.slice(part.start, part.end).trimEnd().split("\n").length).toBeLessThan(24);
    expect(part?.why).toEqual([{ kind: "diff" }]);
  });

  it("keeps what is quoted, with a line on each side", () => {
    const text = QUIET.join("\n");
    const at = text.indexOf("step 120 ");
    const { kept } = foldParts(text, [{ start: at, end: at + 8 }]);
    expect(kept.map(({ why }) => why[0]?.kind)).toEqual(["first", "quotation", "last"]);
    expect(text.slice(kept[1]?.start, kept[1]?.end)).toBe(
      "step 119 of the job is done\nstep 120 of the job is done\nstep 121 of the job is done\n",
    );
  });

  it("keeps a quotation of many lines to its end", () => {
    const text = QUIET.join("\n");
    const end = text.indexOf("step 130 ") + 4;
    const { kept } = foldParts(text, [{ start: text.indexOf("step 101 "), end }]);
    expect([kept[1]?.line, kept[1]?.lineAfter]).toEqual([100, 132]);
  });

  it("joins signals that stand close together, and leaves no gap that is not worth a placeholder", () => {
    const lines = [...QUIET];
    for (const at of [50, 58, 66]) lines[at] = "error: again";
    const { kept } = foldParts(lines.join("\n"));
    expect(kept.map(({ line, lineAfter }) => [line, lineAfter])).toEqual([
      [1, 9],
      [49, 71],
      [193, 200],
    ]);
  });
});

describe("texts of every kind", () => {
  it("leaves a short text alone", () => {
    for (const text of ["", "x", "\n", "\n\n\n", "a\nb\nc", QUIET.slice(0, 18).join("\n")]) {
      expect(foldParts(text).kept).toEqual([expect.objectContaining({ start: 0, end: text.length })]);
    }
  });

  it("counts lines with CRLF, ANSI and other scripts as they are", () => {
    const lines = QUIET.map((line, i) => (i === 120 ? "\u001b[31mエラー: Error: 失敗\u001b[0m" : `${line} 文字化け`));
    const { kept } = foldParts(lines.join("\r\n"));
    expect(kept.map(({ line, lineAfter, why }) => [line, lineAfter, why[0]?.kind])).toEqual([
      [1, 9, "first"],
      [119, 125, "signal"],
      [193, 200, "last"],
    ]);
  });

  it("keeps of one long line the rows with a signal, its beginning and its end", () => {
    const text = `${"x ".repeat(20_000)}error: in the middle${" y".repeat(20_000)}`;
    const { kept } = foldParts(text);
    expect(kept.length).toBe(3);
    expect(text.slice(kept[1]?.start, kept[1]?.end)).toContain("error: in the middle");
    expect(kept.every((range) => range.end - range.start <= 2 * ROW_CHARS && range.lineAfter === 1)).toBe(true);
    expect(gapsOf({ kept, leftOut: 0 }).map(({ lines, firstLine }) => [lines, firstLine])).toEqual([
      [0, 1],
      [0, 1],
    ]);
  });

  it("bounds what stays when every line has a signal, and counts the others", () => {
    const text = "2026-01-01 error: the same again\n".repeat(20_000);
    const fold = foldParts(text);
    const kept = fold.kept.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(kept).toBeLessThan(9_000);
    expect(fold.leftOut).toBeGreaterThan(19_000);
    expect(fold.kept.at(-1)?.lineAfter).toBe(20_001);
  });

  it.each([
    ["errors in every line", "2026 error: the same again\n"],
    ["denied words in every line", "0 failed, no errors, error_handler\n"],
    ["nothing but line ends", "\n"],
    ["one line", "x"],
    ["one line of signals", "error "],
    ["frames of tracebacks", "Traceback (most recent call last):\n  a\n"],
    ["headers of hunks", "@@ -1,9 +1,9 @@\n"],
    ["names before words", "aaaa-"],
    ["digits", "1"],
    ["escape sequences", "\u001b[31mFAILED\u001b[0m\n"],
    ["pairs", "\u{1f600}"],
  ])("takes at most a few passes of its own expression over 12 MB of %s", (_name, unit) => {
    const text = unit.repeat(Math.ceil(12_000_000 / unit.length));
    let matches = 0;
    const pass = processorMs(() => {
      for (const _ of text.matchAll(SIGNAL_EXPRESSION)) matches += 1;
    });
    const fold = processorMs(() => foldParts(text));
    // Generous: the benchmark holds 3. What this is about is that no text makes it quadratic.
    expect(fold, `${matches} matches in ${pass} ms`).toBeLessThan(10 * pass + 300);
  });
});

const piece = fc.oneof(
  fc.constantFrom(
    "error: x",
    "0 failed",
    "@@ -1,3 +1,3 @@",
    "--- a/x",
    "Traceback (most recent call last):",
    "  File x",
  ),
  fc.constantFrom(
    "5 passed",
    "\r",
    "",
    " context",
    "+new",
    "-old",
    "文字",
    "\u{1f600}\u{1f600}",
    "\u001b[31mFAILED\u001b[0m",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constantFrom("quiet line of a log", "another one"),
  fc.integer({ min: 900, max: 2_100 }).map((length) => "\u{1f600}x".repeat(length / 3)),
);
const anyText = fc
  .array(fc.tuple(piece, fc.integer({ min: 1, max: 12 })), { maxLength: 40 })
  .map((parts) => parts.flatMap(([text, times]) => Array.from({ length: times }, () => text)).join("\n"));

/** Rows as the rule says them, found the simple way. */
function rowEnds(text: string): Set<number> {
  const ends = new Set([0, text.length]);
  let lineStart = 0;
  for (const line of text.split("\n")) {
    for (let at = ROW_CHARS; at < line.length; at += ROW_CHARS) {
      const isInsidePair = /^[\ud800-\udbff][\udc00-\udfff]/.test(line.slice(at - 1, at + 1));
      ends.add(lineStart + at - (isInsidePair ? 1 : 0));
    }
    lineStart += line.length + 1;
    ends.add(Math.min(lineStart, text.length));
  }
  return ends;
}

describe("for every text", () => {
  it("what stays and what is folded are the whole, in order, on the ends of rows, with true line numbers", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const { kept } = foldParts(text);
        const gaps = gapsOf({ kept, leftOut: 0 });
        const ends = rowEnds(text);
        const lineAt = (offset: number): number => text.slice(0, offset).split("\n").length;
        let at = 0;
        kept.forEach((range, i) => {
          expect(range.start).toBe(at);
          expect(range.end > range.start || text === "").toBe(true);
          expect([ends.has(range.start), ends.has(range.end)]).toEqual([true, true]);
          expect([range.line, range.lineAfter]).toEqual([lineAt(range.start), lineAt(range.end)]);
          expect(range.why.length).toBeGreaterThan(0);
          at = range.end;
          const gap = gaps[i];
          if (gap === undefined) return;
          expect(gap.start).toBe(at);
          expect(gap.end).toBeGreaterThan(gap.start);
          expect(gap.lines).toBe(text.slice(gap.start, gap.end).split("\n").length - 1);
          at = gap.end;
        });
        expect(at).toBe(text.length);
      }),
      { numRuns: 400 },
    );
  });

  it("says the same each time, and keeps the parts word for word when it is rendered", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const fold = foldParts(text);
        expect(foldParts(text)).toEqual(fold);
        const rendered = renderParts(text, fold, "t1.2");
        for (const { start, end } of fold.kept) expect(rendered).toContain(text.slice(start, end));
        if (fold.kept.length === 1) expect(rendered).toBe(text);
      }),
    );
  });

  it("folds nothing more in what it left of a log", () => {
    const line = fc.constantFrom("error: x", "quiet", "5 passed", "FAILED a::b", "@@ -1,1 +1,1 @@", "one more line");
    fc.assert(
      fc.property(fc.array(line, { maxLength: 300 }), (lines) => {
        const text = lines.join("\n");
        const fold = foldParts(text);
        if (fold.leftOut > 0) return;
        const once = renderParts(text, fold, "t1.2");
        expect(renderParts(once, foldParts(once), "t1.2")).toBe(once);
      }),
    );
  });
});
