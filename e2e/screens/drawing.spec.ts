import type { Page } from "@playwright/test";
import { shopRun } from "../forensics/runs";
import { accessibilityFaults } from "../harness/accessibility";
import { expect, test } from "../harness/watched-page";
import { testScreens } from "./looking";
import { made } from "./made";
import { type OwnWeb, startOwnWeb } from "./own-web";

// What breaks while React draws a page that was made: no page of ours is known to. Each row of the list words its date, so
// a process, or a browser, whose dates cannot be worded draws none.

declare global {
  interface Window {
    mend?: () => void;
  }
}

const WORDS = "dates are broken in this browser";
let web: OwnWeb;
test.beforeAll(async ({ playwright }, info) => {
  test.setTimeout(120_000);
  const { baseURL, storageState } = info.project.use;
  const request = await playwright.request.newContext({ baseURL, storageState });
  await made(request, "drawing.traj", shopRun(`drawing ${Date.now()} ${info.workerIndex}`));
  await request.dispose();
  web = await startOwnWeb('Date.prototype.toLocaleString = () => { throw new Error("dates are broken here"); };');
});
test.afterAll(() => web.stop());

/** No date can be worded in the browser until it is mended. */
async function breakDates(page: Page): Promise<void> {
  await page.addInitScript((words) => {
    const worded = Date.prototype.toLocaleString;
    Date.prototype.toLocaleString = () => {
      throw new Error(words);
    };
    window.mend = () => {
      Date.prototype.toLocaleString = worded;
    };
  }, WORDS);
}

const expected = new RegExp(`request to another origin: http://127\\.0\\.0\\.1:\\d+/|500 \\(|${WORDS}`);
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const BROKEN = "This page could not be shown";

testScreens("drawing", [
  {
    name: "broken in the browser",
    open: async (page) => {
      await breakDates(page);
      await page.goto("/");
      await expect(heading(page, BROKEN)).toBeVisible();
      await expect(page.getByText(WORDS)).toBeVisible();
    },
    expected,
  },
]);

test("what neither side can draw has the status 500, and says what happened", async ({ page, tolerate }, info) => {
  tolerate(expected);
  await breakDates(page);
  await web.enter(page);
  expect((await page.goto(`${web.origin}/`))?.status()).toBe(500);
  await expect(heading(page, BROKEN)).toBeVisible();
  await expect(page.getByText(WORDS)).toBeVisible();
  await page.screenshot({ path: info.outputPath("both-sides.png") });
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("what only the server cannot draw is drawn by the browser, and its status is 500", async ({ page, tolerate }) => {
  tolerate(expected);
  await web.enter(page);
  const answer = await page.goto(`${web.origin}/`);
  expect(answer?.status()).toBe(500);
  expect(await answer?.text()).not.toContain("dates are broken here");
  await expect(heading(page, "Trajectories")).toBeVisible();
  await expect(page.locator("tr[data-row]").first()).toBeVisible();
});

test("a page that broke in the browser comes back by Try again, once it can be drawn", async ({ page, tolerate }) => {
  tolerate(expected);
  await breakDates(page);
  await page.goto("/");
  await expect(heading(page, BROKEN)).toBeVisible();
  await page.evaluate(() => window.mend?.());
  await page.getByRole("button", { name: "Try again" }).click();
  await expect(heading(page, "Trajectories")).toBeVisible();
});

test("what breaks around all pages says so without theme and fonts, and how to go on", async ({
  page,
  tolerate,
}, info) => {
  tolerate(/themes are broken in this browser/);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.addInitScript(() => {
    const { matchMedia } = window;
    window.matchMedia = () => {
      throw new Error("themes are broken in this browser");
    };
    window.mend = () => {
      window.matchMedia = matchMedia;
    };
  });
  await page.goto("/legend");
  await expect(heading(page, "Misstep could not start in this browser")).toBeVisible();
  await expect(page.getByText("themes are broken in this browser")).toBeVisible();
  await page.screenshot({ path: info.outputPath("around-all-dark.png") });
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
  await page.screenshot({ path: info.outputPath("around-all-light.png") });
  expect(await accessibilityFaults(page, "theme")).toEqual([]);
  await page.getByRole("button", { name: "Load it again" }).click();
  await expect(heading(page, "Misstep could not start in this browser")).toBeVisible();
});
