import { type APIRequestContext, type Browser, expect, type Page } from "@playwright/test";
import { z } from "zod";
import {
  type TrajectoryRow,
  trajectoryRowSchema,
  type UploadAnswer,
  uploadAnswerSchema,
} from "@/lib/views/trajectory-list";
import { untilAlive } from "./alive";

/** A file that is made for a test. */
export interface TestFile {
  name: string;
  content: string | Buffer;
}

const rowAnswerSchema = z.object({ row: trajectoryRowSchema });

/**
 * Uploads one file through the list page's own file input, as a person does who picks it, and waits until its import has
 * ended.
 * @returns its row, `ready`, `failed` or, for a file of several trajectories, `several`
 */
export async function uploadThroughPage(page: Page, file: TestFile): Promise<TrajectoryRow> {
  if (new URL(page.url(), "http://none").pathname !== "/") await page.goto("/");
  await untilAlive(page);
  const answered = page.waitForResponse(
    (response) => response.request().method() === "POST" && new URL(response.url()).pathname === "/api/v1/uploads",
  );
  await page
    .locator('input[type="file"]')
    .first()
    .setInputFiles([{ name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.content) }]);
  const response = await answered;
  expect(response.ok(), `upload of ${file.name}: ${response.status()}`).toBe(true);
  const answer: UploadAnswer = uploadAnswerSchema.parse(await response.json());
  return waitForImport(page.request, answer.id);
}

/** Uploads what the tests of a spec look at, before them. Returns the trajectories' ids, in the order of the files. */
export async function uploadBefore(browser: Browser, ...files: TestFile[]): Promise<string[]> {
  const page = await browser.newPage();
  const ids: string[] = [];
  for (const file of files) {
    const row = await uploadThroughPage(page, file);
    expect(row.status, file.name).toBe("ready");
    ids.push(row.id);
  }
  await page.close();
  return ids;
}

/** Waits until an import has ended; for a file of several trajectories, until all of theirs have. */
export async function waitForImport(
  request: APIRequestContext,
  id: string,
  timeoutMs = 90_000,
): Promise<TrajectoryRow> {
  let row: TrajectoryRow | null = null;
  await expect
    .poll(
      async () => {
        const response = await request.get(`/api/v1/trajectories/${id}`);
        row = rowAnswerSchema.parse(await response.json()).row;
        return row.parts?.waiting ? "some are left to do" : row.status;
      },
      { timeout: timeoutMs, intervals: [100, 100, 200, 200, 400], message: `import of ${id}` },
    )
    .toMatch(/^(ready|failed|several)$/);
  if (!row) throw new Error(`No answer about ${id}`);
  return row;
}
