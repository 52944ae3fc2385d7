import { rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "../../bin/launch/port.mjs";
import {
  get,
  leftOver,
  newDataFolder,
  processesOf,
  type StartedLauncher,
  startLauncher,
} from "../harness/started-launcher";

// One data folder for all of them: each test is also a start on what the one before it left behind.
const dataDir = newDataFolder();
let port = 0;
let launcher: StartedLauncher | null = null;

test.describe.configure({ mode: "serial" });

test.beforeAll(async () => {
  port = await freePort();
});

test.afterEach(async () => {
  launcher?.child.kill("SIGKILL");
  expect(await leftOver(dataDir, 15_000)).toEqual([]);
});

test.afterAll(() => rmSync(path.dirname(dataDir), { recursive: true, force: true }));

async function start(options: { wrap?: (command: string[]) => string[] } = {}): Promise<StartedLauncher> {
  launcher = startLauncher({ dataDir, port, ...options });
  await launcher.untilOpen();
  // Postgres, web and worker, each with its guard.
  expect(processesOf(dataDir).length).toBeGreaterThanOrEqual(6);
  return launcher;
}

for (const [name, signal] of [
  ["Ctrl-C", "SIGINT"],
  ["SIGTERM", "SIGTERM"],
  ["SIGHUP", "SIGHUP"],
] as const) {
  test(`${name} ends everything within 10 seconds, with exit code 0`, async () => {
    const { child, exited, output } = await start();
    const before = Date.now();
    child.kill(signal);
    expect(await exited, output()).toBe(0);
    expect(Date.now() - before).toBeLessThan(10_000);
    expect(await leftOver(dataDir, 0)).toEqual([]);
  });
}

test("kill -9 of the launcher leaves no process, and the next start works at once", async () => {
  const { child } = await start();
  child.kill("SIGKILL");
  expect(await leftOver(dataDir)).toEqual([]);
  await start();
  expect((await get(`http://127.0.0.1:${port}/api/health`)).status).toBe(200);
});

test("kill -9 in the middle of the start leaves no process", async () => {
  launcher = startLauncher({ dataDir, port });
  await expect.poll(() => processesOf(dataDir).some(({ command }) => command.includes("postgres"))).toBe(true);
  launcher.child.kill("SIGKILL");
  expect(await leftOver(dataDir)).toEqual([]);
});

test("a terminal that is closed ends everything", async () => {
  // `script` gives the launcher a terminal of its own; killing it closes that terminal, as closing a window does.
  const { child } = await start({ wrap: (command) => ["script", "-q", "-c", command.join(" "), "/dev/null"] });
  child.kill("SIGKILL");
  expect(await leftOver(dataDir)).toEqual([]);
});

test("kill -9 of npm, which runs the launcher, ends everything", async () => {
  const { child } = await start({ wrap: () => ["npm", "start"] });
  child.kill("SIGKILL");
  expect(await leftOver(dataDir)).toEqual([]);
});

test("a closed pipe behind the output does not end it", async () => {
  const { child, exited } = await start();
  child.stdout?.destroy();
  child.stderr?.destroy();
  const worker = processesOf(dataDir).find(({ command }) => /^\S+ --import tsx workers\/main/.test(command));
  process.kill(worker?.pid ?? Number.NaN, "SIGKILL"); // makes the launcher write a line
  await expect
    .poll(async () => (await get(`http://127.0.0.1:${port}/api/health`)).status, { timeout: 20_000 })
    .toBe(200);
  child.kill("SIGTERM");
  await exited;
});
