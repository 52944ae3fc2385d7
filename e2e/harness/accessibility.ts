import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { run } from "axe-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The editor's own parts (its rows, its scroll bars, its hidden field) are not ours to change. */
const NOT_OURS = ".monaco-diff-editor";

/** Rules that the theme decides; all others see the same page in both. */
const THEME_RULES = ["color-contrast", "link-in-text-block"];

declare global {
  interface Window {
    axe?: { run: typeof run };
  }
}

/**
 * Asks axe about a page as it stands. The rules are brought to the page once, and stay for the next time.
 * @param page of one document: axe sees into no frame from here, so a page with one throws
 * @param which `all` rules that axe has by default, with touch targets of 24 px or with room around them (WCAG 2.5.8),
 *   or those that another `theme` can change
 * @returns a line for each element that fails a rule
 */
export async function accessibilityFaults(page: Page, which: "all" | "theme" = "all"): Promise<string[]> {
  expect(page.frames(), "the page is one document").toHaveLength(1);
  if (!(await page.evaluate(() => window.axe !== undefined))) await page.evaluate(SOURCE);
  return page.evaluate(
    async ({ exclude, only }) => {
      if (window.axe === undefined) throw new Error("axe is not in the page");
      const { violations } = await window.axe.run(
        { exclude: [exclude] },
        {
          // Nobody reads what passed, and to name those elements takes longer than to check them.
          resultTypes: ["violations"],
          ...(only ? { runOnly: { type: "rule", values: only } } : { rules: { "target-size": { enabled: true } } }),
        },
      );
      return violations.flatMap(({ id, nodes }) =>
        nodes.map(
          ({ target, html, any }) => `${id}: ${target.join(" ")} ${html.slice(0, 160)} ${any[0]?.message ?? ""}`,
        ),
      );
    },
    { exclude: NOT_OURS, only: which === "theme" ? THEME_RULES : null },
  );
}
