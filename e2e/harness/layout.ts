import { expect, type Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility";

/** Nothing stands outside the window, and nothing fails the accessibility rules. */
export async function checkLayout(page: Page): Promise<void> {
  const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(width, "the page is not wider than the window").toBeLessThanOrEqual(0);
  expect(await accessibilityFaults(page)).toEqual([]);
}
