import { spawnSync } from "node:child_process";
import path from "node:path";
import { defineConfig, devices } from "@playwright/test";

const folder = process.env.MISSTEP_TEST_FOLDER ?? path.join(import.meta.dirname, ".test");

/** Chromium's sandbox needs user namespaces and refuses root; everywhere else it stays on. */
function canSandbox(): boolean {
  if (process.platform !== "linux") return true;
  return process.getuid?.() !== 0 && spawnSync("unshare", ["--user", "true"], { stdio: "ignore" }).status === 0;
}

export default defineConfig({
  testDir: "e2e",
  outputDir: path.join(folder, "playwright"),
  timeout: 60_000,
  expect: { timeout: 10_000 },
  forbidOnly: true,
  retries: 0, // a test that needs a second try is a defect
  workers: 2,
  reporter: [["list"], ["json"]],
  use: {
    ...devices["Desktop Chrome"],
    baseURL: process.env.MISSTEP_TEST_ORIGIN,
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: [
        ...(canSandbox() ? [] : ["--no-sandbox"]),
        ...["--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"],
        ...["--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"],
      ],
    },
  },
  projects: [
    { name: "launcher", testMatch: "launcher/*.spec.ts", timeout: 120_000 },
    { name: "sign-in", testMatch: "harness/sign-in.setup.ts" },
    {
      name: "browser",
      testIgnore: "launcher/**",
      dependencies: ["sign-in"],
      use: { storageState: path.join(folder, "signed-in.json") },
    },
  ],
});
