import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { failureViewSchema } from "@/lib/views/failure";
import { shareCreatedSchema } from "@/lib/views/share";
import { uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { shopRun } from "./forensics/runs";
import { makeApiKey, misstep } from "./harness/command-line";
import { checkLayout } from "./harness/layout";
import { uploadThroughPage, waitForImport } from "./harness/upload";
import { expect, productOrigin, test } from "./harness/watched-page";
import { trace, traceFile } from "./list/traces";
import { conversationsFile } from "./several/conversations";

test.use({ viewport: { width: 1440, height: 1000 } });

const EDIT = /^(Add or change|Say how it ended)$/;
const dialogOf = (page: Page) => page.getByRole("dialog", { name: "How the run ended" });
const row = (page: Page, name: string) => page.getByRole("row").filter({ hasText: name });
const input = (page: Page) => page.getByLabel("Trajectory files");

/** A secret that only the words around it show, put together here. */
const password = (): string => `${randomBytes(8).toString("hex")}aB3`;

test("what a person says is kept, changes list and verdict, goes with a link masked, and can be taken back", async ({
  page,
  stranger,
}) => {
  const word = `lapwing-${Date.now()}`;
  const { id } = await uploadThroughPage(page, { name: `${word}.traj`, content: shopRun(word) });
  await page.goto(`/t/${id}?turn=2`);
  await expect(page.getByText("If the run failed, by the structural rule")).toBeVisible();
  await page.getByRole("button", { name: "How did the run end?" }).click();
  const dialog = dialogOf(page);
  await expect(dialog.getByText("How the run ended is not known")).toBeVisible();
  await checkLayout(page);
  await dialog.getByRole("button", { name: EDIT }).click();
  await checkLayout(page);

  // Typed, dropped and chosen; Esc does not lose it.
  const secret = password();
  await dialog.getByRole("button", { name: "Resolved" }).click();
  await dialog.getByLabel("Error report", { exact: true }).fill("FAILED tests/test_price.py::test_count");
  await dialog.getByLabel("File for: Failing test", { exact: true }).setInputFiles({
    ...{ name: "test_price.py", mimeType: "text/x-python" },
    buffer: Buffer.from(`DB_PASSWORD=${secret}\ndef test_count(): ...\n`),
  });
  await expect(dialog.getByLabel("Failing test", { exact: true })).toHaveValue(/def test_count/);
  await page.keyboard.press("Escape");
  await expect(dialog.getByRole("alert")).toContainText("This is not saved yet.");
  await dialog.getByRole("button", { name: "Keep editing" }).click();
  await dialog.getByLabel("Error report", { exact: true }).press("Control+Enter");
  await expect(dialog.getByText("The task was resolved")).toBeVisible();
  await expect(dialog.getByText(/^given by .+ UTC$/)).toHaveCount(3);
  await checkLayout(page);
  await page.keyboard.press("Escape");

  // The outcome stands at once; the page turns into the new reading, whose verdict hangs on it.
  await expect(
    page
      .getByRole("main")
      .getByText(/^Resolved/)
      .first(),
  ).toBeVisible();
  await waitForImport(page.request, id);
  await expect(page.getByText("If the run failed, by the structural rule")).toHaveCount(0, { timeout: 20_000 });
  await page.reload();
  await page.getByRole("button", { name: "Failure report" }).click();
  await expect(dialog.getByRole("region", { name: "Error report" })).toContainText("test_count");
  await page.keyboard.press("Escape");
  await page.goto(`/?q=${word}&outcome=resolved`);
  await expect(row(page, word)).toHaveCount(1);

  // A link holds what was said when it was made, masked, and lets nobody say anything.
  const made = await page.request.post(`/api/v1/trajectories/${id}/shares`, {
    ...{ data: {}, headers: { origin: productOrigin() } },
  });
  const { path } = shareCreatedSchema.parse(await made.json());
  await stranger.setViewportSize({ width: 1440, height: 1000 });
  await stranger.goto(`${path}?turn=2`);
  await stranger.getByRole("button", { name: "Failure report" }).click();
  const shared = dialogOf(stranger);
  const test = shared.getByRole("region", { name: "Failing test" });
  await expect(test).toContainText("DB_PASSWORD=[redacted:");
  await expect(test).not.toContainText(secret);
  await expect(shared.getByText(/^given by a person, /)).toHaveCount(3);
  await expect(shared.getByRole("button", { name: EDIT })).toHaveCount(0);
  await checkLayout(stranger);
  const token = path.slice("/s/".length);
  const refused = await stranger.request.put(`/api/v1/shared/${token}/failure`, {
    ...{ data: { errorReport: "theirs" }, headers: { origin: productOrigin() } },
  });
  expect(refused.status()).toBe(405);

  // Taken back: the trace's own word counts again, in the list and for the rule; the link stays as it was.
  await page.goto(`/t/${id}?turn=2`);
  await page.getByRole("button", { name: "Failure report" }).click();
  await dialog.getByRole("button", { name: EDIT }).click();
  await dialog.getByRole("button", { name: "Not known" }).click();
  await dialog.getByLabel("Error report", { exact: true }).fill("");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByText("How the run ended is not known")).toBeVisible();
  await page.keyboard.press("Escape");
  await waitForImport(page.request, id);
  await expect(page.getByText("If the run failed, by the structural rule")).toBeVisible({ timeout: 20_000 });
  await page.goto(`/?q=${word}&outcome=resolved`);
  await expect(page.getByText("Nothing matches")).toBeVisible();
  const after = await stranger.request.get(`/api/v1/shared/${token}/failure`);
  expect(failureViewSchema.parse(await after.json())).toMatchObject({ outcome: { value: "resolved" } });
});

test("what is said beside the drop zone goes with the next file, also with bytes that are there, and with no other", async ({
  page,
}) => {
  const word = `avocet-${Date.now()}`;
  await page.goto("/");
  await page.getByRole("button", { name: "What is known about the failure" }).click();
  const panel = page.getByRole("region", { name: "What is known about the failure" });
  await panel.getByRole("button", { name: "Failed" }).click();
  await panel.getByLabel("Error report", { exact: true }).fill("E   assert 3 == 4");
  const report = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(["Split a bill evenly.\n"], "task.txt"));
    return data;
  });
  const task = panel.getByLabel("Task statement", { exact: true });
  for (const type of ["dragenter", "dragover", "drop"]) await task.dispatchEvent(type, { dataTransfer: report });
  await expect(task).toHaveValue("Split a bill evenly.\n");
  await expect(page.getByText("Drop to upload")).toHaveCount(0);
  const content = trace({ mark: word });
  const payload = (name: string) => [{ name, mimeType: "application/octet-stream", buffer: Buffer.from(content) }];
  await input(page).setInputFiles(payload(`${word}.traj`));
  await expect(panel).toHaveCount(0);
  const ready = row(page, word).filter({ hasText: "Ready" });
  await expect(ready).toHaveCount(1, { timeout: 45_000 });
  await ready.getByRole("link", { name: `${word}.traj` }).click();
  await page.getByRole("button", { name: "Failure report" }).click();
  await expect(dialogOf(page).getByText("The run failed")).toBeVisible();
  await expect(dialogOf(page).getByRole("region", { name: "Task statement" })).toContainText("Split a bill evenly.");
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";

  // The same bytes again, with another report: it is said about the run that is there.
  await page.goto("/");
  await page.getByRole("button", { name: "What is known about the failure" }).click();
  await panel.getByLabel("Error report", { exact: true }).fill("E   assert 5 == 6");
  await input(page).setInputFiles(payload(`${word}-again.traj`));
  await expect(row(page, `${word}-again`)).toContainText("what you said about the failure stands there now");
  const known = await page.request.get(`/api/v1/trajectories/${id}/failure`);
  const view = failureViewSchema.parse(await known.json());
  expect(view.texts.find(({ what }) => what === "errorReport")).toMatchObject({ text: "E   assert 5 == 6" });
  expect(view.outcome).toMatchObject({ value: "failed", source: "person" });

  // The file after it takes nothing along.
  const next = traceFile(`${word}-next.traj`, { mark: `${word} next` });
  const other = await uploadThroughPage(page, next);
  const untouched = await page.request.get(`/api/v1/trajectories/${other.id}/failure`);
  expect(failureViewSchema.parse(await untouched.json()).outcome.source).not.toBe("person");
});

test("a file with several trajectories takes none of what is sent with it, and its page says so", async ({ page }) => {
  const word = `dunlin-${Date.now()}`;
  const file = conversationsFile(word, ["one", "two"]);
  await page.goto("/");
  await page.getByRole("button", { name: "What is known about the failure" }).click();
  const panel = page.getByRole("region", { name: "What is known about the failure" });
  await expect(panel).toContainText("A file that holds several trajectories takes none of it.");
  await panel.getByLabel("Reference patch", { exact: true }).fill("--- a/x\n+++ b/x\n");
  const uploaded = await uploadThroughPage(page, file);
  expect(uploaded.status).toBe("several");
  await page.goto(`/t/${uploaded.id}`);
  await expect(page.getByText("said about the failure with this file applies to none")).toBeVisible();
  await checkLayout(page);
});

test("the command line sends what is known about the failure with a file", async ({ page }, info) => {
  const word = `whimbrel-${Date.now()}`;
  const put = (name: string, text: string): string => {
    const at = info.outputPath(name);
    writeFileSync(at, text);
    return at;
  };
  const file = put(`${word}.traj`, trace({ mark: word }));
  const key = await makeApiKey();
  const known = ["--outcome", "failed", "--error-report", put("report.txt", "E   assert 3 == 4 \u00e9")];
  const { stdout, stderr, code } = await misstep(["upload", file, "--token", key, "--json", ...known]);
  expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
  const { id } = uploadAnswerSchema.parse(JSON.parse(stdout));
  expect((await waitForImport(page.request, id)).outcome).toBe("failed");
  const answer = await page.request.get(`/api/v1/trajectories/${id}/failure`);
  const view = failureViewSchema.parse(await answer.json());
  expect(view.texts.find(({ what }) => what === "errorReport")).toMatchObject({ text: "E   assert 3 == 4 \u00e9" });
});
