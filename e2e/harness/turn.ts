import type { Locator, Page } from "@playwright/test";

/** The heading of an open turn, `#1` for the first. */
export const turnHead = (page: Page, number: number): Locator =>
  page.getByRole("heading", { level: 2, name: `#${number}`, exact: true });

/** The pane of the open turn. */
export const turnOf = (page: Page): Locator => page.getByRole("region", { name: "Turn", exact: true });
