import type { Page } from "@playwright/test";
import { expect } from "../harness/watched-page";

/** Nothing of the trace ran, became an element, or became a link that leads out. The harness watches requests and dialogs. */
export async function checkHarmless(page: Page, place: string): Promise<void> {
  const found = await page.evaluate(() => ({
    ran: "__pwned" in window,
    elements: document.querySelectorAll(
      "img, iframe, object, embed, base, animate, meta[http-equiv], svg[onload], main script",
    ).length,
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

/** Two seconds after a page was opened it is where it was, and it was nowhere else in between. */
export async function checkStays(page: Page, address: string): Promise<void> {
  const visited = new Set<string>();
  page.on("framenavigated", (frame) => {
    if (frame === page.mainFrame()) visited.add(frame.url());
  });
  await page.goto(address);
  await expect(page.getByRole("heading").first()).toBeVisible();
  // By the page's own clock, which starts with the page.
  await expect.poll(() => page.evaluate(() => performance.now()), { message: address }).toBeGreaterThan(2_000);
  page.removeAllListeners("framenavigated");
  const { href } = new URL(address, page.url());
  expect(page.url()).toBe(href);
  expect([...visited]).toEqual([href]);
  await checkHarmless(page, address);
}

/** The words of a page that hold characters which turn or hide others: a page draws each as a mark of its own. */
export function findHidden(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      const isShown = node.parentElement?.checkVisibility() && !node.parentElement.closest("script, style");
      if (isShown && /[\u202a-\u202e\u2066-\u2069\u200b-\u200f\u{e0000}-\u{e007f}]/u.test(node.nodeValue ?? ""))
        found.push(node.nodeValue ?? "");
    }
    return found;
  });
}
