import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { IngestError } from "@/lib/errors";
import { type Entry, type RawSpan, turnsOf } from "@/lib/trajectory/schema";
import { ingest, openUpload } from "../../ingest";
import { prepareSource } from "../../prepare-source";
import { RUNS } from "../../test-support/autocoderover-runs";
import { TASKS, type TaskFiles } from "../../test-support/autocoderover-tasks";
import { FIXTURES, readFixture } from "../../test-support/fixtures";
import { tarOf, zipOf } from "../../test-support/packed";
import { autoCodeRover } from "../autocoderover";

const CHOSEN = RUNS["chosen.tar"] ?? {};
const ENDED = RUNS["ended.tar"] ?? {};
const TASK = "numbers__half-7_2026-02-02/";
const read = async (files: TaskFiles) => ingest(await prepareSource({ name: "x", bytes: await tarOf(files) }));
const without = (files: TaskFiles, ...paths: string[]): TaskFiles =>
  Object.fromEntries(Object.entries(files).filter(([path]) => !paths.includes(path.replace(TASK, ""))));
/** One run alone, as a person may drop it. */
const run = (name: string): TaskFiles =>
  Object.fromEntries(
    Object.entries(CHOSEN).flatMap(([path, text]) =>
      path.startsWith(`${TASK}${name}/`) ? [[path.slice(TASK.length + name.length + 1), text]] : [],
    ),
  );

const rawsOf = (entry: Entry): RawSpan[] =>
  entry.kind === "context" ? entry.raw : entry.items.flatMap(({ raw }) => raw);

it.each(Object.entries(RUNS))("the fixture %s is what its files give", async (name, files) => {
  expect(readFixture(join(FIXTURES, "autocoderover", "2.x", name))).toEqual(await tarOf(files));
});

describe("the turns of a task of two runs", () => {
  it("are the answers of all agents in the order in which they were given, each once", async () => {
    const turns = turnsOf((await read(CHOSEN)).trajectory);
    expect(
      turns.map(({ agent, sourceSteps }) => `${agent} ${sourceSteps[0]?.convention} ${sourceSteps[0]?.step}`),
    ).toEqual([
      "test output_0/conv_reproducible 4",
      "test output_0/conv_test_0 3",
      "test output_0/conv_test_1 6",
      "main output_0/search/search_round_2 3",
      "main output_0/search/search_round_2 6",
      "main output_0/search/search_round_2 8",
      "main output_0/search/search_round_2 10",
      "patch output_0/conv_patch_0 4",
      "patch output_0/conv_patch_1 4",
      "review output_0/conv_review_1_1 6",
      "patch output_0/conv_patch_2 6",
      "test output_0/conv_test_2 6",
      "review output_0/conv_review_2_2 6",
      "test output_1/conv_reproducible 3",
      "main output_1/search/search_round_0 3",
      "patch output_1/conv_patch_0 5",
      "select agent_selection 3",
      "select agent_selection 5",
      "select agent_selection 6",
      "select agent_selection 7",
    ]);
  });

  it("begin after the turn that made them necessary, in each run anew", async () => {
    const { trajectory } = await read(CHOSEN);
    const parents = turnsOf(trajectory).flatMap(({ index, parentTurn }) =>
      parentTurn === null ? [] : [[index, parentTurn]],
    );
    expect(parents).toEqual([
      [7, 6],
      [8, 6],
      [9, 8],
      [10, 6],
      [12, 10],
      [15, 14],
    ]);
    expect(trajectory.agents.map(({ id, startedByTurn }) => [id, startedByTurn])).toEqual([
      ["main", null],
      ["test", null],
      ["patch", 6],
      ["review", 8],
      ["select", null],
    ]);
  });

  it("are left behind in a run of which no patch was chosen, and nothing is left behind when nothing says so", async () => {
    const branches = async (files: TaskFiles) => turnsOf((await read(files)).trajectory).map(({ branch }) => branch);
    expect((await branches(CHOSEN)).map((branch) => branch ?? "-").join(" ")).toBe(
      `${"- ".repeat(13)}output_1 output_1 output_1 - - - -`,
    );
    expect(new Set(await branches(without(CHOSEN, "selected_patch.json")))).toEqual(new Set([null]));
  });

  it("name the model in the last run only: each run may have had its own", async () => {
    const turns = turnsOf((await read(CHOSEN)).trajectory);
    expect(turns.map(({ model }) => model !== null)).toEqual(turns.map(({ index }) => index >= 13 && index <= 15));
  });

  it("do not count the bracket that some models are given as the beginning of their answer", async () => {
    const { trajectory } = await read(CHOSEN);
    const texts = turnsOf(trajectory).flatMap(({ items }) =>
      items.flatMap((item) => (item.kind === "call" ? [] : [item.text])),
    );
    expect(texts).not.toContain("{");
    const given = trajectory.entries.filter((entry) => entry.kind === "context" && entry.text === "{");
    expect(given).toHaveLength(3);
  });

  it("have runs in the order of their numbers", async () => {
    const files = Object.fromEntries(
      ["output_2", "output_10"].flatMap((name) =>
        Object.entries(run("output_1")).map(([path, text]) => [`${name}/${path}`, text]),
      ),
    );
    const turns = turnsOf((await read(files)).trajectory);
    expect([...new Set(turns.map(({ sourceSteps }) => sourceSteps[0]?.convention.split("/")[0]))]).toEqual([
      "output_2",
      "output_10",
    ]);
  });
});

describe("the calls", () => {
  it("are the searches with their results, and none for an analysis or for what was not valid", async () => {
    const turns = turnsOf((await read(CHOSEN)).trajectory);
    const [asks, analysis, notValid] = turns.slice(3, 6);
    expect(asks?.items.filter((item) => item.kind === "call")).toMatchObject([
      { tool: "search_method", arguments: { method_name: "half" }, callKind: "search" },
      { tool: "search_class", arguments: { class_name: "Whole" } },
    ]);
    expect(asks?.items.filter((item) => item.kind === "result")).toMatchObject([
      { isError: false, text: expect.stringMatching(/^Result of search_method.*return n \/\/ 2/s) },
      { isError: true, text: expect.stringMatching(/^Result of search_class/) },
    ]);
    expect(analysis?.items).toHaveLength(1);
    expect(notValid?.items).toHaveLength(1);
  });

  it("of a round stand with its own answer: an analysis between two rounds asks for nothing", async () => {
    const files = {
      ...CHOSEN,
      [`${TASK}output_0/search/tool_call_layers.json`]: JSON.stringify([
        [{ func_name: "search_method", arguments: { method_name: "half" }, call_ok: true }],
        [{ func_name: "search_code", arguments: { code_str: "//" }, call_ok: true }],
      ]),
      [`${TASK}output_0/search/search_round_2.json`]: (
        CHOSEN[`${TASK}output_0/search/search_round_2.json`] ?? ""
      ).replace("The search API calls seem not valid.", "Result of search_code('//'):"),
    };
    const tools = turnsOf((await read(files)).trajectory).map(({ items }) =>
      items.flatMap((item) => (item.kind === "call" ? [item.tool] : [])),
    );
    expect(tools.slice(3, 7)).toEqual([["search_method"], [], ["search_code"], []]);
  });

  it("of a last round have no answer that the agent saw, only how they came out", async () => {
    const search = turnsOf((await read(CHOSEN)).trajectory)[14];
    expect(search?.items.filter((item) => item.kind === "result")).toMatchObject([
      { isError: false, text: "" },
      { isError: true, text: "" },
    ]);
  });

  it("that write a patch have the diff that came of it and the program's word", async () => {
    const turns = turnsOf((await read(CHOSEN)).trajectory);
    const results = [7, 8, 10, 15].map((n) => turns[n]?.items.find((item) => item.kind === "result"));
    expect(results).toMatchObject([
      { isError: true, text: "RAW_PATCH_BUT_UNMATCHED", recorded: [] },
      {
        isError: false,
        recorded: [{ path: "numbers/half.py", patch: CHOSEN[`${TASK}output_0/extracted_patch_1.diff`] }],
      },
      { isError: false, recorded: [{ patch: CHOSEN[`${TASK}output_0/extracted_patch_2.diff`] }] },
      { isError: false, recorded: [{ patch: CHOSEN[`${TASK}output_1/extracted_patch_0.diff`] }] },
    ]);
  });

  it("have the status of their own number, whatever threads are missing", async () => {
    const turns = turnsOf((await read(without(CHOSEN, "output_0/conv_patch_0.json"))).trajectory);
    const results = turns.filter(({ agent }) => agent === "patch").map(({ items }) => items.at(-1));
    expect(results.map((result) => result?.kind === "result" && result.isError)).toEqual([false, false, false]);
  });
});

describe("the patches", () => {
  it("each begin with the tree as it was, and the one that was chosen is the delivered one though it is not the last", async () => {
    const { trajectory } = await read(CHOSEN);
    expect(trajectory.deliveredPatch).toBe(CHOSEN[`${TASK}output_0/extracted_patch_2.diff`]);
    expect(trajectory.exitStatus).toBe("agent-selected,none-pass-regression");
    const history = buildHistory(trajectory, null);
    expect(history.writes.map(({ turn, status }) => [turn, status])).toEqual([
      [7, "refused"],
      [8, "applied"],
      [10, "applied"],
      [15, "applied"],
    ]);
    expect(history.checks.delivered).toEqual({ agreed: 1, differed: 0, unknown: 0 });
    expect(history.conflicts).toEqual([]);
  });

  it("that agree with no write are told", async () => {
    const { trajectory } = await read(CHOSEN);
    const deliveredPatch = (trajectory.deliveredPatch ?? "").replace("+    return n / 2", "+    return n");
    expect(buildHistory({ ...trajectory, deliveredPatch }, null).checks.delivered.differed).toBe(1);
  });

  it("without a selection are delivered by the last run", async () => {
    const { trajectory } = await read(without(CHOSEN, "selected_patch.json"));
    expect(trajectory.deliveredPatch).toBe(CHOSEN[`${TASK}output_1/extracted_patch_0.diff`]);
    expect(trajectory.exitStatus).toBe("APPLICABLE_PATCH");
  });

  it("that were chosen and are not in the upload are told, and no other one stands for them", async () => {
    const { trajectory } = await read(without(CHOSEN, "output_0/extracted_patch_2.diff"));
    expect(trajectory.deliveredPatch).toBeNull();
    expect(trajectory.notes).toContainEqual(
      expect.objectContaining({
        code: "delivered_patch_missing",
        positions: [expect.objectContaining({ file: `${TASK}selected_patch.json` })],
      }),
    );
  });
});

describe("what is known of the failure", () => {
  it("has each check of a program with the file that says it", async () => {
    const { failure } = await read(CHOSEN);
    expect(failure.outcome).toBe("unknown");
    expect(failure.verification).toEqual([
      { name: "output_0: patch 1, reproducing test 1", passed: false, detail: "exit code 1" },
      { name: "output_0: patch 2, reproducing test 2", passed: true, detail: "exit code 0" },
      { name: "output_0: without a patch, reproducing test 1", passed: false, detail: "exit code 1" },
      { name: "output_0: without a patch, reproducing test 2", passed: false, detail: "exit code 1" },
      { name: "output_0: patch 2, tests from before", passed: false },
      { name: "output_0: patch 1, review with test 1", passed: false, detail: "the test is correct: no" },
      { name: "output_0: patch 2, review with test 2", passed: true, detail: "the test is correct: yes" },
      { name: "output_1: patch 0, tests from before", passed: false },
    ]);
    const places = (failure.foundAt ?? []).map(({ what, where }) => `${what} ${where.replace(TASK, "")}`);
    expect(places.slice(0, 3)).toEqual([
      "reference_patch developer_patch.diff",
      "failing_test_code meta.json#/task_info/test_patch",
      "verification output_0/execution_1_1.json",
    ]);
    expect(places).toHaveLength(10);
  });

  it("is undetermined where a file does not say it", async () => {
    const odd = { ...CHOSEN, [`${TASK}output_1/regression_0.json`]: '{"no_additional_failure": "perhaps"}' };
    expect((await read(odd)).failure.verification.at(-1)).toEqual({
      name: "output_1: patch 0, tests from before",
      passed: null,
    });
  });

  it("does not make a task unreadable where a run ended while it wrote the file of a check", async () => {
    const names = ["regression_2", "review_p2_t2", "execution_2_2"].map((name) => `${TASK}output_0/${name}.json`);
    const cut = Object.fromEntries(names.map((name) => [name, '{"']));
    const { trajectory, failure } = await read({ ...CHOSEN, ...cut });
    const open = (failure.foundAt ?? []).filter(({ where }) => names.includes(where));
    expect(open).toHaveLength(3);
    expect(failure.verification.filter(({ passed }) => passed === null)).toHaveLength(3);
    expect(trajectory.entries.filter((entry) => entry.kind === "context" && entry.text === '{"')).toHaveLength(3);
  });

  it("comes after every turn, also where a run has a copy of it", async () => {
    const { trajectory } = await read(CHOSEN);
    const last = trajectory.entries.findLastIndex(({ kind }) => kind === "turn");
    const holders = trajectory.entries.flatMap((entry, n) =>
      entry.kind === "context" && entry.text.includes("# whole or not") ? [n] : [],
    );
    expect(holders).toHaveLength(1);
    expect(holders.every((n) => n > last)).toBe(true);
    expect(trajectory.notes.find(({ code }) => code === "repeated_file")?.count).toBe(2);
  });
});

describe("what is told of the files", () => {
  it("names every one that is neither a turn nor context", async () => {
    const { notes } = (await read(CHOSEN)).trajectory;
    const named = (code: string) =>
      notes.find((note) => note.code === code)?.positions.map(({ file }) => file?.replace(TASK, ""));
    expect(named("file_beside")).toEqual(["info.log", "problem_statement.txt"]);
    expect(named("reference_patch")).toEqual(["developer_patch.diff"]);
    expect(named("repeated_thread")).toContain("output_0/search/search_round_0.json");
    expect(named("repeated_thread")).not.toContain("output_0/search/search_round_2.json");
    expect(named("not_read")).toBeUndefined();
  });

  it("reaches every file, however many repeat others or lie deeper", async () => {
    const rounds = Object.fromEntries(
      Array.from({ length: 40 }, (_, n) => [
        `${TASK}output_0/search/search_round_${n}.json`,
        CHOSEN[`${TASK}output_0/search/search_round_2.json`] ?? "",
      ]),
    );
    const deep = { [`${TASK}reproducer-eval/output_0/reproducer_1/buggy.err`]: "AssertionError" };
    const { notes } = (await read({ ...CHOSEN, ...rounds, ...deep })).trajectory;
    expect(notes.map(({ code }) => code)).not.toContain("not_read");
    expect(notes.find(({ code }) => code === "file_beside")?.count).toBe(3);
  });
});

describe("a run without its task", () => {
  it("is a task of one run, with what its copy of the task's file says", async () => {
    const { trajectory, failure } = await read(run("output_0"));
    expect(turnsOf(trajectory)).toHaveLength(13);
    expect(trajectory.task).toMatchObject({
      instance: "numbers__half-7",
      statement: expect.stringMatching(/^Halving/),
    });
    expect(trajectory.deliveredPatch).toBe(CHOSEN[`${TASK}output_0/extracted_patch_2.diff`]);
    expect(failure.verification[0]?.name).toBe("patch 1, reproducing test 1");
    expect(failure.foundAt?.[0]).toEqual({ what: "failing_test_code", where: "meta.json#/task_info/test_patch" });
  });

  it("may have ended before its search", async () => {
    const { trajectory } = await read(ENDED);
    expect(turnsOf(trajectory).map(({ agent }) => agent)).toEqual(["test", "test"]);
    expect(trajectory.agents.map(({ id }) => id)).toEqual(["test"]);
    expect(trajectory.task).toMatchObject({ instance: "live-1", statement: null, baseCommit: "2".repeat(40) });
    expect(trajectory.deliveredPatch).toBeNull();
    expect(trajectory.exitStatus).toBeNull();
  });

  it("takes the issue from the task's file where no search names it", async () => {
    const meta = JSON.stringify({ task_info: { problem_statement: "It halves wrongly." } });
    expect((await read({ ...ENDED, "output_0/meta.json": meta })).trajectory.task.statement).toBe("It halves wrongly.");
  });

  it("says nothing of another task's files that lie beside it", async () => {
    const files = { ...ENDED, ...CHOSEN, ...(TASKS["solved.tar"] ?? {}) };
    const bytes = await tarOf(files);
    const part = { key: "", name: "task", range: null };
    const { trajectory } = ingest(await prepareSource({ name: "x", bytes, part }));
    expect(turnsOf(trajectory)).toHaveLength(2);
    const named = [...trajectory.notes.flatMap(({ positions }) => positions), ...trajectory.entries.flatMap(rawsOf)];
    expect(named.filter(({ file }) => file?.startsWith("numbers__half"))).toEqual([]);
  });
});

describe("an archive of several tasks", () => {
  it("gives one trajectory a task, of either version, and none a run", async () => {
    const files = { ...CHOSEN, ...(TASKS["solved.tar"] ?? {}), ...prefixed("live_1/", ENDED) };
    const opened = await openUpload(await prepareSource({ name: "x", bytes: await zipOf(files) }));
    if (opened.kind !== "several") throw new Error("one");
    expect(opened.parts.map(({ name }) => name)).toEqual([
      "live_1",
      "numbers__half-7_2026-01-01",
      "numbers__half-7_2026-02-02",
    ]);
    const counts = [];
    for (const part of opened.parts) {
      const { trajectory } = ingest(await prepareSource({ name: "x", bytes: await zipOf(files), part }));
      counts.push([trajectory.format.variant, turnsOf(trajectory).length]);
    }
    expect(counts).toEqual([
      ["2.x", 2],
      ["1.x", 5],
      ["2.x", 20],
    ]);
  });

  it("is refused with a reason or read, whatever one of its files holds, and then nothing of it goes missing", async () => {
    const odd = [
      "",
      "[",
      "{}",
      "null",
      '[1, null, {"role": 5}, {"role": "assistant"}]',
      '[{"role": "assistant", "content": ["x"]}]',
    ];
    for (const [n, path] of Object.keys(CHOSEN).entries()) {
      const text = path.includes("/conv_") ? "[]" : (odd[n % odd.length] ?? "");
      const found = await read({ ...CHOSEN, [path]: text }).catch((error: unknown) => error);
      if (found instanceof IngestError) continue;
      if (found instanceof Error) throw new Error(`${path} ${text}`, { cause: found });
      expect([path, text, JSON.stringify(found).includes('"not_read"')]).toEqual([path, text, false]);
    }
  });

  it("says which file cannot be read", async () => {
    const broken = { ...CHOSEN, [`${TASK}output_0/conv_patch_1.json`]: "{}" };
    await expect(read(broken)).rejects.toThrow(/output_0\/conv_patch_1\.json is not a list of messages/);
  });
});

const prefixed = (before: string, files: TaskFiles): TaskFiles =>
  Object.fromEntries(Object.entries(files).map(([path, text]) => [`${before}${path}`, text]));

it("claims no folder whose files only look alike", async () => {
  const names = [
    "search_round_0.json",
    "research/search_round_0.json",
    "conv_patch_0.json",
    "output/conv_patch_0.json",
    "output_0/conv_patch.json",
    "output_0/search/agent_proxy_0.json",
  ];
  for (const name of names) {
    const source = await prepareSource({ name: "x", bytes: await zipOf({ [name]: "[]", "b.txt": "b" }) });
    const files = source.inside?.kind === "files" ? source.inside.files : [];
    expect([name, autoCodeRover.sniff({ kind: "files", source, files }).score]).toEqual([name, 0]);
  }
});
