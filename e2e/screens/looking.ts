import { type BrowserContext, expect, type Page, type TestInfo } from "@playwright/test";
import { accessibilityFaults } from "../harness/accessibility";
import { test } from "../harness/watched-page";
import { expectSteady, watchShifts } from "./shifts";

/** One state of one page. */
export interface Screen {
  name: string;
  /** Brings the page into the state, and waits until it is there. */
  open: (page: Page) => Promise<void>;
  /** Problems that belong to the state, for example the console's line about an answer that the test breaks. */
  expected?: RegExp;
  /** Seen by somebody who is not signed in. */
  isStranger?: boolean;
}

const SIZES = { wide: { width: 1_440, height: 1_000 }, narrow: { width: 390, height: 844 } } as const;
export type Size = keyof typeof SIZES;

/** The document is not wider than the window, once what is drawn to measure was drawn again; names what sticks out. */
async function checkWidth(page: Page): Promise<void> {
  const tooWide = () =>
    page.evaluate(() => {
      const { clientWidth, scrollWidth } = document.documentElement;
      if (scrollWidth <= clientWidth) return [];
      const wide = [...document.querySelectorAll("body *")].filter(
        (each) => each.getBoundingClientRect().right > clientWidth + 1,
      );
      return [`${scrollWidth} of ${clientWidth} px`, ...wide.slice(0, 5).map((each) => each.outerHTML.slice(0, 160))];
    });
  await expect.poll(tooWide, { message: "the page is not wider than the window" }).toEqual([]);
}

const TABS_MAX = 30;

/** Every stop of the Tab key is in the page to be seen, with a ring around it. */
async function checkFocus(page: Page): Promise<void> {
  const faults: string[] = [];
  for (let n = 0; n < TABS_MAX; n += 1) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(() => {
      const focused = document.activeElement;
      if (focused === null || focused === document.body) return null;
      if (focused.closest(".monaco-diff-editor")) return { words: "", isSeen: true, hasRing: true, isEditor: true };
      const box = focused.getBoundingClientRect();
      const hasRing = [focused, focused.parentElement, focused.closest("tr"), focused.closest("label")].some((each) => {
        if (!each) return false;
        const { outlineStyle, outlineWidth } = getComputedStyle(each);
        return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
      });
      const isSeen = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
      return { words: focused.outerHTML.slice(0, 120), isSeen, hasRing, isEditor: false };
    });
    if (stop === null || stop.isEditor) break;
    if (!stop.isSeen) faults.push(`not in view: ${stop.words}`);
    if (!stop.hasRing) faults.push(`no ring: ${stop.words}`);
  }
  expect(faults).toEqual([]);
}

/**
 * Looks at a state as a visitor with a window of one size does, in both themes: rules, width, focus, steadiness; a picture
 * of each goes to the test's output.
 */
async function look(page: Page, screen: Screen, size: Size, info: TestInfo): Promise<void> {
  await watchShifts(page);
  await page.setViewportSize(SIZES[size]);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await screen.open(page);
  await expectSteady(page);
  const picture = (theme: string) =>
    page.screenshot({ path: info.outputPath(`${screen.name.replaceAll(/\W+/g, "-")}-${size}-${theme}.png`) });
  await picture("light");
  expect(await accessibilityFaults(page)).toEqual([]);
  await checkWidth(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await picture("dark");
  expect(await accessibilityFaults(page, "theme")).toEqual([]);
  if (size === "narrow") {
    await page.setViewportSize({ width: 320, height: 700 });
    await checkWidth(page);
  } else await checkFocus(page);
  await page.unrouteAll({ behavior: "ignoreErrors" });
}

/**
 * A test of each screen, which opens it at each size in a page of its own; the second one finds scripts and styles in the
 * browser's cache. A trace of every one of these hundred pages would take a third of their time.
 */
export function testScreens(area: string, screens: readonly Screen[]): void {
  test.use({ trace: "off" });
  const lookAt = async (context: BrowserContext, screen: Screen, info: TestInfo): Promise<void> => {
    for (const size of ["wide", "narrow"] as const) {
      await test.step(size, async () => {
        const page = await context.newPage();
        await look(page, screen, size, info);
        await page.close();
      });
    }
  };
  for (const screen of screens) {
    const name = `${area}: ${screen.name}`;
    const tolerated = (tolerate: (pattern: RegExp) => void) => screen.expected && tolerate(screen.expected);
    if (screen.isStranger) {
      test(name, async ({ stranger, tolerate }, info) => {
        tolerated(tolerate);
        await lookAt(stranger.context(), screen, info);
      });
    } else {
      test(name, async ({ context, tolerate }, info) => {
        tolerated(tolerate);
        await lookAt(context, screen, info);
      });
    }
  }
}
