import type { Page } from "@playwright/test";
import { listPageSchema } from "@/lib/views/trajectory-list";
import { accessibilityFaults } from "../harness/accessibility";
import { uploadThroughPage } from "../harness/upload";
import { expect, productOrigin, test } from "../harness/watched-page";
import { trace, traceFile } from "./traces";

const rows = (page: Page) => page.locator("tr[data-row]");
const names = (page: Page) => page.locator("[data-row-link]").allTextContents();
const box = (page: Page) => page.getByRole("searchbox", { name: "Filter by name or task" });

/** Three runs of this file's own, found by a word that no other test uses. */
const OWN = [
  { name: "heron-b.traj", reads: 9 },
  { name: "heron-c.traj", reads: 1 },
  { name: "heron-a.traj", reads: 4 },
];

test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  for (const { name, reads } of OWN) await uploadThroughPage(page, traceFile(name, { mark: name, reads }));
  await page.close();
});

test("words in the filter box are in the address, and one step of Back undoes them", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("/");
  await expect(box(page)).toBeFocused();
  await page.keyboard.type("heron", { delay: 20 });
  await expect(page).toHaveURL(/\?q=heron$/);
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByRole("status").filter({ hasText: /^3 of \d+$/ })).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\/$/);
  await expect(box(page)).toHaveValue("");
  await page.goForward();
  await expect(box(page)).toHaveValue("heron");
  await expect(rows(page)).toHaveCount(3);
});

test("a pasted address opens the same list, and what it cannot say is ignored", async ({ page }) => {
  await page.goto("/?q=heron&minTurns=6&sort=turns&direction=ascending&size=51&nonsense=1");
  await expect.poll(() => names(page)).toEqual(["heron-a.traj", "heron-b.traj"]);
  await expect(page.getByText("Turnsat least6")).toBeVisible();
  await page.getByRole("button", { name: "Remove filter Turns" }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(page).not.toHaveURL(/minTurns/);
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(page).not.toHaveURL(/heron/);
});

test("every filter of the panel narrows the list on the server", async ({ page }) => {
  await page.goto("/?q=heron");
  await page.getByRole("button", { name: "Filter", exact: true }).click();
  const panel = page.getByRole("dialog", { name: "Filters" });
  await panel.getByLabel("Outcome").selectOption("resolved");
  await expect(page.getByText("Nothing matches")).toBeVisible();
  await panel.getByLabel("Outcome").selectOption("all");
  await expect(rows(page)).toHaveCount(3);
  await panel.getByLabel("Framework").selectOption("SWE-agent");
  await expect(page).toHaveURL(/framework=SWE-agent/);
  await expect(rows(page)).toHaveCount(3);
  await panel.getByLabel("Turns at least").fill("11");
  await expect(rows(page)).toHaveCount(1);
  await panel.getByLabel("Status").selectOption("failed");
  await expect(page.getByText("Nothing matches")).toBeVisible();
});

test("a click on a head sorts on the server, a second one turns the order round", async ({ page }) => {
  await page.goto("/?q=heron");
  await page.getByRole("button", { name: "Turns", exact: true }).click();
  await expect(page).toHaveURL(/sort=turns/);
  await expect.poll(() => names(page)).toEqual(["heron-b.traj", "heron-a.traj", "heron-c.traj"]);
  await expect(page.getByRole("columnheader", { name: "Turns" })).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("button", { name: "Turns", exact: true }).click();
  await expect.poll(() => names(page)).toEqual(["heron-c.traj", "heron-a.traj", "heron-b.traj"]);
  await page.getByRole("button", { name: "Name", exact: true }).click();
  await expect.poll(() => names(page)).toEqual(["heron-a.traj", "heron-b.traj", "heron-c.traj"]);
  await page.goBack();
  await expect.poll(() => names(page)).toEqual(["heron-c.traj", "heron-a.traj", "heron-b.traj"]);
});

test("pages follow each other without a gap, by button and by key", async ({ page }) => {
  const fillers = Array.from({ length: 27 }, (_, n) => `osprey-${String(n).padStart(2, "0")}.traj`);
  for (const name of fillers) {
    const sent = await page.request.post(`/api/v1/uploads?name=${name}`, {
      data: Buffer.from(trace({ mark: name })),
      headers: { "content-type": "application/octet-stream", origin: productOrigin() },
    });
    expect(sent.ok(), name).toBe(true);
  }
  const imported = async () =>
    listPageSchema.parse(await (await page.request.get("/api/v1/trajectories?q=osprey")).json()).matching;
  await expect.poll(imported, { timeout: 90_000 }).toBe(27);

  await page.goto("/?q=osprey&size=25&sort=name&direction=ascending");
  await expect.poll(() => names(page)).toEqual(fillers.slice(0, 25));
  await expect(page.getByText("1–25 of 27")).toBeVisible();
  await expect(page.getByRole("button", { name: "Previous page" })).toBeDisabled();
  await page.getByRole("button", { name: "Next page" }).click();
  await expect(page).toHaveURL(/page=2/);
  await expect.poll(() => names(page)).toEqual(fillers.slice(25));
  await expect(page.getByRole("button", { name: "Next page" })).toBeDisabled();
  await page.keyboard.press("[");
  await expect.poll(() => names(page)).toEqual(fillers.slice(0, 25));
  await page.goto("/?q=osprey&size=25&page=999");
  await page.getByRole("button", { name: "First page" }).click();
  await expect(rows(page)).toHaveCount(25);
});

test("rows are walked and opened from the keyboard", async ({ page }) => {
  await page.goto("/?q=heron&sort=name&direction=ascending");
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  await expect(page.getByRole("link", { name: "heron-b.traj" })).toBeFocused();
  await page.keyboard.press("k");
  await expect(page.getByRole("link", { name: "heron-a.traj" })).toBeFocused();
  const href = await page.getByRole("link", { name: "heron-a.traj" }).getAttribute("href");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === href);
  await page.goBack();
  await expect(rows(page)).toHaveCount(3);
});

test("? shows the keys of the page, and they rest while somebody types", async ({ page }) => {
  await page.goto("/?q=heron");
  await box(page).focus();
  await page.keyboard.type("j?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toHaveCount(0);
  await box(page).blur();
  await page.keyboard.press("?");
  const sheet = page.getByRole("dialog", { name: "Keys" });
  await expect(sheet).toContainText("Next and previous row");
  await page.keyboard.press("Escape");
  await expect(sheet).toHaveCount(0);
});

test("the verdict leads to its turn", async ({ page }) => {
  await page.goto("/?q=heron-a");
  const verdict = rows(page).getByRole("link", { name: /#\d+/ });
  const turn = /#(\d+)/.exec((await verdict.textContent()) ?? "")?.[1];
  await verdict.click();
  await page.waitForURL((url) => url.pathname.startsWith("/t/") && url.searchParams.get("turn") === turn);
});

test("the theme is set before the first paint and remembered", async ({ page }) => {
  await page.emulateMedia({ colorScheme: "light" });
  await page.goto("/legend");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await page.getByRole("button", { name: "Switch theme" }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.goto("/", { waitUntil: "commit" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});

test("the page of a link that was used up has no accessibility defect that axe knows", async ({ page }) => {
  // The other pages are looked at in both themes and sizes in screens/.
  await page.goto("/sign-in?reason=link");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("at 390 px rows are blocks, nothing is cut off at the side, and filters work", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/?q=heron-b");
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  await expect(page.getByRole("columnheader")).toHaveCount(0);
  const block = rows(page).first();
  await expect(block).toContainText("heron-b.traj");
  await expect(block).toContainText("11 turns");
  expect((await block.boundingBox())?.height).toBeGreaterThan(80);
  await page.getByRole("button", { name: "Filters" }).click();
  await page.getByLabel("Order").selectOption("turns ascending");
  await expect(page).toHaveURL(/sort=turns/);
});
