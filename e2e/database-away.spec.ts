import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "../bin/launch/port.mjs";
import { startPostgres } from "../bin/postgres.mjs";
import { type PostgresProxy, startPostgresProxy } from "../lib/test-support/postgres-proxy";
import { untilAlive } from "./harness/alive";
import { get, newDataFolder, type StartedLauncher, startLauncher } from "./harness/started-launcher";

// A product of its own on a database of its own, which goes away; nobody is signed in to it before.
test.use({ storageState: { cookies: [], origins: [] } });

let folder = "";
const dataDir = newDataFolder();
let server: { url: string; stop: () => Promise<unknown> };
let proxy: PostgresProxy;
let launcher: StartedLauncher;
let link = "";

test.beforeAll(async () => {
  test.setTimeout(240_000);
  folder = await mkdtemp(path.join(tmpdir(), "misstep-away-"));
  server = await startPostgres({ dataDir: path.join(folder, "postgres"), durable: false, ownFolders: [folder] });
  proxy = await startPostgresProxy(server.url);
  launcher = startLauncher({ dataDir, port: await freePort(), env: { DATABASE_URL: proxy.url } });
  link = await launcher.untilOpen(180_000);
});

test.afterAll(async () => {
  launcher.child.kill("SIGTERM");
  await launcher.exited;
  await proxy.close();
  await server.stop();
  await rm(folder, { recursive: true, force: true });
  await rm(path.dirname(dataDir), { recursive: true, force: true });
});

test("R12: pages say that the server cannot, and work again when the database is back, without a restart", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const { origin } = new URL(link);
  const health = () => get(`${origin}/api/health`);
  await page.goto(link);
  await untilAlive(page);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Trajectories" })).toBeVisible();

  await proxy.goAway();
  await expect.poll(async () => (await health()).status).toBe(503);
  expect(JSON.parse((await health()).body)).toEqual({ status: "unavailable", part: "database" });
  const response = await page.goto(origin);
  await untilAlive(page);
  expect(response?.status()).toBe(500);
  await expect(page.getByRole("heading", { name: "This page could not be shown" })).toBeVisible();
  // What answers, in whatever form, does not say where the database is or how one gets in.
  const told = (await response?.text()) ?? "";
  // It says so itself, without a browser that draws it, and under the number that the log has.
  expect(told).toContain("This page could not be shown");
  const number = await page.locator("main code").textContent();
  expect(number).toMatch(/^[0-9a-f]{16}$/);
  // The line comes through two pipes.
  await expect.poll(() => launcher.output()).toContain(`[${number}]`);
  const { password, port } = new URL(server.url);
  for (const secret of [password, `:${port}`, new URL(proxy.url).port, "node_modules"])
    expect(told).not.toContain(secret);

  await proxy.comeBack();
  await expect.poll(async () => (await health()).status, { timeout: 60_000 }).toBe(200);
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("heading", { name: "Trajectories" })).toBeVisible();
  // Nothing was started again for it.
  expect(launcher.output()).not.toMatch(/ended \(/);
});
