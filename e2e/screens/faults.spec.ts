import type { Page } from "@playwright/test";
import { shopRun } from "../forensics/runs";
import { expect, test } from "../harness/watched-page";
import { askUntil } from "./asking";
import { testScreens } from "./looking";
import { made } from "./made";
import { type OwnWeb, startOwnWeb } from "./own-web";

let web: OwnWeb;
let shop = "";

test.beforeAll(async ({ playwright }, info) => {
  test.setTimeout(120_000);
  const { baseURL, storageState } = info.project.use;
  const request = await playwright.request.newContext({ baseURL, storageState });
  shop = (await made(request, "faults.traj", shopRun(`faults ${Date.now()} ${info.workerIndex}`))).id;
  await request.dispose();
  web = await startOwnWeb();
});

test.afterAll(() => web.stop());

/** The harness knows one origin; the answers that fail are what these tests are about. */
const expected = /request to another origin: http:\/\/127\.0\.0\.1:\d+\/|50[03] \(/;

/** Signs a page in, with the database there. */
async function enter(page: Page): Promise<void> {
  web.join();
  await web.enter(page);
}

async function openRun(page: Page): Promise<void> {
  await enter(page);
  await page.goto(`${web.origin}/t/${shop}?turn=1`);
  await expect(page.getByRole("heading", { level: 2, name: "#1", exact: true })).toBeVisible();
}

testScreens("database away", [
  {
    name: "a page that is opened",
    open: async (page) => {
      await enter(page);
      web.cut();
      await page.goto(`${web.origin}/`);
      await expect(page.getByRole("heading", { level: 1, name: "This page could not be shown" })).toBeVisible();
    },
    expected,
  },
  {
    name: "the list in use",
    open: async (page) => {
      await enter(page);
      await page.goto(`${web.origin}/`);
      web.cut();
      await askUntil(page, page.getByText("Not updating."));
    },
    expected,
  },
  {
    name: "a run in use",
    open: async (page) => {
      await openRun(page);
      web.cut();
      await page.keyboard.press("Shift+G");
      await expect(page.getByRole("region", { name: "Turn", exact: true }).getByRole("alert")).toBeVisible();
    },
    expected,
  },
]);

test("what failed comes with Try again, once the database is back", async ({ page, tolerate }) => {
  tolerate(expected);
  await page.setViewportSize({ width: 1_440, height: 1_000 });
  await openRun(page);
  web.cut();
  await page.keyboard.press("Shift+G");
  const turn = page.getByRole("region", { name: "Turn", exact: true });
  await expect(turn.getByRole("alert")).toBeVisible();
  web.join();
  await expect(async () => {
    const again = turn.getByRole("button", { name: "Try again" });
    if (await again.isVisible()) await again.click({ timeout: 1_000 });
    await expect(turn.getByText("This is as far as I get.")).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });

  web.cut();
  await page.goto(`${web.origin}/`);
  await expect(page.getByRole("heading", { level: 1, name: "This page could not be shown" })).toBeVisible();
  web.join();
  await expect(async () => {
    const again = page.getByRole("button", { name: "Try again" });
    if (await again.isVisible()) await again.click({ timeout: 1_000 });
    await expect(page.getByRole("heading", { level: 1, name: "Trajectories" })).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 20_000 });
});
