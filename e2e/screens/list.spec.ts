import type { Page } from "@playwright/test";
import { type ListPage, listPageSchema, type TrajectoryRow } from "@/lib/views/trajectory-list";
import { expect, test } from "../harness/watched-page";
import { asPayload, brokenFile, trace, traceFile } from "../list/traces";
import { ask, askUntil } from "./asking";
import { type Screen, testScreens } from "./looking";
import { made } from "./made";
import { longNames, readOnly, rightToLeft } from "./runs";
import { expectSteady, forgetShifts } from "./shifts";

const MARK = "sandpiper";
const LIST = /\/api\/v1\/trajectories(\?.*)?$/;

test.beforeAll(async ({ playwright }, info) => {
  const { baseURL, storageState } = info.project.use;
  const request = await playwright.request.newContext({ baseURL, storageState });
  const marker = `${MARK} ${Date.now()}`;
  await made(request, `${MARK}-ready.traj`, trace({ mark: marker, reads: 8 }));
  await made(request, `${MARK}-names-${"and-a-long-tail-".repeat(14)}end.traj`, longNames(marker));
  await made(request, `${MARK}-שם-הקובץ.traj`, rightToLeft(marker));
  await made(request, `${MARK}-undetermined.traj`, readOnly(marker));
  await made(request, `${MARK}-broken.traj`, brokenFile("", marker).content.toString());
  await request.dispose();
});

type Change = (list: ListPage) => ListPage;

/**
 * Opens the list, and finds that nothing moved while it came. Gives back what changes its answers from then on: a test
 * cannot stop the product for others. Rows above the results are shown whatever the filters, and those of other tests
 * come and go: they are left out.
 */
async function openList(page: Page, address = `/?q=${MARK}`): Promise<(change: Change) => void> {
  let change: Change = (list) => list;
  let begin = (): void => undefined;
  const isLoaded = new Promise<void>((resolve) => {
    begin = resolve;
  });
  await page.route(LIST, async (route) => {
    await isLoaded;
    const response = await route.fetch();
    const list = listPageSchema.parse(await response.json());
    const pinned = list.pinned.filter(({ name }) => name.startsWith(MARK));
    await route.fulfill({ response, json: change({ ...list, pinned, pinnedTotal: pinned.length }) });
  });
  await page.goto(address);
  await expectSteady(page);
  const answered = page.waitForResponse(LIST);
  begin();
  await ask(page);
  await answered;
  // The rows of others leave when the answer is drawn, which is some frames after it came.
  await expect(page.locator("tr[data-status]").filter({ hasNotText: MARK })).toHaveCount(0);
  await forgetShifts(page);
  return (next) => {
    change = next;
  };
}

/** The list with rows in progress that are made from one that is there. */
function inProgress(change: Partial<TrajectoryRow>, isWorkerAway = false): Screen["open"] {
  return async (page) => {
    const answer = await openList(page);
    answer((list) => {
      const [first] = list.rows;
      if (first === undefined) throw new Error("no row to change");
      const row: TrajectoryRow = { ...first, id: "moving", name: `${MARK}-moving.traj`, verdict: null, ...change };
      return { ...list, pinned: [row], pinnedTotal: 1, isWorkerAway };
    });
    await askUntil(page, page.locator("tr[data-status]").filter({ hasText: `${MARK}-moving` }));
    await forgetShifts(page);
  };
}

const reading = { phase: "reading", done: 38_000_000, total: 88_400_000, turns: 2_612 };

/** The list with what is known about the failure of the next files. */
async function openFailureFields(page: Page): Promise<void> {
  await openList(page);
  await page.getByRole("button", { name: "What is known about the failure" }).click();
  await expect(page.getByRole("region", { name: "What is known about the failure" })).toBeVisible();
  // It was opened by hand, and pushes what is below it.
  await forgetShifts(page);
}

testScreens("list", [
  { name: "what is known about a failure, empty", open: openFailureFields },
  {
    name: "what is known about a failure, filled",
    open: async (page) => {
      await openFailureFields(page);
      await page.getByRole("button", { name: "Failed", exact: true }).click();
      await page.getByLabel("Error report", { exact: true }).fill(`E   assert 3 == 4\n${"long ".repeat(60)}`);
      await page.getByLabel("Failing test", { exact: true }).fill("def test_fare():\n    assert fare(12) == 4\n");
      const binary = { name: "photo.png", mimeType: "image/png", buffer: Buffer.from([0xff, 0xfe, 0x80]) };
      await page.getByLabel("File for: Reference patch", { exact: true }).setInputFiles(binary);
      await expect(page.getByText("photo.png is not text")).toBeVisible();
      await forgetShifts(page);
    },
  },
  { name: "results", open: async (page) => void (await openList(page)) },
  {
    name: "empty",
    open: async (page) => {
      const answer = await openList(page);
      answer((list) => ({
        ...list,
        ...{ rows: [], pinned: [], pinnedTotal: 0, matching: 0, total: 0, frameworks: [] },
        counts: { undetermined: 0, failedImports: 0 },
      }));
      await page.getByRole("searchbox").fill("");
      await expect(page.getByRole("heading", { name: "No trajectories yet" })).toBeVisible();
    },
  },
  {
    name: "filtered to nothing",
    open: async (page) => {
      await openList(page, `/?q=${MARK}&outcome=resolved&minTurns=500`);
      await expect(page.getByRole("heading", { name: "Nothing matches" })).toBeVisible();
    },
  },
  {
    name: "loading another order",
    open: async (page) => {
      await openList(page);
      await page.route(LIST, () => undefined);
      await page.evaluate(() => window.history.pushState(null, "", "?q=sandpiper&sort=name"));
      await expect(page.getByText("Loading the list")).toBeAttached();
    },
  },
  {
    name: "uploading, and what failed to",
    open: async (page) => {
      await openList(page);
      await page.route("**/api/v1/uploads?*", () => undefined);
      await page
        .getByLabel("Trajectory files")
        .setInputFiles(
          asPayload([
            traceFile(`${MARK}-big.traj`, { mark: `${MARK} big`, padding: 4_000_000 }),
            { name: `${MARK}-none.traj`, content: "" },
          ]),
        );
      await expect(page.getByRole("progressbar", { name: `Upload of ${MARK}-big.traj` })).toBeVisible();
      await expect(page.getByText("The file is empty.")).toBeVisible();
      await forgetShifts(page);
    },
  },
  { name: "queued", open: inProgress({ status: "queued" }) },
  { name: "importing", open: inProgress({ status: "importing", progress: reading }) },
  {
    name: "importing without a measure",
    open: inProgress({ status: "importing", progress: { ...reading, phase: "judging" } }),
  },
  { name: "no worker", open: inProgress({ status: "queued" }, true) },
  {
    name: "failed imports",
    open: async (page) => {
      await openList(page, "/?status=failed");
      await expect(page.getByText("Import failed").first()).toBeVisible();
    },
  },
  {
    name: "ten thousand rows",
    open: async (page) => {
      const answer = await openList(page, `/?q=${MARK}&size=50&page=3`);
      answer((list) => {
        const [row] = list.rows.length > 0 ? list.rows : list.pinned;
        if (row === undefined) throw new Error("no row to change");
        const rows = Array.from({ length: 50 }, (_, n) => ({
          ...row,
          id: `row${n}`,
          name: `sweep-0317.jsonl, ${n + 1} of 10000`,
          status: "ready" as const,
          turnCount: 40 + n * 97,
          writeCount: n,
          outcome: (["failed", "resolved", "unknown"] as const)[n % 3] ?? null,
        }));
        return { ...list, rows, matching: 10_000, total: 10_412 };
      });
      await askUntil(page, page.getByText("101–150 of 10,000"));
    },
  },
  {
    name: "filters open",
    open: async (page) => {
      await openList(page, `/?q=${MARK}&minTurns=2`);
      await page
        .getByRole("button", { name: /^Filters?( 1)?$/ })
        .and(page.locator(":visible"))
        .click();
      await expect(page.getByRole("dialog", { name: "Filters" })).toBeVisible();
    },
  },
  {
    name: "keys",
    open: async (page) => {
      await openList(page);
      await page.keyboard.press("?");
      await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
    },
  },
  {
    name: "server does not answer",
    open: async (page) => {
      await openList(page);
      await page.route(LIST, (route) => route.abort("connectionrefused"));
      await askUntil(page, page.getByText("Not updating."));
    },
    expected: /ERR_CONNECTION_REFUSED/,
  },
]);
