import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { TRACE_FORMATS } from "@/lib/catalogue/formats";
import { uploadThroughPage } from "./harness/upload";
import { expect, test } from "./harness/watched-page";

const fixtures = path.join(import.meta.dirname, "..", "lib", "ingest", "formats", "fixtures");

/** The largest fixture of each version of a format: what holds most. */
function largestFixtures(format: string): string[] {
  return readdirSync(path.join(fixtures, format), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name: version }) => {
      const files = readdirSync(path.join(fixtures, format, version)).filter(
        (file) => !file.endsWith(".expected.json"),
      );
      const sizeOf = (file: string): number => readFileSync(path.join(fixtures, format, version, file)).length;
      const largest = files.sort((a, b) => sizeOf(b) - sizeOf(a))[0];
      return largest === undefined ? [] : [path.join(format, version, largest)];
    });
}

test("every format can be picked, by its name and the endings of its files", async ({ page }) => {
  await page.goto("/");
  for (const { name, extensions } of TRACE_FORMATS) {
    await expect(page.getByText(`${name} ${extensions.join(", ")}`).first()).toBeAttached();
  }
});

for (const { id, name: format } of TRACE_FORMATS) {
  for (const file of largestFixtures(id)) {
    test(`${file} is imported, opened and read to its end`, async ({ page }) => {
      const content = readFileSync(path.join(fixtures, file));
      const row = await uploadThroughPage(page, { name: path.basename(file), content });
      expect(row).toMatchObject({ status: "ready", format: { id } });
      await page.goto(`/t/${row.id}?turn=${row.turnCount}`);
      await expect(page.getByText(format).first()).toBeVisible();
      await expect(page.getByRole("heading", { level: 2, name: `#${row.turnCount}`, exact: true })).toBeVisible();
      await expect(page.locator("[data-item]").first()).toBeVisible();
    });
  }
}

test("a run that the model never answered opens without turns, in every view", async ({ page }) => {
  const file = path.join("mini-swe-agent", "2.x", "without-turns.traj.json");
  const row = await uploadThroughPage(page, {
    name: path.basename(file),
    content: readFileSync(path.join(fixtures, file)),
  });
  expect(row).toMatchObject({ status: "ready", turnCount: 0 });
  for (const view of ["code", "files", "raw"]) {
    // What fails to load is an error on the console, which fails the test.
    await page.goto(`/t/${row.id}?view=${view}`, { waitUntil: "networkidle" });
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  }
  await page
    .getByRole("button", { name: "Open Task" })
    .or(page.getByRole("link", { name: "Open Task" }))
    .first()
    .click();
  await expect(page.getByText("Consider the following PR description").first()).toBeVisible();
});
