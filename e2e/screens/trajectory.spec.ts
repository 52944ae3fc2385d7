import type { Page } from "@playwright/test";
import { longRun, shopRun } from "../forensics/runs";
import { sessionRun } from "../forensics/sessions";
import { turnHead } from "../harness/turn";
import { expect, productOrigin, test } from "../harness/watched-page";
import { type Screen, testScreens } from "./looking";
import { changeStored, made } from "./made";
import { foldedLog, hugeResult, longNames, oneTurn, readOnly, rightToLeft, unsureFiles } from "./runs";

/** Identifiers of the runs, by what they are for. */
const ids = new Map<string, string>();

// A quarter of all browser tests: in one piece, they ran on alone for minutes while the other worker had nothing to do.
test.describe.configure({ mode: "parallel" });

test.beforeAll(async ({ playwright }, info) => {
  test.setTimeout(240_000);
  const { baseURL, storageState } = info.project.use;
  const request = await playwright.request.newContext({ baseURL, storageState });
  const marker = (what: string): string => `screens ${what} ${Date.now()} ${info.workerIndex}`;
  const all: Record<string, string> = {
    shop: shopRun(marker("shop")),
    session: sessionRun(marker("session")),
    one: oneTurn(marker("one")),
    readOnly: readOnly(marker("read-only")),
    engine: readOnly(marker("engine")),
    unsure: unsureFiles(marker("unsure")),
    names: longNames(marker("names")),
    rtl: rightToLeft(marker("rtl")),
    folded: foldedLog(marker("folded")),
    huge: hugeResult(marker("huge")),
    long: longRun(marker("long"), 3_200),
    broken: shopRun(marker("broken")).slice(0, 3_000),
  };
  for (const [name, content] of Object.entries(all)) {
    const row = await made(request, `${name}.${name === "session" ? "jsonl" : "traj"}`, content);
    expect(row.status, name).toBe(name === "broken" ? "failed" : "ready");
    ids.set(name, row.id);
  }
  await request.dispose();
  await changeStored(
    `UPDATE "Analysis" SET "status" = 'failed', "result" = NULL, "error" = '{"message": "stopped"}'
     WHERE "importId" = (SELECT "currentImportId" FROM "Trajectory" WHERE "id" = $1)`,
    [ids.get("engine") ?? ""],
  );
});

const region = (page: Page, name: string) => page.getByRole("region", { name, exact: true });
const isNarrow = (page: Page): boolean => (page.viewportSize()?.width ?? 0) < 640;

/** Opens a run at an address, and waits until its turn, code or view stands there. */
async function openRun(page: Page, name: string, query = ""): Promise<void> {
  await page.goto(`/t/${ids.get(name)}${query}`);
  const editor = page.getByTestId("monaco-diff");
  if ((await editor.count()) > 0 && (await editor.isVisible())) {
    await expect(editor).toHaveAttribute("data-changes", /\d/);
  }
}

const run =
  (name: string, query = ""): Screen["open"] =>
  (page) =>
    openRun(page, name, query);

/** Opens a run with words in its find bar, and waits for what the bar says of them. */
const find =
  (words: string, says: string): Screen["open"] =>
  async (page) => {
    await openRun(page, "folded", `?turn=1&find=${encodeURIComponent(words)}`);
    await expect(page.getByRole("search", { name: "Find in all turns" })).toContainText(says);
  };

/** A dialog that a button of the header opens, or the header's menu where the window is narrow. */
async function fromHeader(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  if (await button.isVisible()) return button.click();
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

const EDIT = /^(Add or change|Say how it ended)$/;

/** What a person said of how a run ended: said again each time, which changes nothing after the first. */
async function openFailure(page: Page): Promise<void> {
  const headers = { origin: productOrigin() };
  const trace = Array.from({ length: 40 }, (_, n) => `tests/test_price.py:${n + 10}: in test_count_${n}`).join("\n");
  const data = {
    taskStatement: "The tax of a basket has to count every article.\n\nIt ignores how many are bought.",
    errorReport: `${trace}\nE   assert 240 == 480\nE   at ${"a/very/long/path/".repeat(12)}price.py`,
    referencePatch: "--- a/price.py\n+++ b/price.py\n@@ -1 +1 @@\n-RATES = {}\n+RATES = {'full': 20}\n",
  };
  const said = await page.request.put(`/api/v1/trajectories/${ids.get("names")}/failure`, { data, headers });
  expect(said.ok()).toBe(true);
  await openRun(page, "names", "?turn=1");
  await page.getByRole("button", { name: "Failure report" }).click();
  await expect(page.getByRole("region", { name: "Error report" })).toBeVisible();
}

testScreens("trajectory", [
  { name: "decisive turn", open: run("shop") },
  { name: "a write compared", open: run("shop", "?turn=7") },
  { name: "a write compared, in code", open: run("shop", "?turn=7&pane=code") },
  {
    name: "outline",
    open: async (page) => {
      await openRun(page, "shop", "?turn=7");
      if (isNarrow(page)) await page.getByRole("button", { name: "Outline", exact: true }).click();
      await expect(page.getByRole("navigation", { name: "Turns" }).getByRole("link").first()).toBeVisible();
    },
  },
  { name: "refused edit", open: run("shop", "?turn=8&pane=code") },
  { name: "terminal output", open: run("shop", "?turn=9") },
  { name: "session", open: run("session", "?turn=2") },
  { name: "one turn", open: run("one") },
  { name: "undetermined, no file written", open: run("readOnly") },
  { name: "undetermined, no file written, in code", open: run("readOnly", "?pane=code") },
  { name: "no verdict", open: run("engine") },
  { name: "partial file", open: run("unsure", "?turn=2&pane=code") },
  { name: "opaque write", open: run("unsure", "?turn=4&pane=code") },
  { name: "file unknown after a command", open: run("unsure", "?turn=5&pane=code") },
  { name: "deleted file", open: run("unsure", "?turn=6&pane=code") },
  { name: "long names", open: run("names", "?turn=1") },
  { name: "long names, in code", open: run("names", "?turn=1&pane=code") },
  { name: "long names, files", open: run("names", "?view=files") },
  { name: "right to left", open: run("rtl", "?turn=1") },
  { name: "right to left, in code", open: run("rtl", "?turn=2&pane=code") },
  { name: "result of 12 MB", open: run("huge", "?turn=1") },
  { name: "line of 300,000 characters", open: run("huge", "?turn=2") },
  {
    name: "3,200 turns",
    open: async (page) => {
      await openRun(page, "long", "?turn=1600");
      if (!isNarrow(page)) return;
      const place = page.getByRole("navigation", { name: "Turn", exact: true }).getByText("#1600 of 3,200");
      const isWhole = (it: HTMLElement): boolean => it.scrollWidth <= it.clientWidth && it.offsetHeight < 30;
      expect(await place.evaluate(isWhole), "the place stands in one line").toBe(true);
    },
  },
  {
    name: "3,200 turns, outline",
    open: async (page) => {
      await openRun(page, "long", "?turn=1600&list=writes");
      if (isNarrow(page)) await page.getByRole("button", { name: "Outline", exact: true }).click();
      await expect(page.getByRole("navigation", { name: "Turns" }).getByRole("link").first()).toBeVisible();
    },
  },
  { name: "folds closed", open: run("folded", "?turn=1") },
  {
    name: "a fold opened, and what folding saves",
    open: async (page) => {
      await openRun(page, "folded", "?turn=1");
      const bar = region(page, "Turn").getByRole("button", { name: /characters folded,/ });
      await bar.first().click();
      await expect(region(page, "Turn").getByText("[collect] step 40 of 70 is done")).toBeAttached();
      await page.getByRole("button", { name: /^\d+\s%\sof results folded$/ }).click();
      await expect(page.getByRole("dialog", { name: "What is folded" })).toBeVisible();
    },
  },
  { name: "find, matches", open: find("teardown", "60 in 1 turn") },
  { name: "find, no match", open: find("nothing has this", "Not found in 2 turns") },
  {
    name: "find, list of matches",
    open: async (page) => {
      await find("teardown", "60 in 1 turn")(page);
      await page.getByRole("button", { name: "List of matches" }).click();
      await expect(page.getByRole("region", { name: "Matches" }).getByRole("link").first()).toBeVisible();
    },
  },
  { name: "context", open: run("shop", "?turn=1&context=1") },
  { name: "files", open: run("shop", "?view=files&turn=7") },
  { name: "raw", open: run("shop", "?view=raw&turn=7") },
  { name: "turn and file that do not exist", open: run("shop", "?turn=9999&file=gone.py&line=40") },
  {
    name: "candidates",
    open: async (page) => {
      await openRun(page, "shop");
      await page.getByRole("button", { name: /candidate turns? with reasons/ }).click();
      await expect(page.getByRole("list", { name: "Candidate turns" })).toBeVisible();
    },
  },
  {
    name: "notes",
    open: async (page) => {
      await openRun(page, "shop");
      await page.getByRole("button", { name: /import notes?$|not understood$/ }).click();
      await expect(page.getByRole("dialog", { name: "What the import says" })).toBeVisible();
    },
  },
  {
    name: "failure, nothing known",
    open: async (page) => {
      await openRun(page, "one", "?turn=1");
      await page.getByRole("button", { name: "How did the run end?" }).click();
      await expect(page.getByText("How the run ended is not known")).toBeVisible();
    },
  },
  { name: "failure, said by a person", open: openFailure },
  {
    name: "failure, being edited",
    open: async (page) => {
      await openFailure(page);
      await page.getByRole("button", { name: EDIT }).click();
      await expect(page.getByLabel("Error report", { exact: true })).toHaveValue(/assert/);
    },
  },
  {
    name: "failure, not saved yet",
    open: async (page) => {
      await openRun(page, "one", "?turn=1");
      await page.getByRole("button", { name: "How did the run end?" }).click();
      await page.getByRole("button", { name: EDIT }).click();
      await page.getByLabel("Task statement", { exact: true }).fill("Say hello to everybody.");
      await page.getByRole("button", { name: "Failed" }).click();
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog").getByRole("alert")).toContainText("not saved");
    },
  },
  {
    name: "share",
    open: async (page) => {
      await openRun(page, "shop", "?turn=7");
      await fromHeader(page, "Share");
      await page.getByRole("button", { name: "Create link" }).click();
      await expect(page.getByLabel("The new link")).toBeVisible();
    },
  },
  {
    name: "share refused",
    open: async (page) => {
      await openRun(page, "shop", "?turn=7");
      await page.route("**/shares", (route) => route.abort("connectionrefused"));
      await fromHeader(page, "Share");
      await expect(page.getByText("could not be reached")).toBeVisible();
    },
    expected: /ERR_CONNECTION_REFUSED/,
  },
  {
    name: "baseline",
    open: async (page) => {
      await openRun(page, "shop", "?turn=7");
      await fromHeader(page, "Attach baseline");
      await page.getByLabel("Files, or a zip").setInputFiles([
        { name: "price.py", mimeType: "text/x-python", buffer: Buffer.from("RATES = {}\n") },
        { name: `${"long-".repeat(30)}name.py`, mimeType: "text/x-python", buffer: Buffer.from("x = 1\n") },
      ]);
      await expect(page.getByLabel("Path in the repository").first()).toBeVisible();
    },
  },
  {
    name: "baseline refused",
    open: async (page) => {
      await openRun(page, "shop", "?turn=7");
      await fromHeader(page, "Attach baseline");
      await page
        .getByLabel("Files, or a zip")
        .setInputFiles([
          { name: "tree.zip", mimeType: "application/zip", buffer: Buffer.from("PK\u0003\u0004 no archive") },
        ]);
      await page.getByRole("button", { name: "Attach", exact: true }).click();
      await expect(page.getByRole("dialog").getByRole("alert")).toBeVisible();
    },
    expected: /4\d\d \(/,
  },
  {
    name: "keys",
    open: async (page) => {
      await openRun(page, "shop");
      await page.keyboard.press("Shift+?");
      await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
    },
  },
  {
    name: "failed import",
    open: async (page) => {
      await page.goto(`/t/${ids.get("broken")}`);
      await expect(page.getByRole("button", { name: "Import again" })).toBeVisible();
    },
  },
  {
    name: "turn on its way",
    open: async (page) => {
      await openRun(page, "long", "?turn=200");
      await page.route("**/turns/*", () => undefined);
      await page.route("**/code?*", () => undefined);
      await page.keyboard.press("Shift+G");
      await expect(turnHead(page, 3_200)).toBeVisible();
      await expect(page.getByRole("status", { name: "Loading turn 3200" })).toBeVisible();
    },
  },
  {
    name: "server away",
    open: async (page) => {
      await openRun(page, "long", "?turn=200");
      await page.route("**/api/v1/**", (route) => route.abort("connectionrefused"));
      await page.keyboard.press("Shift+G");
      await expect(region(page, "Turn").getByRole("alert")).toContainText("could not be reached");
      if (isNarrow(page)) return;
      await expect(page.getByRole("navigation", { name: "Turns" }).getByRole("alert")).toBeVisible();
    },
    expected: /ERR_CONNECTION_REFUSED/,
  },
]);
