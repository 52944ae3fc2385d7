import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { shareCreatedSchema } from "@/lib/views/share";
import { listPageSchema } from "@/lib/views/trajectory-list";
import { accessibilityFaults } from "../harness/accessibility";
import { uploadThroughPage } from "../harness/upload";
import { expect, productOrigin, test } from "../harness/watched-page";
import { conversationsFile } from "./conversations";

const WORD = `curlew${Date.now() % 100_000}`;
const FILE = conversationsFile(WORD, ["one", null, "three", "four"]);

let id = "";
test.beforeAll(async ({ browser }) => {
  const page = await browser.newPage();
  const row = await uploadThroughPage(page, FILE);
  expect(row).toMatchObject({ status: "several", parts: { total: 4, ready: 3, failed: 1, waiting: 0 } });
  id = row.id;
  await page.close();
});

const rows = (page: Page) => page.locator("tr[data-row]");
const fileBar = (page: Page) => page.getByRole("navigation", { name: "File" });

test("a file of several is one row of the list, which says how many and what became of them, and opens the list of them", async ({
  page,
}) => {
  await page.goto("/");
  const row = rows(page).filter({ hasText: `${WORD}.jsonl` });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText("4 runs");
  await expect(row).toContainText("3 imported, 1 failed");
  await expect(page.getByText(`${WORD} one`)).toHaveCount(0);
  await row.getByRole("link", { name: `${WORD}.jsonl` }).click();

  await expect(page).toHaveURL(new RegExp(`/t/${id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${WORD}.jsonl`);
  await expect(page.getByText("4 trajectories")).toBeVisible();
  await expect(rows(page)).toHaveCount(3);
  expect(await page.locator("[data-row-link]").allTextContents()).toEqual([
    `${WORD} one`,
    `${WORD} three`,
    `${WORD} four`,
  ]);
  const failed = page.locator('tr[data-status="failed"]');
  await expect(failed).toContainText(/Line 2, byte \d+/);
  expect(await accessibilityFaults(page)).toEqual([]);
});

test("the page of a file sorts, filters and pages in its address, and a reload keeps it", async ({ page }) => {
  await page.goto(`/t/${id}`);
  await page.getByRole("button", { name: "Name" }).click();
  await expect(page).toHaveURL(new RegExp(`/t/${id}\\?sort=name&direction=ascending$`));
  await expect(page.locator("[data-row-link]").first()).toHaveText(`${WORD} four`);
  await page.getByRole("searchbox").fill("three");
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(/q=three/);
  await page.reload();
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: "Clear all" }).click();
  await expect(rows(page)).toHaveCount(3);
  await page.getByRole("button", { name: /^Import failed/ }).click();
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText("line 2");
});

test("a trajectory names its file, and leads to it and to the next and the previous one", async ({ page }) => {
  await page.goto(`/t/${id}`);
  await page.getByRole("link", { name: `${WORD} three` }).click();
  await expect(fileBar(page)).toContainText("3 of 4");
  await fileBar(page).getByRole("link", { name: "Next trajectory of the file" }).click();
  await expect(fileBar(page)).toContainText("4 of 4");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${WORD} four`);
  await expect(fileBar(page).getByRole("link", { name: "Next trajectory of the file" })).toHaveCount(0);
  for (const n of [3, 2]) {
    await fileBar(page).getByRole("link", { name: "Previous trajectory of the file" }).click();
    await expect(fileBar(page)).toContainText(`${n} of 4`);
  }
  // The one that could not be read has a page that says so, in the same place.
  await expect(page.getByText("The import failed.")).toBeVisible();
  await expect(page.getByText("malformed")).toBeVisible();
  await fileBar(page)
    .getByRole("link", { name: `${WORD}.jsonl` })
    .click();
  await expect(page).toHaveURL(new RegExp(`/t/${id}$`));
});

test("[ and ] step through the file, past one that failed, and keep the view; ? lists them", async ({ page }) => {
  await page.goto(`/t/${id}`);
  await page.getByRole("link", { name: `${WORD} three` }).click();
  await expect(page.getByText("I look into three.").first()).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toContainText("Next trajectory of the file");
  await page.keyboard.press("Escape");
  await page.keyboard.press("3");
  await expect(page).toHaveURL(/view=raw/);
  await page.keyboard.press("]");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${WORD} four`);
  await expect(page).toHaveURL(/\?view=raw$/);
  await expect(page.getByText('{"role":"assistant","content":"I look into four."}').first()).toBeVisible();
  await page.keyboard.press("]");
  await expect(page.getByText("This is the last trajectory of the file")).toBeVisible();
  await expect(fileBar(page)).toContainText("4 of 4");
  for (const n of [3, 2]) {
    await page.keyboard.press("[");
    await expect(fileBar(page)).toContainText(`${n} of 4`);
  }
  await expect(page.getByText("The import failed.")).toBeVisible();
  await page.keyboard.press("?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toContainText("Previous trajectory of the file");
  await page.keyboard.press("Escape");
  await page.keyboard.press("[");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(`${WORD} one`);
  await page.goBack();
  await expect(fileBar(page)).toContainText("2 of 4");
});

test("a link to one of the file has no way to the others, by keys neither", async ({ page }) => {
  const list = listPageSchema.parse(await (await page.request.get(`/api/v1/trajectories?file=${id}`)).json());
  const one = list.rows.find(({ name }) => name === `${WORD} three`);
  const made = await page.request.post(`/api/v1/trajectories/${one?.id}/shares`, {
    headers: { origin: productOrigin() },
    data: { days: 1 },
  });
  const { path } = shareCreatedSchema.parse(await made.json());
  await page.goto(`${path}?turn=2`);
  await expect(page.getByText("The test of three expects the old order.").first()).toBeVisible();
  const place = page.url();
  await expect(fileBar(page)).toHaveCount(0);
  await page.keyboard.press("]");
  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keys" });
  await expect(keys).toContainText("Next turn");
  await expect(keys).not.toContainText("trajectory of the file");
  expect(page.url()).toBe(place);
});

test("words and a filter in the address of the list find them, with the name of their file", async ({ page }) => {
  await page.goto(`/?q=${WORD}%20th`);
  await expect(rows(page)).toHaveCount(1);
  await expect(rows(page)).toContainText(`${WORD} threein ${WORD}.jsonl`);
  await page.goto(`/?file=${id}`);
  await expect(rows(page)).toHaveCount(3);
  await expect(page.getByText(`Fileis${WORD}.jsonl`)).toBeVisible();
  await page.getByRole("button", { name: "Remove filter File" }).click();
  await expect(page).not.toHaveURL(/file=/);
});

test("the file comes back as it was sent, also for one of its trajectories", async ({ page }) => {
  await page.goto(`/t/${id}`);
  const whole = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download file" }).click();
  const download = await whole;
  expect(download.suggestedFilename()).toBe(FILE.name);
  expect(await readFile(await download.path(), "utf8")).toBe(FILE.content);

  const list = listPageSchema.parse(await (await page.request.get(`/api/v1/trajectories?file=${id}`)).json());
  const again = await page.request.get(`/api/v1/trajectories/${list.rows[2]?.id}/upload`);
  expect(again.headers()["content-disposition"]).toContain(FILE.name);
  expect(await again.text()).toBe(FILE.content);
});

test("what a turn was made from is shown from its place in the file", async ({ page }) => {
  await page.goto(`/t/${id}`);
  await page.getByRole("link", { name: `${WORD} four` }).click();
  await expect(page.getByText("I look into four.").first()).toBeVisible();
  await page.keyboard.press("3");
  await expect(page.getByText('{"role":"assistant","content":"I look into four."}').first()).toBeVisible();
});

test("the routes for scripts say it too; a file of several is not shared", async ({ page }) => {
  const headers = { origin: productOrigin() };
  const api = `/api/v1/trajectories/${id}`;
  expect(await (await page.request.get(api)).json()).toMatchObject({
    row: { status: "several", parts: { total: 4, ready: 3, failed: 1, waiting: 0 }, file: null },
    run: null,
    notes: [],
  });
  const list = await (await page.request.get(`/api/v1/trajectories?file=${id}`)).json();
  expect(list).toMatchObject({ total: 4, matching: 3, file: { id }, counts: { failedImports: 1 } });
  const [, three] = list.rows;
  expect(await (await page.request.get(`/api/v1/trajectories/${three.id}`)).json()).toMatchObject({
    row: { file: { id, name: FILE.name, index: 2, total: 4 } },
    neighbours: { previous: expect.any(String), next: list.rows[2].id },
  });
  const share = await page.request.post(`${api}/shares`, { headers });
  expect(share.status()).toBe(409);
  expect((await share.json()).error.message).toContain("This file holds 4 trajectories");
  const again = await page.request.post(`/api/v1/uploads?name=again.jsonl`, {
    headers,
    data: Buffer.from(FILE.content),
  });
  expect(await again.json()).toMatchObject({ id, duplicate: true, partCount: 4 });
});
