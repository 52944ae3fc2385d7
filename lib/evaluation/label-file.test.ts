import { describe, expect, it } from "vitest";
import { unknownFailure } from "@/lib/ingest/entries";
import { namesIn, readLabelFile, withLabelsOf } from "./label-file";

const failure = (id: number | string, step: number | string): object => ({
  ...{ failure_id: id, step_number: step, step_reason: `because ${id}` },
  ...{ failure_category: "System Failure", category_reason: "so", failed_agent: "WebSurfer" },
});
const rx = [
  {
    ...{ trajectory_id: "run-1", failure_summary: "s", failures: [failure(1, 4), failure(2, 9)] },
    root_cause: { failure_id: 2, reason_for_root_cause: "it never came back" },
  },
  { trajectory_id: 7, failures: [failure("1", "3")], root_cause_failure_id: "1", num_failures: 1 },
  { trajectory_id: "none", failures: [failure(1, 2)], root_cause: { failure_id: 5 } },
];

describe("labels of AgentRx", () => {
  const file = readLabelFile(JSON.stringify(rx));

  it("are the root cause of each run, in messages from 0 on", () => {
    expect(file).toMatchObject({ set: "AgentRx", unread: 0 });
    expect(file?.runs.get("run-1")?.labels).toEqual([
      {
        ...{ kind: "root cause", step: "8", convention: "messages", agent: "WebSurfer", reason: "because 2" },
        definition: { text: expect.stringContaining("root cause"), source: expect.stringContaining("AgentRx") },
      },
    ]);
    expect(file?.runs.get("7")?.labels).toMatchObject([{ step: "2" }]);
    expect(file?.runs.get("none")?.labels).toEqual([]);
  });

  it("are the same a row a line; rows of another shape are counted", () => {
    const lines = `${rx.map((row) => JSON.stringify(row)).join("\n")}\n{"trajectory_id": "x"}\n{"cut\n`;
    const read = readLabelFile(lines);
    expect(read?.runs).toEqual(file?.runs);
    expect(read?.unread).toBe(2);
  });

  it("keep a step that is no whole number as it stands", () => {
    const odd = [{ trajectory_id: "a", failures: [failure(1, 3.5)], root_cause: { failure_id: 1 } }];
    expect(readLabelFile(JSON.stringify(odd))?.runs.get("a")?.labels).toMatchObject([{ step: "3.5" }]);
  });
});

describe("labels of CodeTraceBench", () => {
  it("are all incorrect steps, each once, in the numbers of its own steps", () => {
    const stages = [
      { stage_id: 2, incorrect_step_ids: [9, 4], unuseful_step_ids: [1] },
      { stage_id: 3, incorrect_step_ids: [9] },
    ];
    const row = { traj_id: "t1", task_name: "grep", agent: "mini-SWE-agent", solved: false, incorrect_stages: stages };
    const file = readLabelFile(JSON.stringify([row, { ...row, traj_id: "t2", incorrect_stages: "[]" }]));
    expect(file?.set).toBe("CodeTraceBench");
    expect(file?.runs.get("t1")).toMatchObject({ task: "grep", labels: [{ step: "9" }, { step: "4" }] });
    expect(file?.runs.get("t1")?.labels[0]).toMatchObject({ convention: "step_id", kind: "earliest incorrect step" });
    expect(file?.runs.get("t2")?.labels).toEqual([]);
    const text = readLabelFile(JSON.stringify([{ ...row, incorrect_stages: JSON.stringify(stages) }]));
    expect(text?.runs.get("t1")?.labels).toHaveLength(2);
  });
});

describe("a file of labels", () => {
  it("of no set that is known is none", () => {
    for (const text of ["", "[]", "{}", "no JSON", '[{"a": 1}]', "3"]) expect(readLabelFile(text)).toBeNull();
  });

  it("goes to the runs by their names, and says what it has no label for", () => {
    const file = readLabelFile(JSON.stringify(rx));
    if (file === null) throw new Error("no file");
    const own = { kind: "mistake", step: "1", convention: "messages", agent: null, reason: null };
    const given = { ...unknownFailure(), labels: [own] };
    const joined = withLabelsOf(file, given, ["other", "run-1"]);
    expect(joined).toMatchObject({
      id: "run-1",
      failure: { outcome: "failed", labels: [{ step: "8" }], labelledCase: { dataset: "AgentRx", id: "run-1" } },
    });
    const missing = withLabelsOf(file, given, ["__proto__"]);
    expect(missing).toMatchObject({ id: null, failure: { labelledCase: { exclusion: "not in the file of labels" } } });
    expect(missing.failure.labels).toBeUndefined();
    expect(withLabelsOf(file, given, ["none"])).toMatchObject({
      id: "none",
      failure: { outcome: "unknown", labelledCase: { exclusion: "no label" } },
    });
  });

  it("knows a run by its folders and its file, without endings", () => {
    expect(namesIn("set/run-1/steps.json")).toEqual(["set", "set", "run-1", "run-1", "steps.json", "steps"]);
    expect(namesIn("a.b.json")).toEqual(["a.b.json", "a"]);
    expect(namesIn(".hidden")).toEqual([".hidden", ".hidden"]);
  });
});
