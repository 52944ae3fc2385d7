import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { UPLOAD_MAX_BYTES } from "@/lib/catalogue/limits";
import { listPageSchema } from "@/lib/views/trajectory-list";
import { expect, test } from "../harness/watched-page";
import { asPayload, brokenFile, trace, traceFile } from "./traces";

/** An import waits behind those of other tests. */
const IMPORT_PATIENCE = { timeout: 90_000 };

const input = (page: Page) => page.getByLabel("Trajectory files");
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const ready = (page: Page, name: string) => row(page, name).filter({ hasText: "Ready" });

test("many files at once become rows, and then trajectories", async ({ page }) => {
  const names = Array.from({ length: 8 }, (_, i) => `many-${Date.now()}-${i}.traj`);
  await page.goto("/");
  await input(page).setInputFiles(asPayload(names.map((name) => traceFile(name, { mark: name, reads: 3 }))));
  for (const name of names) await expect(row(page, name)).toHaveCount(1);
  for (const name of names) await expect(ready(page, name)).toHaveCount(1, IMPORT_PATIENCE);
  const first = ready(page, names[0] ?? "");
  await expect(first).toContainText("SWE-agent");
  await expect(first.getByRole("cell").nth(6)).toHaveText(/^5/);
  await expect(page.getByText("In progress")).toHaveCount(0);
});

test("files can be dropped anywhere on the page", async ({ page }) => {
  await page.goto("/");
  const word = `dropped-${Date.now()}`;
  const text = trace({ mark: word });
  const transfer = await page.evaluateHandle(
    ({ content, name }) => {
      const data = new DataTransfer();
      data.items.add(new File([content], name));
      return data;
    },
    { content: text, name: `${word}.traj` },
  );
  await page.locator("h1").dispatchEvent("dragenter", { dataTransfer: transfer });
  await expect(page.getByText("Drop to upload")).toBeVisible();
  await page.locator("h1").dispatchEvent("drop", { dataTransfer: transfer });
  await expect(page.getByText("Drop to upload")).toHaveCount(0);
  await expect(ready(page, word)).toHaveCount(1, IMPORT_PATIENCE);
});

test("the same bytes again are said to be here, with a link to the first", async ({ page }) => {
  await page.goto("/");
  const [first, second] = [`first-${Date.now()}.traj`, `second-${Date.now()}.traj`];
  const content = trace({ mark: first });
  await input(page).setInputFiles(asPayload([{ name: first, content }]));
  await expect(ready(page, first)).toHaveCount(1, IMPORT_PATIENCE);
  const href = await row(page, first).getByRole("link", { name: first }).getAttribute("href");

  await input(page).setInputFiles(asPayload([{ name: second, content }]));
  const again = row(page, second);
  await expect(again).toContainText("Already here");
  await expect(again.getByRole("link", { name: "Open the first" })).toHaveAttribute("href", href ?? "none");
  await again.getByRole("button", { name: `Dismiss ${second}` }).click();
  await expect(again).toHaveCount(0);
});

test("a failed import says why and where, gives the upload back byte for byte, and can be tried again", async ({
  page,
}) => {
  const name = `cut-off-${Date.now()}.traj`;
  const file = brokenFile(name, name);
  await page.goto("/?outcome=resolved");
  await input(page).setInputFiles(asPayload([file]));
  const failed = row(page, name);
  await expect(failed).toContainText("Import failed", IMPORT_PATIENCE);
  await expect(failed).toContainText(/(line|byte) [\d,]+/i);

  const downloading = page.waitForEvent("download");
  await failed.getByRole("link", { name: `Download the upload ${name}` }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(name);
  expect(await readFile(await download.path(), "utf8")).toBe(file.content);

  const retried = page.waitForResponse((response) => response.url().endsWith("/retry"));
  await failed.getByRole("button", { name: `Retry ${name}` }).click();
  expect((await retried).ok()).toBe(true);
  await expect(failed).toContainText("Import failed", IMPORT_PATIENCE);
});

test("what can never arrive is refused before a byte is sent", async ({ page }) => {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/v1/uploads")) sent.push(request.url());
  });
  await page.goto("/");
  await expect(page.getByRole("region", { name: "Upload" })).toContainText(`${UPLOAD_MAX_BYTES / 1024 / 1024} MiB`);
  await input(page).setInputFiles(asPayload([{ name: "empty.traj", content: "" }]));
  await expect(row(page, "empty")).toContainText("The file is empty.");
  await row(page, "empty").getByRole("button", { name: "Dismiss empty.traj" }).click();
  await expect(row(page, "empty")).toHaveCount(0);
  expect(sent).toEqual([]);
});

test("a large upload shows the bytes that have left, asks before the page is left, and can be cancelled", async ({
  page,
  tolerate,
}) => {
  // The question about leaving is a dialog, and the test wants it.
  tolerate(/^dialog: /);
  await page.goto("/");
  // The server gets nothing for now, so the upload stands still.
  await page.route("**/api/v1/uploads?*", () => undefined);
  await input(page).setInputFiles(
    asPayload([{ name: "large.traj", content: trace({ mark: "large", padding: 8_000_000 }) }]),
  );
  const large = row(page, "large.traj");
  await expect(large.getByRole("progressbar", { name: "Upload of large.traj" })).toBeVisible();
  await expect(large).toContainText(/of 8\.0 MB|sent/);

  const asked = page.waitForEvent("dialog");
  await page.locator("h1").click();
  void page.reload().catch(() => undefined);
  expect((await asked).type()).toBe("beforeunload");

  await large.getByRole("button", { name: "Cancel large.traj" }).click();
  await expect(large).toHaveCount(0);
  await page.unroute("**/api/v1/uploads?*");
  await page.reload();
  // Other tests upload at the same time, so the cancelled one is looked for by its name.
  const list = listPageSchema.parse(await (await page.request.get("/api/v1/trajectories?q=large.traj")).json());
  expect([...list.rows, ...list.pinned].filter((each) => each.name === "large.traj")).toEqual([]);
});

test("a broken connection is said, and the file can be sent again", async ({ page, tolerate }) => {
  tolerate(/ERR_FAILED|ERR_CONNECTION/);
  await page.goto("/");
  const name = `interrupted-${Date.now()}.traj`;
  await page.route("**/api/v1/uploads?*", (route) => route.abort("connectionreset"));
  await input(page).setInputFiles(asPayload([traceFile(name, { mark: name })]));
  const line = row(page, name);
  await expect(line).toContainText("Upload failed");
  await expect(line).toContainText("The connection broke");
  await page.unroute("**/api/v1/uploads?*");
  await line.getByRole("button", { name: `Retry ${name}` }).click();
  await expect(ready(page, name)).toHaveCount(1, IMPORT_PATIENCE);
});
