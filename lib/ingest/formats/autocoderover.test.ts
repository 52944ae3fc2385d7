import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildHistory } from "@/lib/artefact/history";
import { turnsOf } from "@/lib/trajectory/schema";
import { ingest, openUpload } from "../ingest";
import { prepareSource } from "../prepare-source";
import { TASKS, type TaskFiles } from "../test-support/autocoderover-tasks";
import { FIXTURES, readFixture } from "../test-support/fixtures";
import { tarOf } from "../test-support/packed";

const SOLVED = TASKS["solved.tar"] ?? {};
const LOST = TASKS["lost.tar"] ?? {};
const open = async (files: TaskFiles) => openUpload(await prepareSource({ name: "x", bytes: await tarOf(files) }));
const read = async (files: TaskFiles) => ingest(await prepareSource({ name: "x", bytes: await tarOf(files) }));

it.each(Object.entries(TASKS))("the fixture %s is what its files give", async (name, files) => {
  expect(readFixture(join(FIXTURES, "autocoderover", "1.x", name))).toEqual(await tarOf(files));
});

describe("a task with a patch", () => {
  it("has a turn for each message of both agents, once, though every round repeats the rounds before", async () => {
    const { trajectory } = await read(SOLVED);
    const turns = turnsOf(trajectory);
    expect(turns.map(({ agent, sourceSteps }) => [agent, sourceSteps[0]?.convention, sourceSteps[0]?.step])).toEqual([
      ["main", "message", "3"],
      ["main", "message", "6"],
      ["main", "message", "8"],
      ["patch", "patch", "11"],
      ["patch", "patch", "13"],
    ]);
    expect(turns.map(({ parentTurn }) => parentTurn)).toEqual([null, null, null, 2, 2]);
    expect(trajectory.agents).toMatchObject([{ startedByTurn: null }, { startedByTurn: 2 }]);
  });

  it("has the searches with the result of each, and none for an analysis", async () => {
    const [asks, analysis, places] = turnsOf((await read(SOLVED)).trajectory);
    expect(asks?.items.map(({ kind }) => kind)).toEqual(["message", "call", "result", "call", "result"]);
    expect(asks?.items.filter((item) => item.kind === "result")).toMatchObject([
      { isError: false, text: expect.stringMatching(/^Result of search_method.*return n \/\/ 2<\/code>$/s) },
      { isError: true, text: expect.stringMatching(/^Result of search_class/) },
    ]);
    expect(analysis?.items).toHaveLength(1);
    expect(places?.items.at(-1)).toMatchObject({ kind: "result", text: expect.stringMatching(/^Here are the code/) });
  });

  it("has its patches as writes: one that could not be applied is refused, one that could be is known from its diff", async () => {
    const { trajectory } = await read(SOLVED);
    const history = buildHistory(trajectory, null);
    expect(history.writes.map(({ path, grammar, status, turn }) => [path, grammar, status, turn])).toEqual([
      ["numbers/half.py", "W12", "refused", 3],
      ["numbers/half.py", "W12", "applied", 4],
    ]);
    expect(history.files.get("numbers/half.py")?.versions.at(-1)?.content).toMatchObject({
      kind: "partial",
      ranges: [{ startLine: 1, lines: ["def half(n):\n", "    return n / 2\n"] }],
    });
    expect(history.checks.delivered).toEqual({ agreed: 1, differed: 0, unknown: 0 });
    expect(trajectory.deliveredPatch).toBe(SOLVED["numbers__half-7_2026-01-01/extracted_patch_2.diff"]);
    expect(trajectory.exitStatus).toBe("APPLICABLE_PATCH");
  });

  it("has the facts of the run, and the developers' patch apart from the turns", async () => {
    const { trajectory, failure } = await read(SOLVED);
    expect(trajectory.task).toEqual({
      ...{ statement: "Halving an odd number loses its rest.\nhalf(3) gives 1.", instance: "numbers__half-7" },
      ...{ repository: "numbers/half", baseCommit: "0".repeat(40) },
    });
    expect(trajectory.models).toEqual(["some-model-1"]);
    expect(trajectory.totals).toMatchObject({
      inputTokens: 4_000,
      outputTokens: 500,
      costUsd: 0.05,
      durationMs: 61_500,
    });
    expect(failure.referencePatch).toContain("+    return n / 2");
    expect(failure.foundAt?.map(({ what }) => what)).toEqual(["reference_patch", "failing_test_code"]);
    const texts = trajectory.entries.flatMap((entry) => (entry.kind === "context" ? [entry.text] : []));
    expect(texts.some((text) => text.includes("diff --git a/numbers/half.py"))).toBe(false);
  });

  it("names every file that is neither a turn nor context", async () => {
    const { trajectory } = await read(SOLVED);
    const named = trajectory.notes.flatMap(({ code, positions }) =>
      positions.map(({ file }) => `${code} ${file?.split("/")[1]}`),
    );
    expect(named.sort()).toEqual([
      "file_beside agent_patch_raw_1",
      "file_beside agent_patch_raw_2",
      "file_beside extracted_patch_2.diff",
      "file_beside info.log",
      "file_beside problem_statement.txt",
      "reference_patch developer_patch.diff",
      "repeated_search conversation_round_10.json",
      "repeated_search debug_agent_write_patch_2.json",
      "repeated_thread conversation_round_0.json",
      "repeated_thread conversation_round_2.json",
      "repeated_thread debug_agent_write_patch_1.json",
    ]);
  });
});

describe("a task without a patch", () => {
  it("has its turns all the same, at the top of the archive, and keeps a message of no role", async () => {
    const { trajectory } = await read(LOST);
    expect(turnsOf(trajectory)).toHaveLength(2);
    expect(trajectory.agents).toHaveLength(1);
    expect(trajectory.deliveredPatch).toBeNull();
    expect(trajectory.notes.map(({ code }) => code)).toContain("message_not_understood");
  });
});

describe("an archive of several tasks", () => {
  it("gives one trajectory a folder", async () => {
    const other = Object.fromEntries(Object.entries(LOST).map(([path, text]) => [`runs/other/${path}`, text]));
    const opened = await open({ ...SOLVED, ...other });
    if (opened.kind !== "several") throw new Error("one");
    expect(opened.parts.map(({ key, name }) => [key, name])).toEqual([
      ["numbers__half-7_2026-01-01/", "numbers__half-7_2026-01-01"],
      ["runs/other/", "other"],
    ]);
    const part = opened.parts[1];
    if (part === undefined) throw new Error("no part");
    const bytes = await tarOf({ ...SOLVED, ...other });
    const { trajectory } = ingest(await prepareSource({ name: "x", bytes, part }));
    expect(turnsOf(trajectory)).toHaveLength(2);
  });

  it("says which file cannot be read", async () => {
    const broken = { ...LOST, "conversation_round_1.json": '[{"role": "user", "content": "x"' };
    await expect(read(broken)).rejects.toMatchObject({
      code: "malformed",
      message: expect.stringMatching(/^conversation_round_1\.json: /),
    });
    await expect(read({ ...LOST, "conversation_round_1.json": "{}" })).rejects.toThrow(/is not a list of messages/);
  });
});
