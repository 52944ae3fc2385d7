import type { FailureContext, Trajectory } from "@/lib/trajectory/schema";
import { unknownFailure } from "../../entries";
import type { NoteBook } from "../../notes";
import { countMember, isObject, type JsonObject, type JsonValue, member, stringMember } from "../../safe-json";
import type { Around } from "./opened-run";

/** What an evaluation knows about the run beside its events. */
export interface EvaluationFacts {
  task: Trajectory["task"];
  agent: string | null;
  model: string | null;
  patch: string | null;
  failure: FailureContext;
}

/** Members of an instance that say what the task is; the others may say how it is judged. */
const TASK_KEYS = [
  "instance_id",
  "repo",
  "base_commit",
  "version",
  "created_at",
  "environment_setup_commit",
  "problem_statement",
  "dependencies",
];

/** Members of a row that are shown as failure context, as the patch, or in the trace. */
export const JUDGED = ["test_result", "report", "error", "git_patch", "resolved"] as const;

/** Reads what a row says beside its history. What it says about the failure stands apart from the trace. */
export function readEvaluation({ value: row }: Around): EvaluationFacts {
  const metadata = member(row, "metadata");
  const instance = member(row, "instance");
  const result = member(row, "test_result");
  const patch = stringMember(result, "git_patch") ?? stringMember(row, "git_patch");
  return {
    task: {
      statement: stringMember(instance, "problem_statement") ?? stringMember(row, "instruction"),
      instance: stringMember(row, "instance_id"),
      repository: stringMember(instance, "repo"),
      baseCommit: stringMember(instance, "base_commit"),
    },
    agent: stringMember(metadata, "agent_class"),
    model: stringMember(member(metadata, "llm_config"), "model") ?? stringMember(member(metadata, "llm"), "model"),
    patch: patch === null || patch.trim() === "" ? null : patch,
    failure: failureOf(row, instance, result),
  };
}

function failureOf(row: JsonObject, instance: JsonValue | undefined, result: JsonValue | undefined): FailureContext {
  const failure = unknownFailure();
  const found: NonNullable<FailureContext["foundAt"]> = [];
  const report = firstObject([
    [member(row, "report"), "/report"],
    [member(result, "report"), "/test_result/report"],
    [result, "/test_result"],
  ]);
  const verdict = verdictOf(report?.value, row, result);
  if (verdict !== null) {
    failure.outcome = verdict.resolved ? "resolved" : "failed";
    found.push({ what: "outcome", where: verdict.where ?? report?.where ?? "/test_result" });
  }
  const error = [stringMember(row, "error"), stringMember(result, "traceback"), stringMember(result, "test_output")]
    .filter((text) => text !== null && text.trim() !== "")
    .join("\n\n");
  if (error !== "") {
    failure.errorReport = error;
    found.push({ what: "error_report", where: stringMember(row, "error") ? "/error" : "/test_result" });
  }
  const reference = stringMember(instance, "patch");
  if (reference !== null && reference.trim() !== "") {
    failure.referencePatch = reference;
    found.push({ what: "reference_patch", where: "/instance/patch" });
  }
  const tests = stringMember(instance, "test_patch");
  if (tests !== null && tests.trim() !== "") {
    failure.failingTestCode = tests;
    found.push({ what: "failing_test_code", where: "/instance/test_patch" });
  }
  failure.verification = verifications(result, report?.value);
  if (failure.verification.length > 0) found.push({ what: "verification", where: report?.where ?? "/test_result" });
  if (found.length > 0) failure.foundAt = found;
  return failure;
}

function firstObject(candidates: [JsonValue | undefined, string][]): { value: JsonObject; where: string } | null {
  for (const [value, where] of candidates) {
    if (isObject(value) && Object.keys(value).length > 0) return { value, where };
  }
  return null;
}

/** Whether the task was solved; null when the evaluation could not say, or had nothing to say it by. */
function verdictOf(
  report: JsonObject | undefined,
  row: JsonObject,
  result: JsonValue | undefined,
): { resolved: boolean; where: string | null } | null {
  const stated = member(report, "resolved");
  if (typeof stated === "boolean") return { resolved: stated, where: null };
  const beside = member(row, "resolved");
  if (typeof beside === "boolean") return { resolved: beside, where: "/resolved" };
  for (const key of ["score", "success", "result"]) {
    const value = member(result, key);
    if (typeof value === "boolean") return { resolved: value, where: `/test_result/${key}` };
  }
  const final = member(result, "final_score");
  const [total, reached] = [countMember(final, "total"), countMember(final, "result")];
  // No points to reach is no verdict.
  if (total === null || reached === null || total === 0) return null;
  return { resolved: reached >= total, where: "/test_result/final_score" };
}

function verifications(result: JsonValue | undefined, report: JsonObject | undefined): FailureContext["verification"] {
  const checks: FailureContext["verification"] = [];
  const points = member(result, "checkpoints");
  for (const [n, check] of (Array.isArray(points) ? points : []).entries()) {
    const [total, reached] = [countMember(check, "total"), pointsOf(member(check, "result"))];
    const passed = total === null || reached === null ? null : reached >= total;
    checks.push({ name: `checkpoint ${n + 1}`, passed, detail: JSON.stringify(check) });
  }
  const final = member(result, "final_score");
  if (isObject(final)) {
    const [total, reached] = [countMember(final, "total"), countMember(final, "result")];
    const passed = total === null || reached === null || total === 0 ? null : reached >= total;
    checks.push({ name: "final score", passed, detail: JSON.stringify(final) });
  }
  for (const [key, value] of Object.entries(report ?? {})) {
    if (typeof value === "boolean") checks.push({ name: key, passed: meaning(key, value), detail: String(value) });
  }
  for (const list of ["FAIL_TO_PASS", "PASS_TO_PASS"]) {
    const tests = member(member(report, "tests_status"), list);
    const failures = member(tests, "failure");
    const passed = Array.isArray(failures) ? failures.length === 0 : null;
    if (isObject(tests)) checks.push({ name: list, passed, detail: JSON.stringify(tests) });
  }
  return checks;
}

/** What a flag means: most say that something went well, some that it failed. */
function meaning(key: string, value: boolean): boolean {
  return /^(?:empty_|failed_|error|test_timeout|timeout)/.test(key) ? !value : value;
}

/** A checkpoint's points; some graders answer with yes or no. */
function pointsOf(value: JsonValue | undefined): number | null {
  if (typeof value === "boolean") return value ? Number.POSITIVE_INFINITY : 0;
  return typeof value === "number" && value >= 0 ? value : null;
}

/**
 * What a row shows of itself as context: its settings and figures. How it was judged, and what its data set knows about
 * the solution, is left out and noted with its place.
 */
export function shownOfRow(around: Around, notes: NoteBook): JsonObject {
  const instance = member(around.value, "instance");
  const shown: JsonObject = {};
  if (!isObject(instance)) return shown;
  const kept = Object.entries(instance).filter(([key]) => TASK_KEYS.includes(key));
  if (kept.length < Object.keys(instance).length) {
    const message =
      "What the data set knows about the task beside its statement; kept out of the trace, the raw record holds it";
    notes.add("instance_not_shown", "information", message, around.place("instance"));
  }
  shown.instance = Object.fromEntries(kept);
  return shown;
}
