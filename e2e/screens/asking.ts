import { expect, type Locator, type Page } from "@playwright/test";

/** Makes a page that keeps itself fresh ask now, as it does when somebody comes back to its window. */
export async function ask(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
}

/** Makes the page ask until `awaited` is there: while a question is under way it starts no second one. */
export async function askUntil(page: Page, awaited: Locator): Promise<void> {
  await expect(async () => {
    await ask(page);
    await expect(awaited).toBeVisible({ timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
}
