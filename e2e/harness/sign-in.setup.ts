import path from "node:path";
import { expect, test } from "./watched-page";

const folder = process.env.MISSTEP_TEST_FOLDER ?? ".test";

test("the one-time link signs in by its button, and leaves a clean address", async ({ page }) => {
  const link = process.env.MISSTEP_TEST_LINK;
  if (!link) throw new Error("MISSTEP_TEST_LINK is not set: run `npm test -- e2e`, which starts the product first");
  await page.goto(link);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/" && url.search === "");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await page.context().storageState({ path: path.join(folder, "signed-in.json") });
});
