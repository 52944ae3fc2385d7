import type { Page } from "@playwright/test";
import { expect } from "../harness/watched-page";

/** Nothing of the trace ran, became an element, or became a link that leads out. The harness watches requests and dialogs. */
export async function checkHarmless(page: Page, place: string): Promise<void> {
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
export async function visitAll(page: Page, base: string, views: readonly string[], turns: number): Promise<void> {
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
