import type { Page } from "@playwright/test";
import { traceOf } from "./forensics/runs";
import { checkLayout } from "./harness/layout";
import { turnOf } from "./harness/turn";
import { uploadBefore } from "./harness/upload";
import { expect, test } from "./harness/watched-page";

const lines = (count: number, what: string): string =>
  Array.from({ length: count }, (_, i) => `[${what}] step ${i + 1} of ${count} is done\n`).join("");

/** A failed test in the middle of a log, a long build that fails, and a failed test after the edit that the verdict quotes. */
function foldingRun(marker: string): string {
  const tests = [
    lines(70, "collect"),
    'Traceback (most recent call last):\n  File "/work/shop/db.py", line 12, in connect\n    return open_port(PORT)\n',
    "ConnectionRefusedError: [Errno 111] Connection refused\n",
    lines(60, "teardown"),
    "1 failed, 3 passed in 5.01s\n",
  ].join("");
  const build = `${lines(2_000, "compile")}src/main.c:12:5: error: expected ';'\n${lines(1_500, "link")}build over\n`;
  return traceOf(
    [
      { thought: "Run the tests.", action: "python -m pytest tests", observation: tests },
      { thought: "Build it.", action: "make", observation: build },
      {
        thought: "Write the table.",
        action: "str_replace_editor create /work/shop/table.py --file_text 'COLUMNS = 12\n'",
        observation: "File created successfully at: /work/shop/table.py\n",
      },
      { thought: "Look at a small file.", action: "cat small.txt", observation: "DB_TIMEOUT = 5\n" },
      {
        thought: "And the tests again.",
        action: "python -m pytest tests",
        observation: `${lines(400, "collect")}FAILED tests/test_db.py::test_connect - no answer\n1 failed, 4 passed in 6.02s\n${lines(100, "teardown")}`,
      },
      { thought: "That is all.", action: "submit", observation: "" },
    ],
    { marker, task: "The service cannot reach its database." },
  );
}

let run = "";

test.beforeAll(async ({ browser }, { workerIndex }) => {
  const content = foldingRun(`folding ${Date.now()} ${workerIndex}`);
  [run = ""] = await uploadBefore(browser, { name: "folding.traj", content });
});

const bars = (page: Page) => turnOf(page).getByRole("button", { name: /characters (folded|opened),/ });
const control = (page: Page) => page.getByRole("group", { name: "How results are folded" });

test("a result is folded by parts; each fold says how much and why, opens in its place and closes", async ({
  page,
}) => {
  await page.goto(`/t/${run}?turn=1`);
  const turn = turnOf(page);
  await expect(turn.getByText(/\d+ lines folded$/)).toBeVisible();
  await expect(turn.getByText("ConnectionRefusedError: [Errno 111] Connection refused")).toBeVisible();
  await expect(turn.getByText("1 failed, 3 passed in 5.01s")).toBeVisible();
  await expect(turn.getByText("[collect] step 40 of 70 is done")).toHaveCount(0);
  await expect(bars(page)).toHaveCount(2);
  const bar = bars(page).first();
  await expect(bar).toContainText(/60 lines, [\d,]+ characters folded, no signal/);
  await expect(bar).toHaveAttribute("title", /^Lines 9 to 68: .* No failure word.* What follows stays: .*“traceback”/);
  await checkLayout(page);
  await bar.click();
  await expect(bar).toHaveAttribute("aria-expanded", "true");
  const opened = turn.getByText("[collect] step 40 of 70 is done");
  await expect(opened).toBeVisible();
  // With its own number beside it.
  await expect(opened.locator("xpath=..")).toHaveText("40[collect] step 40 of 70 is done");
  await bar.click();
  await expect(opened).toHaveCount(0);
  await expect(bar).toHaveAttribute("aria-expanded", "false");
});

test("a fold of a long result is asked for when it opens, from its first line to its last", async ({ page }) => {
  await page.goto(`/t/${run}?turn=2`);
  const turn = turnOf(page);
  await expect(turn.getByText("src/main.c:12:5: error: expected ';'")).toBeVisible();
  await expect(turn.getByText("build over")).toBeVisible();
  const bar = bars(page).nth(1);
  await bar.click();
  const box = page.getByRole("region", { name: "Opened text" });
  await expect(box).toContainText("2,005[link] step 4 of 1500 is done");
  await box.evaluate((element) => element.scrollTo(0, element.scrollHeight));
  await expect(box).toContainText("[link] step 1493 of 1500 is done");
  await expect(box).not.toContainText("step 1494 of 1500");
  await bar.click();
  await expect(box).toHaveCount(0);
});

test("the rule stands in the address, goes along from turn to turn, and Back undoes it", async ({ page }) => {
  await page.goto(`/t/${run}?turn=1`);
  await expect(control(page).getByRole("button", { name: "By parts" })).toHaveAttribute("aria-pressed", "true");
  await control(page).getByRole("button", { name: "As the paper" }).click();
  await expect(page).toHaveURL(/fold=paper/);
  await expect(bars(page)).toHaveCount(1);
  await expect(bars(page)).toContainText("folded, over τ, no diff");
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/turn=2.*fold=paper/);
  await page.goto(`/t/${run}?turn=4&fold=paper`);
  // Nothing in it says failure, so the paper's rule folds even this line.
  await expect(bars(page)).toContainText("no failure word");
  await control(page).getByRole("button", { name: "Off" }).click();
  await expect(turnOf(page).getByText("DB_TIMEOUT = 5")).toBeVisible();
  await expect(bars(page)).toHaveCount(0);
  await page.goBack();
  await expect(page).toHaveURL(/fold=paper/);
  await expect(bars(page)).toHaveCount(1);
  await control(page).getByRole("button", { name: "By parts" }).click();
  await expect(page).not.toHaveURL(/fold=/);
});

test("the savings of the run are told by both rules, with their versions, tau and the words", async ({ page }) => {
  await page.goto(`/t/${run}?turn=1`);
  await page.getByRole("button", { name: /^\d+\s%\sof results folded$/ }).click();
  const told = page.getByRole("dialog", { name: "What is folded" });
  await expect(told).toContainText(
    /parts@1.*Folded 3 of 6 observations: [\d,]+ of [\d,]+ characters \(\d+\s%\), about [\d,]+ tokens/,
  );
  await expect(told).toContainText(/paper@1.*Folded 5 of 6 observations/);
  await expect(told).toContainText("τ = 4,000");
  await expect(told).toContainText("traceback");
  await expect(told).toContainText("Tokens are an estimate");
  await checkLayout(page);
  await page.keyboard.press("Escape");
  await expect(told).toHaveCount(0);
});

test("evidence and matches inside a fold open it at their place", async ({ page }) => {
  // The matches of a find are opened by their place in the address.
  await page.goto(`/t/${run}?turn=1&find=${encodeURIComponent("step 40 of 70")}`);
  await page.getByRole("textbox", { name: /find/i }).or(page.getByRole("searchbox")).first().press("Enter");
  const mark = turnOf(page).locator("mark[data-find=current]");
  await expect(mark).toHaveText("step 40 of 70");
  await expect(mark).toBeInViewport();
  await expect(bars(page).first()).toHaveAttribute("aria-expanded", "true");
  // Far inside a long result, which the page asks for.
  await page.goto(`/t/${run}?turn=2&find=${encodeURIComponent("step 1200 of 1500")}`);
  await page.getByRole("textbox", { name: /find/i }).or(page.getByRole("searchbox")).first().press("Enter");
  await expect(mark).toHaveText("step 1200 of 1500");
  await expect(mark).toBeInViewport();
});

test("a quotation of the verdict inside a fold is opened and brought into sight by its link", async ({ page }) => {
  await page.goto(`/t/${run}?turn=1&fold=paper`);
  await page.getByRole("button", { name: /candidate turns? with reasons/ }).click();
  const candidates = page.getByRole("list", { name: "Candidate turns" });
  await candidates.locator("q", { hasText: "1 failed, 4 passed in 6.02s" }).click();
  await expect(page).toHaveURL(/item=.*fold=paper|fold=paper.*item=/);
  const mark = turnOf(page).locator("mark[data-quotation]");
  await expect(mark).toHaveText("1 failed, 4 passed in 6.02s");
  await expect(mark).toBeInViewport();
  await expect(bars(page)).toHaveAttribute("aria-expanded", "true");
});

test("at 390 pixels the control and the bars can be used", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/t/${run}?turn=1`);
  await expect(bars(page).first()).toBeVisible();
  for (const button of [bars(page).first(), control(page).getByRole("button", { name: "Off" })]) {
    const box = await button.boundingBox();
    expect(box?.height).toBeGreaterThanOrEqual(40);
  }
  await checkLayout(page);
  await control(page).getByRole("button", { name: "As the paper" }).click();
  // The two bars of the folding by parts stand until the other folding has come.
  await expect(bars(page)).toHaveCount(1);
  await expect(bars(page)).toContainText("over τ");
  await bars(page).click();
  await expect(turnOf(page).getByText("[collect] step 40 of 70 is done")).toBeVisible();
  await checkLayout(page);
});

test("a shared page folds too, by the same addresses", async ({ page }) => {
  await page.goto(`/t/${run}?turn=1`);
  const headers = { origin: new URL(page.url()).origin };
  const made = await page.request.post(`/api/v1/trajectories/${run}/shares`, { data: {}, headers });
  const { path } = await made.json();
  await page.goto(`${path}?turn=1`);
  await expect(bars(page)).toHaveCount(2);
  await bars(page).first().click();
  await expect(turnOf(page).getByText("[collect] step 40 of 70 is done")).toBeVisible();
  await page.goto(`${path}?turn=2&fold=paper`);
  await expect(bars(page)).toContainText("over τ, no diff");
  await bars(page).click();
  await expect(page.getByRole("region", { name: "Opened text" })).toContainText("[compile] step 1 of 2000 is done");
});
