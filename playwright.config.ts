import path from "node:path";
import { defineConfig, devices } from "@playwright/test";
import { chromiumArguments } from "./bin/check/chromium.mjs";

const folder = process.env.MISSTEP_TEST_FOLDER ?? path.join(import.meta.dirname, ".test");

export default defineConfig({
  testDir: "e2e",
  outputDir: path.join(folder, "playwright"),
  // For what has to come at some time, on two cores that do much else: no test measures speed by them.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  forbidOnly: true,
  retries: 0, // a test that needs a second try is a defect
  workers: 2,
  reporter: [["list"], ["json"]],
  use: {
    ...devices["Desktop Chrome"],
    baseURL: process.env.MISSTEP_TEST_ORIGIN,
    // Every test is recorded, as nobody knows before which one fails: without pictures of each frame, which are what costs.
    trace: { mode: "retain-on-failure", screenshots: false },
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env.CHROMIUM_PATH,
      args: chromiumArguments(),
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
