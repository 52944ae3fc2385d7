import { type BrowserContext, test as base, expect, type Page } from "@playwright/test";
import { openAlive } from "./alive";

/** Things that a test expects, and that would otherwise fail it: a pattern over the problem's text. */
type Tolerate = (pattern: RegExp) => void;

interface Fixtures {
  /** Allows a problem in this test, for example the console's line about a 404 that the test asks for. */
  tolerate: Tolerate;
  /** A page of somebody who is not signed in, in a browser context of its own, watched like `page`. */
  stranger: Page;
  /** Collects what goes wrong in every page; fails the test at its end. */
  problems: Problems;
}

/** What went wrong in the pages of one test. */
class Problems {
  readonly #found: string[] = [];
  readonly #tolerated: RegExp[] = [];

  /** Allows what matches. */
  tolerate(pattern: RegExp): void {
    this.#tolerated.push(pattern);
  }

  /** What was found and not allowed. */
  list(): string[] {
    return this.#found.filter((problem) => !this.#tolerated.some((pattern) => pattern.test(problem)));
  }

  /**
   * Watches every page of a context: requests to anywhere but the product, errors in the console or unhandled, violations
   * of the content security policy, and dialogs (which a page made from a hostile trace must never show). Its pages are
   * alive when they were opened.
   */
  async watch(context: BrowserContext, origin: string): Promise<void> {
    context.on("page", openAlive);
    context.on("request", (request) => {
      const url = new URL(request.url());
      const isOwn = url.origin === origin || ["data:", "blob:", "about:"].includes(url.protocol);
      if (!isOwn) this.#found.push(`request to another origin: ${request.url()}`);
    });
    context.on("console", (message) => {
      if (message.type() === "error") this.#found.push(`console error: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.#found.push(`unhandled error: ${error.error().message}`));
    context.on("dialog", (dialog) => {
      this.#found.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    await context.addInitScript(() => {
      document.addEventListener("securitypolicyviolation", (event) => {
        console.error(`policy violation: ${event.violatedDirective} ${event.blockedURI}`);
      });
    });
  }
}

/**
 * Playwright's `test` with pages that fail it when anything goes wrong in them, whatever the test itself looks at.
 * Every spec of a page starts from this one.
 */
export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are needed from the pattern
  problems: async ({}, use) => {
    const problems = new Problems();
    await use(problems);
    expect(problems.list(), "nothing may go wrong in a page").toEqual([]);
  },
  tolerate: async ({ problems }, use) => {
    await use((pattern) => problems.tolerate(pattern));
  },
  context: async ({ context, problems }, use) => {
    await problems.watch(context, productOrigin());
    await use(context);
  },
  stranger: async ({ browser, problems }, use) => {
    const context = await browser.newContext({ baseURL: productOrigin(), storageState: undefined });
    await problems.watch(context, productOrigin());
    await use(await context.newPage());
    await context.close();
  },
});

/** Where the product under test answers. */
export function productOrigin(): string {
  const origin = process.env.MISSTEP_TEST_ORIGIN;
  if (!origin) throw new Error("MISSTEP_TEST_ORIGIN is not set: run `npm test -- e2e`, which starts the product first");
  return origin;
}

export { expect };
