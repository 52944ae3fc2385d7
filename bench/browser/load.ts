import type { BrowserContext, CDPSession, Page } from "@playwright/test";

/** What one load of a page cost. Sizes are bytes on the wire, compressed, with their headers, until the text was there. */
export interface Load {
  /** From the start of the navigation to the frame after the text stood in the page. */
  visibleMs: number;
  wireBytes: number;
  scriptBytes: number;
  /** The largest answer of /api, not compressed. */
  largestAnswerBytes: number;
  elements: number;
}

/** Where the text must stand, as a selector, so that a list or a script that holds it too does not count. */
export interface Goal {
  path: string;
  within: string;
  text: string;
}

/**
 * Opens a page in a new context with a cold cache, as somebody does who is sent a link, and waits for a text.
 * `keep` runs on the open page before it is closed.
 */
export async function measureLoad(
  newContext: () => Promise<BrowserContext>,
  goal: Goal,
  keep: (page: Page) => Promise<void> = async () => undefined,
): Promise<Load> {
  const context = await newContext();
  try {
    const page = await context.newPage();
    const wire = await watchWire(await context.newCDPSession(page));
    await page.addInitScript({ content: WATCH });
    await page.goto(goal.path, { waitUntil: "commit" });
    const { within, text } = goal;
    const visibleMs = await page.evaluate((one) => globalThis.misstepSeen(one), { within, text });
    await page.waitForLoadState("networkidle");
    const elements = await page.evaluate(() => document.getElementsByTagName("*").length);
    const sizes = wire.sizes();
    await keep(page);
    return { visibleMs, ...sizes, elements };
  } finally {
    await context.close();
  }
}

declare global {
  /** Waits in the page for a text, and says when the frame that holds it was painted: by the page's own clock. */
  var misstepSeen: (goal: Omit<Goal, "path">) => Promise<number>;
  /** When the last key was pressed, by the same clock. */
  var misstepPressedMs: number;
}

/**
 * Looks once a frame, so a figure is a frame's; what a frame holds is painted when the next one begins. A text and not a
 * function: what compiles this file puts calls into functions that a page does not know.
 */
const WATCH = `globalThis.misstepSeen = ({ within, text }) => new Promise((resolve) => {
  requestAnimationFrame(function look() {
    const found = [...document.querySelectorAll(within)].some((element) => element.textContent.includes(text));
    requestAnimationFrame(found ? resolve : look);
  });
});
addEventListener("keydown", (event) => void (globalThis.misstepPressedMs = event.timeStamp), true);`;

/** Presses a key on an open page: milliseconds from the key to the frame with the text. */
export async function measureKey(page: Page, key: string, goal: Omit<Goal, "path">): Promise<number> {
  const seen = page.evaluate((one) => globalThis.misstepSeen(one), goal);
  await page.keyboard.press(key);
  const seenMs = await seen;
  return seenMs - (await page.evaluate(() => globalThis.misstepPressedMs));
}

async function watchWire(session: CDPSession): Promise<{ sizes(): Omit<Load, "visibleMs" | "elements"> }> {
  const kinds = new Map<string, { type: string; isApi: boolean; decoded: number; wire: number }>();
  session.on("Network.responseReceived", ({ requestId, type, response }) => {
    kinds.set(requestId, { type, isApi: new URL(response.url).pathname.startsWith("/api/"), decoded: 0, wire: 0 });
  });
  session.on("Network.dataReceived", ({ requestId, dataLength }) => {
    const kind = kinds.get(requestId);
    if (kind) kind.decoded += dataLength;
  });
  session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const kind = kinds.get(requestId);
    if (kind) kind.wire = encodedDataLength;
  });
  await session.send("Network.enable");
  return {
    sizes() {
      const all = [...kinds.values()];
      const wireOf = (some: typeof all): number => some.reduce((sum, one) => sum + one.wire, 0);
      return {
        wireBytes: wireOf(all),
        scriptBytes: wireOf(all.filter((one) => one.type === "Script")),
        largestAnswerBytes: Math.max(0, ...all.filter((one) => one.isApi).map((one) => one.decoded)),
      };
    },
  };
}
