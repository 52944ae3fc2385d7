import type { Page } from "@playwright/test";
import { listPageSchema, type TrajectoryRow } from "@/lib/views/trajectory-list";
import { expect, test } from "../harness/watched-page";
import { conversationsFile } from "../several/conversations";
import { askUntil } from "./asking";
import { testScreens } from "./looking";
import { made } from "./made";
import { expectSteady, forgetShifts } from "./shifts";

const MARK = `dunlin${Date.now() % 100_000}`;
const LIST = /\/api\/v1\/trajectories(\?.*)?$/;
let file: TrajectoryRow;
let parts: TrajectoryRow[] = [];

test.beforeAll(async ({ playwright }, info) => {
  const { baseURL, storageState } = info.project.use;
  const request = await playwright.request.newContext({ baseURL, storageState });
  const names = ["django__django-11099", null, "sympy__sympy-13480", "a-name-with-a-long-tail-".repeat(6)];
  const sent = conversationsFile(MARK, [...names, ...Array.from({ length: 60 }, (_, n) => `flask-${n}`)]);
  file = await made(request, sent.name, sent.content.toString());
  expect(file.status).toBe("several");
  const answer = await request.get(`/api/v1/trajectories?file=${file.id}`);
  const list = listPageSchema.parse(await answer.json());
  parts = [...list.pinned, ...list.rows];
  await request.dispose();
});

/** The page of the file, as it is while `change` holds of its row, once it says `words`. */
async function openFile(page: Page, words: string, change: Partial<TrajectoryRow> = {}): Promise<void> {
  await page.route(LIST, async (route) => {
    const response = await route.fetch();
    const list = listPageSchema.parse(await response.json());
    await route.fulfill({ response, json: { ...list, file: list.file && { ...list.file, ...change } } });
  });
  await page.goto(`/t/${file.id}`);
  await expectSteady(page);
  await askUntil(page, page.getByText(words));
  await forgetShifts(page);
}

const failure = {
  code: "unsupported_format",
  message: "this looks like another tool's log, which Misstep cannot read yet",
};
const nowhere = { byte: null, line: null, pointer: null };

testScreens("several", [
  {
    name: "file",
    open: (page) => openFile(page, "63 imported, 1 failed"),
  },
  {
    name: "file being imported",
    open: (page) =>
      openFile(page, "412 of 1,133 imported, 3 failed", {
        parts: { total: 1_133, ready: 412, failed: 3, waiting: 718 },
      }),
  },
  {
    name: "file that could not be read again",
    open: (page) =>
      openFile(page, "Reading the file again failed", { status: "failed", failure: { ...failure, at: nowhere } }),
  },
  {
    name: "filter matches none of the file",
    open: async (page) => {
      await page.goto(`/t/${file.id}?q=nothing-of-this-name`);
      await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
    },
  },
  {
    name: "one of the file",
    open: async (page) => {
      await page.goto(`/t/${parts.find(({ status }) => status === "ready")?.id}`);
      await expect(page.getByRole("navigation", { name: "File" })).toContainText("1 of 64");
    },
  },
  {
    name: "one of the file that failed",
    open: async (page) => {
      await page.goto(`/t/${parts.find(({ status }) => status === "failed")?.id}`);
      await expect(page.getByText("The import failed.")).toBeVisible();
    },
  },
  {
    name: "found in the list",
    open: async (page) => {
      await page.goto(`/?q=${MARK}`);
      await expect(page.getByText("1–50 of 64")).toBeVisible();
    },
  },
]);
