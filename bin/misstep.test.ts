import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { TASKS } from "@/lib/ingest/test-support/autocoderover-tasks";
import { verdictSchema } from "@/lib/investigator/verdict";
import { trajectorySchema } from "@/lib/trajectory/schema";
import { makeConversations, makeTrace } from "@/workers/test-trace";

const folder = mkdtempSync(path.join(os.tmpdir(), "misstep-cli-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, bytes: Uint8Array | string): string {
  const at = path.join(folder, name);
  writeFileSync(at, bytes);
  return at;
}

async function misstep(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return misstepWith({}, ...args);
}

async function misstepWith(
  more: Record<string, string>,
  ...args: string[]
): Promise<{ code: unknown; out: string; err: string }> {
  const env = { PATH: process.env.PATH, MISSTEP_DATA_DIR: folder, ...more };
  const child = spawn(process.execPath, ["--import", "tsx", "bin/misstep.ts", ...args], {
    env: { ...env, NODE_ENV: "test" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise((resolve) => child.once("close", resolve));
  const [out, err, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), ended]);
  return { code, out: out.toString("utf8"), err: err.toString("utf8") };
}

describe("misstep", { timeout: 120_000 }, () => {
  test("inspect says what is in a trace, in full when asked", async () => {
    const trace = file("a.traj", makeTrace("cli", 6));
    const { code, out, err } = await misstep("inspect", trace, "--json", "--full");
    expect(err).toBe("");
    expect(code).toBe(0);
    const printed = JSON.parse(out);
    expect(printed).toMatchObject({ format: "swe-agent", turns: 6, calls: 6, writes: 3, notes: expect.any(Array) });
    expect(printed.versions).toMatchObject({ given: 0, replayed: 3 });
    expect(printed.folding).toMatchObject({ observations: 6, parts: { rule: "parts@1" }, paper: { rule: "paper@1" } });
    expect(trajectorySchema.parse(printed.trajectory).entries.length).toBeGreaterThanOrEqual(6);
  });

  test("localize prints a verdict", async () => {
    const { code, out } = await misstep("localize", file("b.traj", makeTrace("cli", 6)), "--json");
    expect(code).toBe(0);
    expect(verdictSchema.parse(JSON.parse(out)).engine).toBe("structural");
  });

  test("inspect prints a row for each trajectory of a file; localize takes one of them", async () => {
    const rows = file("rows.jsonl", makeConversations(["one", null, "three"]));
    const { code, out } = await misstep("inspect", rows, "--json");
    expect(code).toBe(0);
    const printed = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(printed).toMatchObject([
      { part: { key: "1", name: "one" }, format: "chat-messages", turns: 2, calls: 0, bytes: { unread: 0 } },
      { part: { key: "2" }, error: { code: expect.any(String), at: { line: 2 } } },
      { part: { key: "3", name: "three" }, turns: 2 },
    ]);
    const text = await misstep("inspect", rows);
    expect(text.out.split("\n")).toHaveLength(5);
    expect(text.out).toContain("rows.jsonl [3] three");

    const one = await misstep("inspect", rows, "--part", "3", "--json", "--full");
    const { trajectory } = JSON.parse(one.out);
    // Positions are those of the file.
    expect(trajectorySchema.parse(trajectory).entries[0]).toMatchObject({ raw: [{ start: expect.any(Number) }] });
    expect(trajectory.entries[0].raw[0].start).toBeGreaterThan(printed[0].bytes.turns);
    expect(
      verdictSchema.parse(JSON.parse((await misstep("localize", rows, "--part", "3", "--json")).out)),
    ).toBeDefined();
    expect((await misstep("localize", rows)).err).toMatch(
      /^rows\.jsonl holds 3 trajectories: choose one with --part KEY/,
    );
    expect((await misstep("localize", rows, "--part", "9")).err).toMatch(/holds no part "9": there are 1, 2, 3\.$/m);
    expect((await misstep("localize", file("a.traj", makeTrace("cli", 6)), "--part", "9")).err).toMatch(
      /one trajectory/,
    );
  });

  test("evaluate holds an engine against the labels of a file, and says what is not scored", async () => {
    const step = (i: number, command: string): object => {
      const args = JSON.stringify({ command });
      return {
        i,
        actor: "agent",
        action: command.split(" ")[0],
        args,
        target: "a.py",
        thought: "so",
        observation: null,
      };
    };
    const steps = [step(0, "open a.py"), step(1, "edit 1:1\nx = 1\nend_of_edit"), step(2, "python a.py")];
    const row = (id: string, gold: number | null): string => {
      const label = { gold_step: gold, gold_reason: "so", exclusion: gold === null ? "E2" : null };
      return `${JSON.stringify({ dataset: "tracewake", split: id.slice(0, 1), id, task: id, steps, ...label })}\n`;
    };
    const set = file("set.jsonl", `${row("a1", 1)}${row("a2", 2)}${row("b1", 1)}${row("b2", null)}{"broken": \n`);
    const scores = path.join(folder, "scores.json");
    const { code, out, err } = await misstep(
      ...["evaluate", set, "--engine", "structural"],
      "--json",
      "--scores",
      scores,
    );
    expect(err).toBe("");
    expect(code).toBe(0);
    const printed = JSON.parse(out);
    expect(printed).toMatchObject({
      ...{ engine: "structural", reference: false, runs: 1, against: null, unlabelled: { E2: 1 } },
      metrics: { exact: 66.67, within1: 100, within5: 100, n: 3, coverage: 100 },
      bySplit: { a: { exact: 50, n: 2 }, b: { exact: 100, n: 1 } },
      sets: [{ set: "tracewake", definition: { kind: "point of no return" }, labels: { onTurn: 3 } }],
      unreadable: [{ part: "line 5" }],
    });
    expect(JSON.parse(readFileSync(scores, "utf8"))).toMatchObject({
      cases: [
        { id: "a1", label: 1, runs: [{ turns: [{ turn: 1, steps: [1], distance: 0 }], scores: expect.any(Array) }] },
        { id: "a2", label: 2, runs: [{ turns: [{ turn: 1, distance: 1 }] }] },
        { id: "b1" },
      ],
    });

    const text = await misstep("evaluate", set, "--engine", "random");
    expect(text.out).toContain("point of no return");
    expect(text.out.replace(/ +/g, " ")).toMatch(/^ all 3 100\.0 33\.3 \[33\.3, 33\.3\]/m);
    expect(text.out).toContain("less structural, all");
    expect((await misstep("evaluate", set)).err).toMatch(/^Choose an engine with --engine: one of structural, /);
    expect((await misstep("evaluate", set, "--engine", "random", "--runs", "0")).err).toMatch(/whole number from 1/);
    const unlabelled = file("none.jsonl", row("a1", null));
    expect((await misstep("evaluate", unlabelled, "--engine", "random")).err).toMatch(/holds no label to score by/);

    const failure = { failure_id: 1, step_number: 3, step_reason: "so", failed_agent: "agent" };
    const truth = ["a1", "gone"].map((id) => ({
      trajectory_id: id,
      failures: [failure],
      root_cause: { failure_id: 1 },
    }));
    const labels = file("truth.json", JSON.stringify(truth));
    const joined = await misstep("evaluate", set, "--engine", "random", "--labels", labels, "--json");
    expect(JSON.parse(joined.out)).toMatchObject({
      ...{ unlabelled: { "not in the file of labels": 3 }, unmatched: ["gone"] },
      sets: [{ set: "AgentRx", definition: { kind: "root cause" }, labels: { onTurn: 0, outside: 1 } }],
    });
  });

  test("a folder is read as one, as the browser sends it", async () => {
    const task = path.join(folder, "task");
    for (const [name, text] of Object.entries(TASKS["solved.tar"] ?? {})) {
      mkdirSync(path.dirname(path.join(task, name)), { recursive: true });
      writeFileSync(path.join(task, name), text);
    }
    const { code, out, err } = await misstep("inspect", task, "--json");
    expect(err).toBe("");
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({ format: "autocoderover", turns: 5, writes: 1, conflicts: 0 });
    expect(JSON.parse((await misstep("localize", task, "--json")).out)).toMatchObject({ engine: "structural" });
  });

  test("inspect --all goes through a folder and stops at nothing: a row a file and part, and totals", async () => {
    const all = path.join(folder, "all");
    mkdirSync(path.join(all, "deeper"), { recursive: true });
    const put = (name: string, bytes: Uint8Array | string): void => writeFileSync(path.join(all, name), bytes);
    const trace = makeTrace("cli", 6);
    put("a.traj", trace);
    put("b-broken.traj", trace.slice(0, 600));
    put("c-empty.json", "");
    put("deeper/rows.jsonl", makeConversations(["one", null, "three"]));
    put("e.traj", makeTrace("another", 4));
    // A link out of the folder, or in a circle, is not followed.
    symlinkSync(all, path.join(all, "deeper", "circle"));

    const { code, out, err } = await misstep("inspect", "--all", all, "--json");
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const lines = out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.slice(0, -1)).toMatchObject([
      {
        file: "a.traj",
        part: null,
        format: "swe-agent",
        variant: "0.x editor",
        turns: 6,
        calls: 6,
        writes: { applied: 3 },
      },
      { file: "b-broken.traj", error: { code: "malformed", at: { byte: expect.any(Number) } } },
      { file: "c-empty.json", error: { code: "empty" } },
      { file: path.join("deeper", "rows.jsonl"), parts: 3, format: "chat-messages" },
      { file: path.join("deeper", "rows.jsonl"), part: { key: "1" }, turns: 2 },
      { file: path.join("deeper", "rows.jsonl"), part: { key: "2" }, error: {} },
      { file: path.join("deeper", "rows.jsonl"), part: { key: "3" }, turns: 2 },
      { file: "e.traj", turns: 4 },
    ]);
    for (const row of lines.slice(0, -1)) expect(row.seconds).toBeGreaterThanOrEqual(0);
    const [{ bytes }] = lines;
    expect(bytes.turns + bytes.context + bytes.notes + bytes.structure + bytes.unread).toBe(trace.length);
    const { totals } = lines.at(-1);
    expect(totals).toMatchObject({ files: 5, filesOfSeveral: 1, trajectories: 4, turns: 14, slow: [], notCounted: 0 });
    expect(totals.formats).toEqual({ "swe-agent": 2, "chat-messages": 2 });
    expect(Object.keys(totals.folding)).toEqual(["swe-agent", "chat-messages"]);
    expect(totals.folding["swe-agent"].whole).toBeGreaterThan(totals.folding["swe-agent"].observation);
    expect(Object.values(totals.failed).reduce<number>((sum, n) => sum + Number(n), 0)).toBe(3);

    const text = await misstep("inspect", "--all", all);
    expect(text.out).toMatch(/^trajectories {2}4: 2 swe-agent, 2 chat-messages$/m);
    expect((await misstep("inspect", "--all", path.join(folder, "nowhere"))).err).toMatch(/is not a folder/);
  });

  test.each([
    ["no trace", () => ["inspect", file("c.json", "{}"), "--json"], /^not_a_trace: /],
    [
      "a cut file, with the place",
      () => ["inspect", file("d.traj", makeTrace("x", 3).slice(0, 600))],
      /^malformed: .*\(.*byte \d+/,
    ],
    ["no file", () => ["localize", path.join(folder, "none")], /^There is no file /],
    ["a folder to send", () => ["upload", folder, "--token", "x", "--url", "http://127.0.0.1:9"], /is not a file/],
    ["a folder without a trace", () => ["inspect", path.join(import.meta.dirname, "launch")], /^not_a_trace: /],
    ["an unknown option", () => ["inspect", "--nope"], /--nope/],
    ["an unknown command", () => ["explode"], /Unknown command "explode"/],
    ["a command of the prototype", () => ["constructor"], /Unknown command "constructor"/],
    ["an upload without a token", () => ["upload", folder], /--token/],
    [
      "an outcome that is none",
      () => ["upload", folder, "--token", "x", "--url", "http://127.0.0.1:9", "--outcome", "fine"],
      /--outcome is failed or resolved/,
    ],
    ["a link before the first start", () => ["link"], /npm start/],
  ])("%s: exit 2 and one line", async (_, args, line) => {
    const { code, out, err } = await misstep(...args());
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(line);
    expect(err.trimEnd().split("\n")).toHaveLength(1);
  });

  test("an upload takes its key from MISSTEP_TOKEN", async () => {
    const args = ["upload", file("e.traj", "{}"), "--url", "http://127.0.0.1:1"];
    const { code, err } = await misstepWith({ MISSTEP_TOKEN: "misstep_some" }, ...args);
    expect(code).toBe(2);
    expect(err).toMatch(/cannot be reached/);
  });

  test.each(["link", "token", "seed"])("%s without a running Misstep: exit 2 and one line", async (command) => {
    // Port 1 of the loopback: nothing listens there.
    const { code, out, err } = await misstepWith({ DATABASE_URL: "postgresql://user:none@127.0.0.1:1/none" }, command);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^Misstep is not running.*npm start[^\n]*\n$/);
  });
});
