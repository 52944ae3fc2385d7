import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { TRACE_FORMATS } from "@/lib/catalogue/formats";
import { TASKS } from "@/lib/ingest/test-support/autocoderover-tasks";
import { FIXTURES as fixtures, fixturesOf } from "@/lib/ingest/test-support/fixtures";
import { type TrajectoryRow, uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { accessibilityFaults } from "./harness/accessibility";
import { uploadThroughPage, waitForImport } from "./harness/upload";
import { expect, test } from "./harness/watched-page";

/** The largest fixture of a format: what holds most. The others are read in the tests of formats. */
function largestFixture(format: string): string {
  const sizeOf = (file: string): number => statSync(file).size;
  const [largest = ""] = fixturesOf(format).sort((a, b) => sizeOf(b) - sizeOf(a));
  return path.relative(fixtures, largest);
}

test("every format can be picked, by its name and the endings of its files", async ({ page }) => {
  await page.goto("/");
  for (const { name, extensions } of TRACE_FORMATS) {
    await expect(page.getByText(`${name} ${extensions.join(", ")}`).first()).toBeAttached();
  }
});

for (const { id } of TRACE_FORMATS) {
  const file = largestFixture(id);
  test(`${file} is imported, opened and read to its end`, async ({ page }) => {
    const content = readFileSync(path.join(fixtures, file));
    const row = await uploadThroughPage(page, { name: path.basename(file), content });
    expect(row).toMatchObject({ status: "ready", format: { id } });
    await page.goto(`/t/${row.id}?turn=${row.turnCount}`);
    await expect(page.getByRole("heading", { level: 2, name: `#${row.turnCount}`, exact: true })).toBeVisible();
    await expect(page.locator("[data-item]").first()).toBeVisible();
  });
}

/** Chooses a folder with these files, as a person does, and waits until its import has ended. */
async function uploadFolder(
  page: Page,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<TrajectoryRow> {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), text);
  }
  await page.goto("/");
  const answered = page.waitForResponse((response) => response.url().includes("/api/v1/uploads"));
  await page.getByLabel("A folder of a trajectory").setInputFiles(folder);
  const answer = uploadAnswerSchema.parse(await (await answered).json());
  return waitForImport(page.request, answer.id);
}

test("a folder that is chosen is one upload: a task of AutoCodeRover, with its patch, its records and how it ended", async ({
  page,
}, info) => {
  const task = TASKS["solved.tar"] ?? {};
  const row = await uploadFolder(page, info.outputPath("run"), task);
  expect(row).toMatchObject({ status: "ready", name: "run.zip", turnCount: 5, format: { id: "autocoderover" } });

  await page.goto(`/t/${row.id}?turn=5&view=code`);
  await expect(page.getByText("return n / 2").first()).toBeVisible();
  await page.goto(`/t/${row.id}?turn=1&view=raw`);
  await expect(page.getByText(/conversation_round_10\.json, \/3/).first()).toBeVisible();
  await expect(page.getByText("search_class").first()).toBeVisible();

  await page.setViewportSize({ width: 1_440, height: 900 });
  await expect(page.getByRole("button", { name: /import notes?$/ })).toBeInViewport({ ratio: 1 });
  await page.getByRole("button", { name: "Failure report" }).click();
  const report = page.getByRole("dialog", { name: "How the run ended" });
  await expect(report.getByRole("heading", { name: "Reference patch" })).toBeVisible();
  await expect(report.getByText(/developer_patch\.diff/)).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /import notes?$/ }).click();
  const notes = page.getByRole("dialog", { name: "What the import says" });
  await expect(notes.getByRole("row", { name: /Files in the delivered patch 1 0 0/ })).toBeVisible();
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("a folder of several traces becomes a trajectory each, below the folder", async ({ page }, info) => {
  const chat = (word: string): string =>
    JSON.stringify([
      { role: "user", content: word },
      { role: "assistant", content: `I did ${word}.` },
    ]);
  const files = { "one.json": chat("this"), "deep/two.json": chat("that"), "readme.txt": "not a trace" };
  const row = await uploadFolder(page, info.outputPath(`several ${Date.now()}`), files);
  expect(row).toMatchObject({ status: "several", parts: { ready: 2, failed: 0 } });
  await page.goto(`/t/${row.id}`);
  await page
    .getByRole("link", { name: /two\.json/ })
    .first()
    .click();
  await expect(page.getByText("I did that.").first()).toBeVisible();
});

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
