import { readFileSync, rmSync, statSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { z } from "zod";
import { freePort } from "../../bin/launch/port.mjs";
import {
  get,
  leftOver,
  newDataFolder,
  processesOf,
  type StartedLauncher,
  startLauncher,
} from "../harness/started-launcher";

const dataDir = newDataFolder();
const kept = z.object({ DATABASE_URL: z.string(), MISSTEP_SECRET: z.string() });
let port = 0;
let launcher: StartedLauncher;
let link = "";

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  port = await freePort();
  launcher = startLauncher({ dataDir, port });
  link = await launcher.untilOpen();
});

test.afterAll(async () => {
  launcher.child.kill("SIGTERM");
  await launcher.exited;
  expect(await leftOver(dataDir)).toEqual([]);
  rmSync(path.dirname(dataDir), { recursive: true, force: true });
});

const health = (): Promise<{ status: number; body: string }> => get(`http://127.0.0.1:${port}/api/health`);

/** The number of the program itself, not of its guard; null when it does not run. */
function pidOf(pattern: RegExp): number | null {
  const found = processesOf(dataDir).find(({ command }) => !command.includes("guard.mjs") && pattern.test(command));
  return found?.pid ?? null;
}

test("it says what it does, and prints the one-time link on a line of its own", () => {
  expect(launcher.output()).toMatch(/^\[1\/7\] .+\n/m);
  expect(launcher.output()).toMatch(/^\[7\/7\] .+\n/m);
  expect(link.startsWith(`http://127.0.0.1:${port}/sign-in/link?token=`)).toBe(true);
});

test("health is well, and says so in the agreed words", async () => {
  const { status, body } = await health();
  expect(status).toBe(200);
  expect(JSON.parse(body)).toMatchObject({ status: "ok" });
});

test("the data folder and what is secret in it are its owner's alone", () => {
  const rights = (name: string): number => statSync(path.join(dataDir, name)).mode & 0o777;
  expect(rights("."), "data folder").toBe(0o700);
  expect(rights("postgres")).toBe(0o700);
  for (const name of ["secret", "environment.json", "postgres/password"]) expect(rights(name), name).toBe(0o600);
});

test("no secret is on a command line", () => {
  const { DATABASE_URL, MISSTEP_SECRET } = kept.parse(
    JSON.parse(readFileSync(path.join(dataDir, "environment.json"), "utf8")),
  );
  const password = decodeURIComponent(new URL(DATABASE_URL).password);
  expect(password.length).toBeGreaterThan(20);
  for (const { command } of processesOf(dataDir)) {
    expect(command).not.toContain(password);
    expect(command).not.toContain(MISSTEP_SECRET);
  }
});

test("a second start on the same data folder is refused in one sentence", async () => {
  const second = startLauncher({ dataDir, port: await freePort() });
  expect(await second.exited).toBe(1);
  expect(second.output()).toContain(
    `Misstep already runs on ${dataDir} (process ${launcher.child.pid}, http://127.0.0.1:${port})`,
  );
  expect((await health()).status).toBe(200);
});

for (const [name, pattern] of [
  ["worker", /workers\/main/],
  ["web", /next-server|next\/dist\/bin\/next/],
  ["postgres", /bin\/postgres -D/],
] as const) {
  test(`${name} is started again when it is killed`, async () => {
    const pid = pidOf(pattern);
    if (pid === null) throw new Error(`${name} does not run:\n${launcher.output()}`);
    process.kill(pid, "SIGKILL");
    await expect.poll(() => launcher.output(), { timeout: 10_000 }).toContain(`${name} ended (signal 9)`);
    await expect.poll(() => pidOf(pattern), { timeout: 20_000 }).not.toBeNull();
    await expect
      .poll(async () => (await health().catch(() => ({ status: 0 }))).status, { timeout: 30_000, intervals: [200] })
      .toBe(200);
  });
}

test("a second start keeps the data and the secret, and is quick", async () => {
  const secret = readFileSync(path.join(dataDir, "secret"), "utf8");
  launcher.child.kill("SIGINT");
  expect(await launcher.exited).toBe(0);
  const before = Date.now();
  launcher = startLauncher({ dataDir, port });
  const second = await launcher.untilOpen();
  const tookMs = Date.now() - before;
  expect(launcher.output(), "nothing is made again").not.toMatch(/\] (?:Installing|Generating|Building)/);
  test.info().annotations.push({ type: "second start", description: `${tookMs} ms` });
  expect(tookMs).toBeLessThan(15_000); // about 2 s on an idle machine; far from the minute of a first start
  expect(readFileSync(path.join(dataDir, "secret"), "utf8")).toBe(secret);
  expect(second).not.toBe(link);
});
