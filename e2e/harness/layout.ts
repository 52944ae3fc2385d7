import { expect, type Page } from "@playwright/test";
import { accessibilityFaults } from "./accessibility";

/** Nothing stands outside the window, and nothing fails the accessibility rules. */
export async function checkLayout(page: Page): Promise<void> {
  const width = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  await expect.poll(width, { message: "the page is not wider than the window" }).toBeLessThanOrEqual(0);
  expect(await accessibilityFaults(page)).toEqual([]);
}

/** The same in the light theme, and in the dark one what a theme can change. */
export async function checkThemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
  await checkLayout(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  expect(await accessibilityFaults(page, "theme")).toEqual([]);
}
