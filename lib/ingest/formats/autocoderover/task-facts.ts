import type { FailureContext, Trajectory } from "@/lib/trajectory/schema";
import { unknownFailure } from "../../entries";
import { countMember, type JsonValue, member, stringMember } from "../../safe-json";
import { jsonOf, type TaskFolder } from "./folder";
import { textOf } from "./patches";

/** What the files of a task say of all of it. */
export interface Facts {
  model: string | null;
  task: Omit<Trajectory["task"], "statement">;
  totals: Trajectory["totals"];
}

/** The model, the task and what it took, as far as the files say it. */
export function readFacts(folder: TaskFolder): Facts {
  const meta = parsedFile(folder, "meta.json");
  const cost = parsedFile(folder, "cost.json");
  const info = member(meta, "task_info");
  const seconds = countMember(cost, "elapsed_seconds");
  return {
    model: stringMember(cost, "model"),
    task: {
      instance: stringMember(info, "instance_id") ?? stringMember(meta, "task_id"),
      repository: stringMember(info, "repo"),
      baseCommit: stringMember(info, "base_commit"),
    },
    totals: {
      inputTokens: countMember(cost, "total_input_tokens"),
      cachedTokens: null,
      outputTokens: countMember(cost, "total_output_tokens"),
      costUsd: countMember(cost, "total_cost"),
      durationMs: seconds === null ? null : Math.round(seconds * 1_000),
    },
  };
}

function parsedFile(folder: TaskFolder, name: string): JsonValue | undefined {
  const file = folder.file(name);
  return file === null ? undefined : jsonOf(file).value;
}

/**
 * The developers' patch and tests, which no agent saw.
 * @param about the folder with the file of the task, where that is another one
 */
export function failureOf(folder: TaskFolder, about = folder): FailureContext {
  const patch = folder.file("developer_patch.diff");
  const referencePatch = textOf(patch);
  const testPatch = stringMember(member(parsedFile(about, "meta.json"), "task_info"), "test_patch");
  const meta = about.file("meta.json");
  return {
    ...unknownFailure(),
    referencePatch,
    failingTestCode: testPatch,
    foundAt: [
      ...(patch === null || referencePatch === null ? [] : [{ what: "reference_patch" as const, where: patch.path }]),
      ...(meta === null || testPatch === null
        ? []
        : [{ what: "failing_test_code" as const, where: `${meta.path}#/task_info/test_patch` }]),
    ],
  };
}
