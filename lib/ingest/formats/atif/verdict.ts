import type { FailureContext, RawSpan } from "@/lib/trajectory/schema";
import { unknownFailure } from "../../entries";
import type { NoteBook } from "../../notes";
import { isObject, type JsonObject, type JsonValue, member, parseNestedJson, stringMember } from "../../safe-json";
import type { HeldFile } from "../../source";
import { decodeUtf8 } from "../../text-decoding";

/** How a trial ended. */
export interface Verdict {
  failure: FailureContext;
  exitStatus: string | null;
  task: string | null;
}

type Found = NonNullable<FailureContext["foundAt"]>;

/** Reads what the files beside a trajectory, or else the trajectory itself, say about how the run was judged. */
export function readVerdict(root: JsonObject, around: readonly HeldFile[], notes: NoteBook): Verdict {
  const failure = unknownFailure();
  const found: Found = [];
  let exitStatus: string | null = null;
  let task: string | null = null;
  for (const file of around) {
    const name = file.path.slice(file.path.lastIndexOf("/") + 1);
    const text = FILES.has(name) ? decodeUtf8(file.bytes).text : "";
    const result = name === "result.json" ? parseNestedJson(text) : undefined;
    const raw: RawSpan = { line: null, pointer: null, start: 0, end: file.bytes.length, file: file.path };
    if (isObject(result) && (isObject(member(result, "verifier_result")) || Object.hasOwn(result, "trial_name"))) {
      addRewards(failure, found, member(result, "verifier_result"), file.path);
      exitStatus ??= addException(failure, found, member(result, "exception_info"), file.path);
      task ??= stringMember(result, "task_name");
    } else if (name === "reward.txt") addReward(failure, found, "reward", Number(text.trim() || "x"), file.path);
    else if (name === "exception.txt" || name === "test-stdout.txt") addReport(failure, found, name, text, file.path);
    else {
      notes.add("file_not_read", "information", "Files beside the trajectory; the raw record holds them", raw);
      continue;
    }
    const message = "Files that say how the trial was judged; shown as such, outside the trace";
    notes.add("failure_context", "information", message, raw);
  }
  for (const [key, value] of [
    ["/extra", member(root, "extra")],
    ["/final_metrics/extra", member(member(root, "final_metrics"), "extra")],
  ] as const) {
    if (failure.verification.length > 0) break;
    addRewards(failure, found, member(value, "verifier_result") ?? value, key);
  }
  if (found.length > 0) failure.foundAt = found;
  return { failure, exitStatus, task };
}

const FILES: ReadonlySet<string> = new Set(["result.json", "reward.txt", "exception.txt", "test-stdout.txt"]);

/** Rewards by name, or one reward. */
function addRewards(failure: FailureContext, found: Found, value: JsonValue | undefined, where: string): void {
  const rewards = member(value, "rewards");
  for (const [name, reward] of Object.entries(isObject(rewards) ? rewards : {})) {
    if (typeof reward === "number") addReward(failure, found, name, reward, where);
  }
  const one = member(value, "reward");
  if (!isObject(rewards) && typeof one === "number") addReward(failure, found, "reward", one, where);
}

/** A reward of 1 or 0 is a verdict; what lies between is none. */
function addReward(failure: FailureContext, found: Found, name: string, reward: number, where: string): void {
  if (Number.isNaN(reward)) return;
  const passed = reward === 1 ? true : reward === 0 ? false : null;
  if (failure.verification.some((check) => check.name === name)) return;
  failure.verification.push({ name, passed, detail: String(reward) });
  place(found, "verification", where);
  if (name !== "reward" || passed === null || failure.outcome !== "unknown") return;
  failure.outcome = passed ? "resolved" : "failed";
  place(found, "outcome", where);
}

/** What ended the trial from outside; returns its type. It says nothing about the work. */
function addException(
  failure: FailureContext,
  found: Found,
  value: JsonValue | undefined,
  where: string,
): string | null {
  const type = stringMember(value, "exception_type");
  if (type === null) return null;
  const parts = [
    `${type}: ${stringMember(value, "exception_message") ?? ""}`,
    stringMember(value, "exception_traceback"),
  ];
  addReport(failure, found, "exception", parts.filter((part) => part !== null).join("\n"), where);
  return type;
}

function addReport(failure: FailureContext, found: Found, name: string, text: string, where: string): void {
  if (text.trim() === "") return;
  if (failure.errorReport === null && failure.outcome !== "resolved") {
    failure.errorReport = text;
    place(found, "error_report", where);
    return;
  }
  if (failure.errorReport?.includes(text.trim())) return;
  failure.verification.push({ name, passed: null, detail: text });
  place(found, "verification", where);
}

function place(found: Found, what: Found[number]["what"], where: string): void {
  if (!found.some((known) => known.what === what && known.where === where)) found.push({ what, where });
}
