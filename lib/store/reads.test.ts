import { describe, expect, it } from "vitest";
import { textOf } from "@/lib/trajectory/texts";
import { codeViewSchema } from "@/lib/views/code";
import { runViewSchema, turnWindowSchema } from "@/lib/views/run";
import { contextViewSchema, rawViewSchema, textPieceSchema, turnViewSchema } from "@/lib/views/turn";
import { ANSWER_MAX_BYTES, jsonBytes } from "./answer-size";
import { getCode } from "./code";
import { getRaw } from "./raw";
import { getRun, getTurnWindow } from "./runs";
import type { ProjectScope } from "./scope";
import { tar } from "./test-archives";
import { makeProject, withTestDatabase } from "./test-database";
import {
  call,
  context,
  createsFile,
  read,
  replacesText,
  result,
  storeRun,
  thought,
  turn,
  verdictAt,
} from "./test-runs";
import { getTextPiece } from "./texts";
import { getContext, getTurn } from "./turns";

withTestDatabase();

async function project(): Promise<ProjectScope> {
  return makeProject("Reads");
}

describe("getRun", () => {
  it("gives the head of the page with verdict, sentence, files and context items", async () => {
    const scope = await project();
    const { id, importId } = await storeRun(scope, {
      entries: [
        context("c0", "Fix the bug\nin a.py"),
        createsFile(0, "/testbed/a.py", "one\n"),
        replacesText(1, "/testbed/a.py", "one", "two"),
      ],
      trajectory: { notes: [{ code: "x", level: "not_understood", message: "m", count: 2, positions: [] }] },
      verdict: verdictAt(1, { item: "t1.0", turn: 1, field: "arguments", start: 4, end: 11, text: "command" }),
    });
    const run = runViewSchema.parse(await getRun(scope, id));
    expect(run).toMatchObject({
      importId,
      title: "owner__repo-1",
      strip: { turns: 2, write: "ww" },
      contexts: [{ n: 0, beforeTurn: 0, contextKind: "task", title: "Fix the bug" }],
      files: [{ n: 0, display: expect.stringContaining("a.py"), writeCount: 2, lastCertainty: "replayed" }],
      permissions: { share: true, download: true, attachBaseline: true, raw: true },
      shared: null,
      omitted: { files: 0, contexts: 0, notes: 0, conflicts: 0 },
    });
    expect(run.row).toMatchObject({ id, status: "ready", turnCount: 2, writeCount: 2, notUnderstood: 2 });
    expect(run.verdict?.candidates[0]?.turn).toBe(1);
    expect(run.sentence).toContainEqual({ kind: "turn", turn: 1, role: "decisive" });
  });

  it("gives null for what the project does not have, and for what is not imported", async () => {
    const scope = await project();
    expect(await getRun(scope, "111111111111")).toBeNull();
    const other = await project();
    const { id } = await storeRun(other, { entries: [] });
    expect(await getRun(scope, id)).toBeNull();
    expect(await getTurn(scope, id, 0)).toBeNull();
    expect(await getTurnWindow(scope, id, 0)).toBeNull();
  });
});

describe("getTurnWindow", () => {
  it("gives any window of a long run", async () => {
    const scope = await project();
    const turns = Array.from({ length: 1_200 }, (_, i) => turn(i, [thought(`t${i}.0`, `Thought ${i}`)]));
    const { id } = await storeRun(scope, { entries: turns });
    const window = turnWindowSchema.parse(await getTurnWindow(scope, id, 1_150, 100));
    expect(window.total).toBe(1_200);
    expect(window.rows.map((row) => row.index)).toEqual(Array.from({ length: 50 }, (_, i) => 1_150 + i));
    expect(window.rows[0]).toMatchObject({ title: "Thinks: Thought 1150", activity: "think", writeCount: 0 });
    expect((await getTurnWindow(scope, id, 0, 100_000))?.rows).toHaveLength(500);
    expect((await getTurnWindow(scope, id, 5_000))?.rows).toEqual([]);
  });
});

describe("getTurn", () => {
  it("gives items in order, with summaries, writes, reads and late results", async () => {
    const scope = await project();
    const { id } = await storeRun(scope, {
      entries: [
        turn(
          0,
          [
            thought("t0.0", "I look first", 0),
            call("t0.1", "bash", { text: "cat /testbed/a.py", arrival: 1 }),
            result("t0.2", "t0.1", "one\n", { arrival: 9, exitCode: 0, reads: [read("/testbed/a.py", 1, "one\n", 1)] }),
          ],
          { state: { when: "before", workingDirectory: "/testbed", openFile: null, cumulativeDiff: "d".repeat(50) } },
        ),
        turn(1, [thought("t1.0", "then", 3)]),
        replacesText(2, "/testbed/a.py", "one", "two"),
      ],
    });
    const first = turnViewSchema.parse(await getTurn(scope, id, 0));
    expect(first.items.map((item) => item.kind)).toEqual(["thought", "call", "result"]);
    expect(first.items[1]).toMatchObject({ tool: "bash", summary: "cat /testbed/a.py", arrivedLate: false });
    expect(first.items[2]).toMatchObject({ answers: "t0.1", exitCode: 0, arrivedLate: true });
    expect(first).toMatchObject({ total: 3, workingDirectory: "/testbed", agentName: "main" });
    expect(first.reads).toEqual([{ file: 0, path: "/testbed/a.py", display: "a.py" }]);
    const last = turnViewSchema.parse(await getTurn(scope, id, 2));
    expect(last.writes).toEqual([
      expect.objectContaining({
        n: 0,
        item: "t2.0",
        file: 0,
        path: "/testbed/a.py",
        display: "a.py",
        status: "applied",
      }),
    ]);
    expect(await getTurn(scope, id, 3)).toBeNull();
  });

  it("keeps arguments in the order of the trace, as quotations address them", async () => {
    const scope = await project();
    const given = call("t0.0", "edit", { arguments: { zebra: "1", path: "/a", command: "x", b: { y: 1, x: 2 } } });
    const { id } = await storeRun(scope, { entries: [turn(0, [given])] });
    const view = await getTurn(scope, id, 0);
    expect(view?.items[0]?.arguments?.head).toBe(textOf(given, "arguments"));
  });

  it("cuts a text of 12 MB, and gives every piece of it from any offset", async () => {
    const scope = await project();
    const line = "observation \u{1f600} with \u001b[31mcolour\u001b[0m\n";
    const text = `${"x".repeat(65_535)}\u{1f600}${line.repeat(330_000)}the end`;
    const { id } = await storeRun(scope, {
      entries: [turn(0, [call("t0.0", "bash", { text: "yes" }), result("t0.1", "t0.0", text)])],
    });
    const view = await getTurn(scope, id, 0);
    expect(jsonBytes(view)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
    const shown = view?.items[1]?.text;
    expect(shown?.totalChars).toBe(text.length);
    expect(shown?.tail.endsWith("the end")).toBe(true);
    expect((shown?.head.length ?? 0) + (shown?.omittedChars ?? 0) + (shown?.tail.length ?? 0)).toBe(text.length);

    const deep = 11_000_123;
    const piece = textPieceSchema.parse(await getTextPiece(scope, id, { item: "t0.1", field: "text", offset: deep }));
    expect(piece.text).toBe(text.slice(deep, deep + piece.text.length));
    expect(piece.text.length).toBeGreaterThan(65_000);

    let joined = "";
    let offset: number | null = 0;
    while (offset !== null) {
      const next: Awaited<ReturnType<typeof getTextPiece>> = await getTextPiece(scope, id, {
        item: "t0.1",
        field: "text",
        offset,
      });
      if (next === null) throw new Error("a piece is missing");
      expect(next.text.length).toBeLessThanOrEqual(65_536);
      expect(jsonBytes(next)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
      joined += next.text;
      offset = next.nextOffset;
    }
    expect(joined === text).toBe(true);
  });

  it("gives pieces of short texts, arguments and context items too, and null for the rest", async () => {
    const scope = await project();
    const { id } = await storeRun(scope, {
      entries: [context("c0", "the task"), turn(0, [call("t0.0", "edit", { arguments: { a: 1 } })])],
    });
    const piece = (item: string, field: "text" | "arguments", offset = 0) =>
      getTextPiece(scope, id, { item, field, offset });
    expect(await piece("t0.0", "arguments", 2)).toMatchObject({
      text: '  "a": 1\n}',
      totalChars: 12,
      nextOffset: null,
    });
    expect(await piece("c0", "text")).toMatchObject({ text: "the task" });
    expect(await piece("c0", "text", 5_000)).toMatchObject({ text: "", offset: 8, nextOffset: null });
    expect(await piece("t0.0", "text")).toBeNull();
    expect(await piece("nothing", "text")).toBeNull();
    await expect(piece("a\0b", "text")).rejects.toMatchObject({ code: "not_found" });
  });

  it("stays under 1 MB with very many items, and counts what it leaves out", async () => {
    const scope = await project();
    const items = Array.from({ length: 2_000 }, (_, i) => thought(`t0.${i}`, "\u0001".repeat(700)));
    const { id } = await storeRun(scope, { entries: [turn(0, items)] });
    const view = await getTurn(scope, id, 0);
    expect(jsonBytes(view)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
    expect((view?.items.length ?? 0) + (view?.omitted.items ?? 0)).toBe(2_000);
  });
});

describe("getContext", () => {
  it("cuts a long text", async () => {
    const scope = await project();
    const { id } = await storeRun(scope, { entries: [context("c0", `${"word ".repeat(5_000)}end`)] });
    const view = contextViewSchema.parse(await getContext(scope, id, 0));
    expect(view).toMatchObject({ n: 0, item: "c0", contextKind: "task" });
    expect(view.text.totalChars).toBe(25_003);
    expect(view.text.tail.endsWith("end")).toBe(true);
    expect(await getContext(scope, id, 1)).toBeNull();
  });
});

describe("getRaw", () => {
  it("reads the records of a turn across chunks, each once, cut with a count", async () => {
    const scope = await project();
    const before = new TextEncoder().encode(`${"é".repeat(524_000)}\n`);
    const record = new TextEncoder().encode(`{"text":"${"ü".repeat(50_000)}"}\n`);
    const upload = new Uint8Array([...before, ...record, ...new TextEncoder().encode("tail")]);
    const span = { line: 2, pointer: null, start: before.length, end: before.length + record.length };
    const { id } = await storeRun(scope, {
      upload,
      entries: [
        turn(0, [
          { ...thought("t0.0", "a"), raw: [span] },
          { ...thought("t0.1", "b"), raw: [{ ...span, pointer: "/text", start: span.start + 8, end: span.end - 2 }] },
          { ...thought("t0.2", "c"), raw: [{ line: null, pointer: "/x", start: null, end: null }] },
        ]),
      ],
    });
    const raw = rawViewSchema.parse(await getRaw(scope, id, 0));
    expect(raw.total).toBe(2);
    expect(raw.records).toHaveLength(1);
    const shown = raw.records[0];
    expect(shown?.text.startsWith('{"text":"üü')).toBe(true);
    expect(shown?.text.includes("\ufffd")).toBe(false);
    expect(new TextEncoder().encode(shown?.text ?? "").length + (shown?.omittedBytes ?? 0)).toBe(record.length);
  });

  it("reads records out of the files of an archive, each file's for itself, and leaves out those of no file", async () => {
    const scope = await project();
    const upload = new Uint8Array(
      await tar([
        { name: "./run/a.json", content: "[1,22]" },
        { name: "b.json", content: "{}" },
      ]),
    );
    const span = (file: string, start: number, end: number) => ({ line: null, pointer: "/x", start, end, file });
    const { id } = await storeRun(scope, {
      upload,
      entries: [
        turn(0, [
          { ...thought("t0.0", "a"), raw: [span("run/a.json", 3, 5), span("b.json", 0, 2)] },
          { ...thought("t0.1", "b", 1), raw: [span("run/a.json", 0, 6), span("gone.json", 0, 2)] },
        ]),
      ],
    });
    const raw = rawViewSchema.parse(await getRaw(scope, id, 0));
    expect(raw.total).toBe(3);
    expect(raw.records.map(({ span: { file }, text }) => [file, text])).toEqual([
      ["run/a.json", "[1,22]"],
      ["b.json", "{}"],
    ]);
  });
});

describe("getCode", () => {
  it("gives the file before and after the writes of a turn, with blame, and where the change begins", async () => {
    const scope = await project();
    const { id } = await storeRun(scope, {
      entries: [
        createsFile(0, "/testbed/a.py", "one\ntwo\nthree\n"),
        replacesText(1, "/testbed/a.py", "two", "2\n2b"),
        turn(2, [thought("t2.0", "done", 30)]),
      ],
    });
    const at = (turnIndex: number, from: "before" | "baseline" = "before", to: "after" | "final" = "after") =>
      getCode(scope, id, { file: 0, turn: turnIndex, from, to });
    const created = codeViewSchema.parse(await at(0));
    expect(created.before.kind).toBe("absent");
    expect(created).toMatchObject({
      firstChangedLine: 1,
      language: "python",
      display: expect.stringContaining("a.py"),
    });
    const edited = codeViewSchema.parse(await at(1));
    expect(edited.before.ranges).toEqual([{ startLine: 1, text: "one\ntwo\nthree\n" }]);
    expect(edited.after.ranges).toEqual([{ startLine: 1, text: "one\n2\n2b\nthree\n" }]);
    expect(edited.firstChangedLine).toBe(2);
    expect(edited.blame).toEqual([
      { startLine: 1, lineCount: 1, turn: 0, uncertain: false },
      { startLine: 2, lineCount: 2, turn: 1, uncertain: false },
      { startLine: 4, lineCount: 1, turn: 0, uncertain: false },
    ]);
    expect(edited.fragments).toEqual([
      expect.objectContaining({ item: "t1.0", status: "applied", before: "two", after: "2\n2b", omittedChars: 0 }),
    ]);
    const later = codeViewSchema.parse(await at(2));
    expect(later.before).toEqual(later.after);
    expect(later.fragments).toEqual([]);
    const whole = codeViewSchema.parse(await at(0, "baseline", "final"));
    expect(whole.before.kind).toBe("absent");
    expect(whole.after.ranges[0]?.text).toBe("one\n2\n2b\nthree\n");
    expect(await getCode(scope, id, { file: 7, turn: 0, from: "before", to: "after" })).toBeNull();
  });

  it("never fills the gaps of a file that is known in parts", async () => {
    const scope = await project();
    const { id } = await storeRun(scope, {
      entries: [
        turn(0, [
          call("t0.0", "open", { callKind: "read", text: "open /testbed/b.py", arrival: 0 }),
          result("t0.1", "t0.0", "lines", {
            arrival: 1,
            reads: [read("/testbed/b.py", 10, "ten\neleven\n", 100), read("/testbed/b.py", 50, "fifty\n", 100)],
          }),
        ]),
        replacesText(1, "/testbed/b.py", "eleven", "11"),
      ],
    });
    const view = codeViewSchema.parse(await getCode(scope, id, { file: 0, turn: 1, from: "before", to: "after" }));
    expect(view.before).toMatchObject({
      kind: "partial",
      totalLines: 100,
      ranges: [
        { startLine: 10, text: "ten\neleven\n" },
        { startLine: 50, text: "fifty\n" },
      ],
    });
    expect(view.after.ranges).toEqual([
      { startLine: 10, text: "ten\n11\n" },
      { startLine: 50, text: "fifty\n" },
    ]);
    expect(view.firstChangedLine).toBe(11);
    const shown = new Set(
      view.blame.flatMap((run) => Array.from({ length: run.lineCount }, (_, i) => run.startLine + i)),
    );
    expect([...shown]).toEqual([10, 11, 50]);
    const baseline = await getCode(scope, id, { file: 0, turn: 1, from: "baseline", to: "final" });
    expect(baseline?.before.ranges).toEqual(view.before.ranges);
  });

  it("stays under 1 MB with two long sides and many versions", async () => {
    const scope = await project();
    const text = Array.from({ length: 60_000 }, (_, i) => `line ${i} "quoted"\t\n`).join("");
    const edits = Array.from({ length: 60 }, (_, i) =>
      replacesText(i + 1, "/testbed/c.py", `line ${i * 10} "`, `LINE ${i * 10} "`),
    );
    const { id } = await storeRun(scope, { entries: [createsFile(0, "/testbed/c.py", text), ...edits] });
    const view = codeViewSchema.parse(await getCode(scope, id, { file: 0, turn: 60, from: "baseline", to: "final" }));
    expect(jsonBytes(view)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
    expect(view.after.omittedChars).toBeGreaterThan(0);
  });
});

describe("A5: what is no identifier never reaches SQL", () => {
  it.each([undefined, null, {}, { not: "" }, [], ["a"], 7, "", "a b", "%00", "x".repeat(100)])("%j", async (value) => {
    const scope = await project();
    // Callers that the compiler never saw: a body or a query passed on as it came.
    const hostile: { id: string } = JSON.parse(JSON.stringify({ id: "x" }));
    Object.assign(hostile, { id: value });
    await expect(getRun(scope, hostile.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(getTurn(scope, hostile.id, 0)).rejects.toMatchObject({ code: "not_found" });
    await expect(getRaw(scope, hostile.id, 0)).rejects.toMatchObject({ code: "not_found" });
    await expect(getContext(scope, hostile.id, 0)).rejects.toMatchObject({ code: "not_found" });
  });

  it.each([undefined, null, {}, -1, 1.5, Number.NaN, 3_000_000_000, "0"])("as a number: %j", async (value) => {
    const scope = await project();
    const { id } = await storeRun(scope, { entries: [turn(0, [thought("t0.0", "a")])] });
    const hostile: { n: number } = { n: 0 };
    Object.assign(hostile, { n: value });
    await expect(getTurn(scope, id, hostile.n)).rejects.toMatchObject({ code: "not_found" });
    await expect(getContext(scope, id, hostile.n)).rejects.toMatchObject({ code: "not_found" });
    await expect(getRaw(scope, id, hostile.n)).rejects.toMatchObject({ code: "not_found" });
  });

  it("refuses a scope that no gate made", async () => {
    const scope = await project();
    const forged = { ...scope };
    await expect(getRun(forged, "111111111111")).rejects.toMatchObject({ code: "internal" });
  });
});
