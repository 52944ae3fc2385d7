import type { Page } from "@playwright/test";

/**
 * Waits until React has taken over what the server drew, effects included: what is clicked, typed or chosen before that
 * goes nowhere, and a busy machine takes its time for it.
 */
export async function untilAlive(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const main = document.querySelector("main");
    return main !== null && Object.keys(main).some((key) => key.startsWith("__react"));
  });
  // The elements are marked while React still goes through them; its effects come after the frame that follows.
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 0)));
      }),
  );
}

/** Lets `goto` and `reload` of a page end when it is alive. One that asks for less (`commit`) gets what it asks for. */
export function openAlive(page: Page): void {
  const goto = page.goto.bind(page);
  const reload = page.reload.bind(page);
  page.goto = async (url, options) => {
    const answer = await goto(url, options);
    if (options?.waitUntil !== "commit") await untilAlive(page);
    return answer;
  };
  page.reload = async (options) => {
    const answer = await reload(options);
    await untilAlive(page);
    return answer;
  };
}
