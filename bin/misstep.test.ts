import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, describe, expect, test } from "vitest";
import { verdictSchema } from "@/lib/investigator/verdict";
import { trajectorySchema } from "@/lib/trajectory/schema";
import { makeTrace } from "@/workers/test-trace";

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

  test.each([
    ["no trace", () => ["inspect", file("c.json", "{}"), "--json"], /^not_a_trace: /],
    [
      "a cut file, with the place",
      () => ["inspect", file("d.traj", makeTrace("x", 3).slice(0, 600))],
      /^malformed: .*\(.*byte \d+/,
    ],
    ["no file", () => ["localize", path.join(folder, "none")], /^There is no file /],
    ["a folder", () => ["inspect", folder], /is not a file/],
    ["an unknown option", () => ["inspect", "--nope"], /--nope/],
    ["an unknown command", () => ["explode"], /Unknown command "explode"/],
    ["a command of the prototype", () => ["constructor"], /Unknown command "constructor"/],
    ["an upload without a token", () => ["upload", folder], /--token/],
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
