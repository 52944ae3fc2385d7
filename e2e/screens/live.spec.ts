import type { Page } from "@playwright/test";
import { listPageSchema } from "@/lib/views/trajectory-list";
import { shopRun } from "../forensics/runs";
import { expect, test } from "../harness/watched-page";
import { trace } from "../list/traces";
import { changeStored, made, readStored } from "./made";
import { expectSteady, forgetShifts, watchShifts } from "./shifts";

const LIST = /\/api\/v1\/trajectories(\?.*)?$/;
const SIZES = [
  { width: 1_440, height: 1_000 },
  { width: 390, height: 844 },
];

let mark = "";
let shop = "";
const rows = new Map<string, string>();

test.beforeAll(async ({ playwright }, info) => {
  const { baseURL, storageState } = info.project.use;
  const request = await playwright.request.newContext({ baseURL, storageState });
  mark = `dunlin-${Date.now()}`;
  for (const name of ["a", "b", "c", "d", "e"]) {
    rows.set(name, (await made(request, `${mark}-${name}.traj`, trace({ mark: mark + name }))).id);
  }
  shop = (await made(request, "live.traj", shopRun(mark))).id;
  await request.dispose();
});

test.afterEach(({ page }) => page.unrouteAll({ behavior: "ignoreErrors" }));

/** A worker is done before anybody has looked: the steps of an import are written by the test, one at a time. */
const STEPS = {
  queued: `"status" = 'queued', "progress" = NULL`,
  reading: `"status" = 'importing', "progress" = '{"phase": "reading", "done": 38000000, "total": 88400000, "turns": 2612}'`,
  storing: `"status" = 'importing', "progress" = '{"phase": "storing", "done": 0, "total": 0, "turns": 2612}'`,
  failed: `"status" = 'failed', "progress" = NULL, "failure" = '{"code": "malformed", "message":
    "the JSON ends inside a string that began 41,120,338 bytes into the file", "byte": 41120338, "line": 18204, "pointer": null}'`,
  ready: `"status" = 'ready', "progress" = NULL, "failure" = NULL`,
} as const;

const step = (id: string | undefined, to: keyof typeof STEPS): Promise<void> =>
  changeStored(`UPDATE "Trajectory" SET ${STEPS[to]} WHERE "id" = $1`, [id ?? ""]);

/** As if the import had not been made yet; gives back what undoes it. */
async function withoutImport(id: string): Promise<() => Promise<void>> {
  const importId = await readStored(`SELECT "currentImportId" FROM "Trajectory" WHERE "id" = $1`, [id]);
  await changeStored(`UPDATE "Trajectory" SET "currentImportId" = NULL, ${STEPS.queued} WHERE "id" = $1`, [id]);
  return () =>
    changeStored(`UPDATE "Trajectory" SET "currentImportId" = $2, ${STEPS.ready} WHERE "id" = $1`, [id, importId]);
}

/**
 * Opens the list of this file's rows. Rows above the results are shown whatever the filters, and those of other tests
 * come and go: they are left out.
 */
async function openList(page: Page): Promise<void> {
  let answered = 0;
  await page.route(LIST, async (route) => {
    const response = await route.fetch();
    const list = listPageSchema.parse(await response.json());
    const pinned = list.pinned.filter(({ name }) => name.startsWith(mark));
    await route.fulfill({ response, json: { ...list, pinned, pinnedTotal: pinned.length } });
    answered += 1;
  });
  await page.goto(`/?q=${mark}`);
  await expect.poll(() => answered).toBeGreaterThan(0);
  await forgetShifts(page);
}

for (const size of SIZES) {
  test(`a row goes from queued to ready by itself, and nothing jumps, ${size.width}`, async ({ page }) => {
    await page.setViewportSize(size);
    await watchShifts(page);
    await step(rows.get("e"), "queued");
    await openList(page);
    const row = page.getByRole("row").filter({ hasText: `${mark}-e.traj` });
    await expect(row).toContainText("Queued");
    await step(rows.get("e"), "reading");
    await expect(row).toContainText("Importing 42 %");
    await step(rows.get("e"), "storing");
    await expect(row).toContainText("storing the result");
    await step(rows.get("e"), "ready");
    await expect(page.locator("tr[data-row]").filter({ hasText: `${mark}-e.traj` })).toBeVisible();
    await expectSteady(page);
  });

  test(`a row that fails says so where it stands, ${size.width}`, async ({ page }) => {
    await page.setViewportSize(size);
    await watchShifts(page);
    await step(rows.get("d"), "reading");
    await openList(page);
    const row = page.getByRole("row").filter({ hasText: `${mark}-d.traj` });
    await expect(row).toContainText("Importing 42 %");
    await step(rows.get("d"), "failed");
    await expect(row).toContainText("Import failed");
    await expect(row.getByRole("link", { name: `Download the upload ${mark}-d.traj` })).toBeVisible();
    await expectSteady(page);
    await step(rows.get("d"), "ready");
  });

  test(`the page of an import turns into the run by itself, and nothing jumps, ${size.width}`, async ({ page }) => {
    await page.setViewportSize(size);
    await watchShifts(page);
    const finish = await withoutImport(shop);
    await page.goto(`/t/${shop}`);
    await expect(page.getByText("Waiting for its turn in the queue.")).toBeVisible();
    await step(shop, "reading");
    await expect(page.getByText("38.0 MB of 88.4 MB read, 2,612 turns so far", { exact: false })).toBeVisible();
    await finish();
    await expect(page.getByRole("heading", { level: 2, name: "#4", exact: true })).toBeVisible();
    await expectSteady(page);
  });

  test(`a new import of an open run is said, and nothing jumps, ${size.width}`, async ({ page }) => {
    await page.setViewportSize(size);
    await watchShifts(page);
    await step(shop, "queued");
    await page.goto(`/t/${shop}?turn=7`);
    await expect(page.getByText("New import.")).toBeVisible();
    await step(shop, "reading");
    await expect(page.getByText("38.0 MB of 88.4 MB read", { exact: false })).toBeVisible();
    await step(shop, "failed");
    await expect(page.getByText("The new import failed.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Import again" })).toBeVisible();
    await step(shop, "ready");
    await expectSteady(page);
  });
}

test("an attached baseline brings its new import to the page by itself", async ({ page }) => {
  await page.setViewportSize({ width: 1_440, height: 1_000 });
  await watchShifts(page);
  await page.goto(`/t/${shop}?turn=2`);
  await page.getByRole("button", { name: "Attach baseline" }).click();
  const dialog = page.getByRole("dialog", { name: "Attach baseline" });
  await dialog
    .getByLabel("Files, or a zip")
    .setInputFiles([
      { name: "README.md", mimeType: "text/markdown", buffer: Buffer.from("# Shop\n\nA small shop.\n") },
    ]);
  await dialog.getByRole("button", { name: "Attach", exact: true }).click();
  await expect(page.getByRole("button", { name: "Baseline attached" })).toBeVisible({ timeout: 45_000 });
  await expectSteady(page);
});

test("a page that nobody looks at asks nothing, and catches up when somebody does", async ({ page }) => {
  await step(rows.get("c"), "reading");
  await openList(page);
  const row = page.getByRole("row").filter({ hasText: `${mark}-c.traj` });
  await expect(row).toContainText("Importing 42 %");
  const see = (state: string): Promise<void> =>
    page.evaluate((seen) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => seen });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
  await see("hidden");
  await step(rows.get("c"), "ready");
  // What was under way when the window was hidden is over when the clock has gone on.
  await page.clock.install();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.clock.fastForward(120_000);
  expect(asked.filter((url) => url.includes("/api/v1/trajectories"))).toEqual([]);
  await see("visible");
  await expect(page.locator("tr[data-row]").filter({ hasText: `${mark}-c.traj` })).toBeVisible();
});

test("a list without its server says so, and goes on when it is back", async ({ page, tolerate }) => {
  tolerate(/ERR_INTERNET_DISCONNECTED/);
  await step(rows.get("b"), "reading");
  await page.goto(`/?q=${mark}`);
  const row = page.getByRole("row").filter({ hasText: `${mark}-b.traj` });
  await expect(row).toContainText("Importing 42 %");
  await page.context().setOffline(true);
  await expect(page.getByText("Not updating.")).toBeVisible();
  await step(rows.get("b"), "ready");
  await page.context().setOffline(false);
  await expect(page.locator("tr[data-row]").filter({ hasText: `${mark}-b.traj` })).toBeVisible();
  await expect(page.getByText("Not updating.")).toHaveCount(0);
});
