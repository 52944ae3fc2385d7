import { readIfThere } from "../launch/private-file.mjs";

/**
 * How one stage went.
 * @typedef {object} Outcome
 * @property {string} stage
 * @property {number} passed
 * @property {number} failed
 * @property {string} note one line, empty when there is nothing to add
 * @property {number} durationMs
 */

/**
 * A check that passes or fails as a whole counts as one test.
 * @param {number} code exit code
 */
export function countCheck(code) {
  return { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, note: "" };
}

/**
 * Adds up vitest's JSON report. A skipped test counts as failed, and so does a file that could not be loaded: neither
 * has shown anything.
 * @param {string} file
 * @param {number} code vitest's exit code
 */
export function countVitest(file, code) {
  const report = readReport(file);
  if (!report) return { passed: 0, failed: 1, note: `no report (exit code ${code})` };
  const files = report.testResults ?? [];
  const broken = files.filter((one) => one.status === "failed" && !one.assertionResults.some(isFailed)).length;
  const skipped = (report.numPendingTests ?? 0) + (report.numTodoTests ?? 0);
  return balance(report.numPassedTests ?? 0, (report.numFailedTests ?? 0) + broken, skipped, code);
}

/** @param {{ status: string }} result */
const isFailed = (result) => result.status === "failed";

/**
 * Adds up Playwright's JSON report; flaky and skipped tests count as failed.
 * @param {string} file
 * @param {number} code Playwright's exit code
 */
export function countPlaywright(file, code) {
  const report = readReport(file);
  if (!report?.stats) return { passed: 0, failed: 1, note: `no report (exit code ${code})` };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return balance(expected, unexpected + flaky, skipped, code);
}

/**
 * @param {number} passed
 * @param {number} failed
 * @param {number} skipped
 * @param {number} code
 */
function balance(passed, failed, skipped, code) {
  const notes = skipped > 0 ? [`${skipped} skipped, counted as failed`] : [];
  let all = failed + skipped;
  if (code !== 0 && all === 0) {
    all = 1;
    notes.push(`exit code ${code} although no test failed`);
  }
  if (code === 0 && passed + all === 0) {
    all = 1;
    notes.push("no test was found");
  }
  return { passed, failed: all, note: notes.join("; ") };
}

/** @param {string} file */
function readReport(file) {
  const text = readIfThere(file);
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return null; // cut off: the stage was killed while it wrote
  }
}

/**
 * The table of all stages and the line that ends a run.
 * @param {Outcome[]} outcomes
 * @returns {{ lines: string[], failed: number }}
 */
export function summary(outcomes) {
  const width = Math.max(...outcomes.map(({ stage }) => stage.length), 5);
  const rows = outcomes.map(({ stage, passed, failed, note, durationMs }) => {
    const counts = `${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed`;
    return `${stage.padEnd(width)} ${counts} ${(durationMs / 1_000).toFixed(1).padStart(7)} s${note ? `  ${note}` : ""}`;
  });
  const passed = outcomes.reduce((sum, one) => sum + one.passed, 0);
  const failed = outcomes.reduce((sum, one) => sum + one.failed, 0);
  return { lines: [...rows, `${passed} passed, ${failed} failed`], failed };
}
