import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { type Browser, type BrowserContext, chromium } from "@playwright/test";
import { chromiumArguments, findOrInstallChromium } from "../../bin/check/chromium.mjs";
import { cleanEnvironment, startProduct } from "../../bin/check/product.mjs";
import { withKeptEnvironment } from "../../bin/launch/environment.mjs";

/** Its own, so that a person's running product keeps its build. */
const BUILD_DIR = ".next-bench";
const VIEWPORT = { width: 1440, height: 900 };

/** A whole product with a browser that is signed in to it, on a data folder that is gone afterwards. */
export interface BenchProduct {
  origin: string;
  databaseUrl: string;
  /** A context that shares nothing with another but the session: its cache is cold. */
  newContext(): Promise<BrowserContext>;
  stop(): Promise<void>;
}

/**
 * Starts the production build as `npm start` does, and signs a browser in.
 * @param say what the launcher and the browser's installation print
 * @throws Refusal when the product does not come up or there is no Chromium
 */
export async function startBenchProduct(say: (line: string) => void): Promise<BenchProduct> {
  const root = path.resolve(import.meta.dirname, "..", "..");
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "misstep-bench-"));
  const env = cleanEnvironment(process.env);
  const chromiumPath = await findOrInstallChromium(root, env, say);
  const product = await startProduct({ root, env, dataDir, buildDir: BUILD_DIR, say });
  const browser = await chromium.launch({ executablePath: chromiumPath, args: chromiumArguments() });
  const state = await signIn(browser, product.link);
  return {
    origin: product.origin,
    databaseUrl: withKeptEnvironment({ ...env, MISSTEP_DATA_DIR: dataDir }, root).DATABASE_URL ?? "",
    newContext: () => browser.newContext({ baseURL: product.origin, storageState: state, viewport: VIEWPORT }),
    async stop() {
      await browser.close();
      await product.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function signIn(browser: Browser, link: string): Promise<Awaited<ReturnType<BrowserContext["storageState"]>>> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/");
  const state = await context.storageState();
  await context.close();
  return state;
}
