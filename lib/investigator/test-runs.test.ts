import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { readSummary, testRunner, testRunsOf } from "./test-runs";
import { SampleRun } from "./test-support/sample-run";

describe("testRunner", () => {
  it.each([
    ["pytest -x tests", "pytest"],
    ["cd /repo && python -m pytest tests/test_a.py", "pytest"],
    ["cd /repo; PYTHONPATH=. timeout 60 python3 -m pytest", "pytest"],
    ["python -m unittest discover", "unittest"],
    ["./tests/runtests.py admin", "django"],
    ["python manage.py test app", "django"],
    ["npx jest --ci", "jest"],
    ["npm test", "jest"],
    ["pnpm run test", "jest"],
    ["go test ./...", "go"],
    ["cargo test --lib", "cargo"],
    ["make -j4 check", "other"],
    ["cat pytest.ini", null],
    ["grep -rn pytest .", null],
    ["pip install pytest", null],
    ["echo 'go test'", null],
    ["python reproduce.py", null],
    ["cat > t.py <<'EOF'\npytest x\nEOF\npython -m pytest -q", "pytest"],
    ["cat > t.sh <<EOF\npytest x\nEOF", null],
    ["cat > t.sh <<-\\EOF && ls\n\tgo test\n\tEOF\necho done", null],
    ["", null],
  ])("%s", (command, runner) => expect(testRunner(command)).toBe(runner));
});

describe("readSummary", () => {
  it.each<[string, "passed" | "failed", number | null, number | null]>([
    ["===== 3 passed in 0.10s =====", "passed", 3, 0],
    ["== 2 failed, 3 passed, 1 warning in 0.10s ==", "failed", 3, 2],
    ["\u001b[31m==== \u001b[1m1 failed\u001b[0m, \u001b[32m4 passed\u001b[0m in 2.00s ====\u001b[0m", "failed", 4, 1],
    ["1 passed, 2 errors in 0.31s", "failed", 1, 2],
    ["Ran 4 tests in 0.001s\n\nOK", "passed", null, 0],
    ["Ran 4 tests in 0.001s\n\nOK (skipped=1)", "passed", null, 0],
    ["Ran 4 tests in 0.001s\n\nFAILED (failures=1, errors=2)", "failed", null, 3],
    ["Tests:       1 failed, 5 passed, 6 total", "failed", 5, 1],
    [" Tests  6 passed (6)", "passed", 6, 0],
    ["  4 passing (20ms)", "passed", 4, null],
    ["  4 passing (20ms)\n  2 failing", "failed", null, 2],
    ["ok  \texample.org/a\t0.01s\nok  \texample.org/b\t(cached)", "passed", null, 0],
    ["--- FAIL: TestA (0.00s)\nFAIL\texample.org/a\t0.01s\nok  \texample.org/b\t0.01s", "failed", null, null],
    ["test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured", "passed", 7, 0],
    ["test result: FAILED. 6 passed; 1 failed; 0 ignored", "failed", 6, 1],
  ])("%s", (text, outcome, passed, failed) => {
    const summary = readSummary(`some output\n${text}\n`);
    expect(summary).toMatchObject({ outcome, passed, failed });
    expect(text).toContain(`some output\n${text}\n`.slice(summary?.summary.start, summary?.summary.end));
  });

  it.each(["", "Killed", "no tests ran in 0.01s", "collected 3 items", "it passed, I think", "OKAY"])(
    "reads nothing into %s",
    (text) => expect(readSummary(text)).toBeNull(),
  );

  it("is linear in long lines and in many lines", () => {
    const tookMs = processorMs(() => {
      for (const piece of ["1 failed, ", "= ", "ok \t", "\u001b[", "9", "FAILED ("]) {
        readSummary(piece.repeat(200_000));
        readSummary(`${piece.repeat(30)}\n`.repeat(20_000));
      }
    });
    expect(tookMs).toBeLessThan(2_000);
  });
});

it("gives a run without a readable result as unread", () => {
  const run = new SampleRun();
  run.turn().run("pytest", "Killed").call({ tool: "bash", callKind: "execute", text: "pytest tests" });
  expect(testRunsOf(run.at(0)).map(({ outcome, result }) => [outcome, result])).toEqual([
    ["unread", "t0.1"],
    ["unread", null],
  ]);
});
