import { expect, type Page } from "@playwright/test";

/** What web.dev calls good is 0.1; nothing of ours should jump at all. */
const SHIFT_MAX = 0.02;

interface Shift {
  value: number;
  /** What moved, as the beginning of its markup. */
  moved: string[];
}

declare global {
  interface Window {
    __shifts?: Shift[];
  }
}

/** Notes every layout shift of the pages that are opened from now on, except those that a press of a person explains. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: Shift[] = [];
    window.__shifts = shifts;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!("value" in entry) || typeof entry.value !== "number") continue;
        if ("hadRecentInput" in entry && entry.hadRecentInput === true) continue;
        const sources = "sources" in entry && Array.isArray(entry.sources) ? entry.sources : [];
        const moved = sources.map((source: unknown) => {
          const node = typeof source === "object" && source !== null && "node" in source ? source.node : null;
          return node instanceof Element ? node.outerHTML.slice(0, 140) : String(node);
        });
        shifts.push({ value: entry.value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** The shifts so far add up to nearly nothing; else it names what moved. */
export async function expectSteady(page: Page): Promise<void> {
  // Entries come after the frame that they are about.
  const shifts = await page.evaluate(
    () =>
      new Promise<Shift[]>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(window.__shifts ?? []), 0)));
      }),
  );
  const sum = shifts.reduce((all, { value }) => all + value, 0);
  expect(
    sum,
    shifts.map(({ value, moved }) => `${value.toFixed(4)}: ${moved.join(" | ")}`).join("\n"),
  ).toBeLessThanOrEqual(SHIFT_MAX);
}

/** Lets go of the shifts so far: those of a row that came in are what a person has waited for. */
export async function forgetShifts(page: Page): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() =>
          requestAnimationFrame(() =>
            setTimeout(() => {
              window.__shifts?.splice(0);
              resolve();
            }, 0),
          ),
        );
      }),
  );
}
