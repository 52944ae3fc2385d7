import type { FailureContext } from "@/lib/trajectory/schema";
import { unknownFailure } from "../entries";
import { isObject, type JsonObject, type JsonValue, member, stringMember } from "../safe-json";
import { firstText } from "./rows";

/** Columns that say how a run ended, what it delivered, how it was judged, or what the solution is. */
const JUDGEMENTS: ReadonlySet<string> = new Set([
  ...["resolved", "target", "fail", "exit_status", "score", "reward"],
  ...["test_result", "test_results", "eval_logs", "gen_tests_correct", "pred_passes_gen_tests"],
  ...["model_patch", "generated_patch", "git_patch", "patch", "gold_patch"],
  ...["test_patch", "hints_text", "FAIL_TO_PASS", "PASS_TO_PASS"],
]);

/** True for a column that is failure context. */
export function isJudgement(column: string): boolean {
  return JUDGEMENTS.has(column);
}

/** What the columns of a row say about how the run ended. */
export interface Judgement {
  failure: FailureContext;
  patch: string | null;
  exitStatus: string | null;
}

type Found = NonNullable<FailureContext["foundAt"]>;
type Check = FailureContext["verification"][number];

/** Columns whose value is yes or no, as a flag or as 0 and 1. */
const VERDICTS = ["resolved", "target"];
/** Columns with a share or a rating. */
const SHARES = ["gen_tests_correct", "pred_passes_gen_tests", "score", "reward"];

/** Reads the columns that say how a run ended, each with its place in the row as a JSON pointer. */
export function readJudgement(row: JsonObject): Judgement {
  const book = new FailureBook();
  for (const key of VERDICTS) {
    const verdict = yesOrNo(member(row, key));
    if (verdict !== null) book.addVerdict(key, verdict);
  }
  for (const key of SHARES) addShare(book, key, member(row, key), `/${key}`);
  addStated(book, "fail", member(row, "fail"), "/fail");
  addStated(book, "session_success", member(member(row, "session"), "session_success"), "/session/session_success");
  for (const key of ["test_result", "test_results"]) addTestResult(book, member(row, key), `/${key}`);
  book.addLog("eval_logs", stringMember(row, "eval_logs"), "/eval_logs");
  const patch = deliveredPatch(row);
  addReference(book, row, patch?.where ?? null);
  return { failure: book.finish(), patch: patch?.text ?? null, exitStatus: firstText(row, ["exit_status"]) };
}

/** Collects failure context with the place of each part. */
class FailureBook {
  readonly failure = unknownFailure();
  private readonly found: Found = [];

  /** The first verdict is the outcome. */
  addVerdict(key: string, verdict: boolean): void {
    if (this.failure.outcome === "unknown") {
      this.failure.outcome = verdict ? "resolved" : "failed";
      this.place("outcome", `/${key}`);
    }
    this.addCheck({ name: key, passed: verdict }, `/${key}`);
  }

  /** Adds a check once: a report may say again what a column says. */
  addCheck(check: Check, where: string): void {
    const isKnown = this.failure.verification.some(
      ({ name, passed }) => name === check.name && passed === check.passed,
    );
    if (isKnown) return;
    this.failure.verification.push(check);
    this.place("verification", where);
  }

  /** The log of the tests tells what failed only when something did. */
  addLog(name: string, log: string | null, where: string): void {
    if (log === null || log.trim() === "") return;
    if (this.failure.outcome === "resolved" || this.failure.errorReport !== null) {
      const passed = this.failure.outcome === "resolved" ? true : null;
      this.addCheck({ name, passed, detail: log }, where);
      return;
    }
    this.failure.errorReport = log;
    this.place("error_report", where);
  }

  place(what: Found[number]["what"], where: string): void {
    if (!this.found.some((known) => known.what === what && known.where === where)) this.found.push({ what, where });
  }

  finish(): FailureContext {
    if (this.found.length > 0) this.failure.foundAt = this.found;
    return this.failure;
  }
}

function yesOrNo(value: JsonValue | undefined): boolean | null {
  if (typeof value === "boolean") return value;
  return value === 0 || value === 1 ? value === 1 : null;
}

/** A share of 0 or 1 is a verdict; what lies between is none. */
function addShare(book: FailureBook, name: string, value: JsonValue | undefined, where: string): void {
  if (typeof value === "number") book.addCheck({ name, passed: yesOrNo(value), detail: String(value) }, where);
}

/** A value whose meaning is not told is kept as it stands. */
function addStated(book: FailureBook, name: string, value: JsonValue | undefined, where: string): void {
  if (value === undefined || value === null) return;
  const detail = typeof value === "string" ? value : JSON.stringify(value);
  book.addCheck({ name, passed: null, detail }, where);
}

/** The flags of a test run, under the names that harnesses give them, and its log. */
function addTestResult(book: FailureBook, value: JsonValue | undefined, where: string): void {
  if (!isObject(value)) return;
  const report = member(value, "report");
  const [flags, place] = isObject(report) ? [report, `${where}/report`] : [value, where];
  for (const [key, held] of Object.entries(flags)) {
    if (typeof held === "boolean") {
      book.addCheck({ name: key, passed: passes(key, held), detail: String(held) }, place);
    } else addShare(book, key, held, place);
  }
  const texts = Object.entries(value).flatMap(([key, held]) =>
    typeof held === "string" && held.trim() !== "" && !DELIVERED.includes(key) ? [{ key, text: held }] : [],
  );
  // The log of the tests stands last; before it stands how they were set up.
  const log = texts.pop();
  if (log) book.addLog(log.key, log.text, `${where}/${log.key}`);
  for (const { key, text } of texts) book.addCheck({ name: key, passed: null, detail: text }, `${where}/${key}`);
}

/** What a flag means: most say that something went well, some that it failed. */
function passes(key: string, value: boolean): boolean {
  return /^(?:empty_|failed_|error|test_timeout|timeout)/.test(key) ? !value : value;
}

const DELIVERED = ["model_patch", "generated_patch", "git_patch"];

/**
 * What the run delivered. A column `patch` is that in rows of runs alone; beside columns of the task it is the solution
 * that the data set knows.
 */
function deliveredPatch(row: JsonObject): { text: string; where: string } | null {
  const held = firstText(asObject(member(row, "test_result")), ["git_patch", "model_patch"]);
  for (const key of DELIVERED) {
    const text = firstText(row, [key]);
    if (text !== null) return { text, where: key };
  }
  if (held !== null) return { text: held, where: "test_result" };
  const own = firstText(row, ["patch"]);
  return own === null || isTaskRow(row) ? null : { text: own, where: "patch" };
}

function isTaskRow(row: JsonObject): boolean {
  return ["base_commit", "test_patch", "FAIL_TO_PASS", ...DELIVERED].some((key) => member(row, key) !== undefined);
}

function addReference(book: FailureBook, row: JsonObject, delivered: string | null): void {
  const key = ["gold_patch", "patch"].find((name) => name !== delivered && firstText(row, [name]) !== null);
  if (key !== undefined) {
    book.failure.referencePatch = firstText(row, [key]);
    book.place("reference_patch", `/${key}`);
  }
  const tests = firstText(row, ["test_patch"]);
  if (tests !== null) {
    book.failure.failingTestCode = tests;
    book.place("failing_test_code", "/test_patch");
  }
}

function asObject(value: JsonValue | undefined): JsonObject {
  return isObject(value) ? value : {};
}
