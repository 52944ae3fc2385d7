import type { Page } from "@playwright/test";
import { exportedLabelSchema } from "@/lib/store/reviews";
import { shareCreatedSchema } from "@/lib/views/share";
import { type Investigating, startInvestigating } from "./harness/investigating";
import { expect, test } from "./harness/watched-page";
import { SCRIPTS } from "./investigation/scripts";

test.use({ viewport: { width: 1_440, height: 1_000 } });
test.describe.configure({ timeout: 120_000 });

let product: Investigating;

test.beforeAll(async ({ browser }) => {
  test.setTimeout(180_000);
  product = await startInvestigating(browser, SCRIPTS);
});

test.afterAll(async () => {
  expect(product.server.violations).toEqual([]);
  await product.stop();
});

/** The harness knows one origin, and these pages have another. */
const expected = /request to another origin: http:\/\/127\.0\.0\.1:\d+\//;
test.beforeEach(({ tolerate }) => tolerate(expected));

const verdictOf = (page: Page) => page.getByRole("region", { name: "Verdict", exact: true });
const trailOf = (page: Page) => page.getByRole("list", { name: "Steps of the investigation" });

/** Quoted words where they stand in the run. */
const quoted = (page: Page, words: string) => page.locator("mark[data-quotation]").filter({ hasText: words });

async function open(page: Page, id: string, query = ""): Promise<void> {
  await product.enter(page);
  await page.goto(`${product.origin}/t/${id}${query}`);
}

async function investigate(page: Page): Promise<void> {
  await verdictOf(page).getByRole("button", { name: "Investigate" }).click();
  const dialog = page.getByRole("dialog", { name: "Investigate" });
  await dialog.getByRole("button", { name: "Start" }).click();
  await expect(dialog).toHaveCount(0);
}

test("a run is investigated, its verdict leads to its evidence, its trail to what was asked, and a person's word is exported", async ({
  page,
}) => {
  const id = await product.failedRun("whole");
  await open(page, id);
  const verdict = verdictOf(page);
  await investigate(page);
  await expect(verdict.getByText("By the model, the run went wrong for good at")).toBeVisible({ timeout: 60_000 });
  await expect(verdict.getByText("semantic logic error", { exact: true })).toBeVisible();
  await expect(verdict.getByText("judge-large-2026-11").first()).toBeVisible();

  // Both sides of the evidence: the agent's words in their turn, the task beside the turns.
  await verdict.getByRole("link", { name: "so I apply it to each line" }).click();
  await expect(page).toHaveURL(/turn=7/);
  await expect(quoted(page, "so I apply it to each line")).toBeInViewport();
  await verdict.getByRole("link", { name: /ignores how many/ }).click();
  await expect(page).toHaveURL(/context=/);
  await expect(quoted(page, "ignores how many of an article are bought")).toBeInViewport();
  await page.goBack();
  await expect(page).not.toHaveURL(/context=/);
  await expect(quoted(page, "so I apply it to each line")).toBeInViewport();

  await verdict.getByRole("button", { name: "All of the verdict" }).click();
  await expect(page).toHaveURL(/panel=verdict/);
  const all = page.getByRole("region", { name: "All of the verdict" });
  await expect(all.getByText("Still there at the end")).toBeVisible();
  await expect(all.getByText("in the model’s own word, no probability")).toBeVisible();
  await expect(all.getByText("Multiply the price by the count")).toBeVisible();

  // Whatever else was quoted is marked where it stands: an earlier turn, the alternative, the report.
  await all.getByRole("link", { name: /def test_count/ }).click();
  await expect(page).toHaveURL(/turn=3&/);
  await expect(quoted(page, "def test_count():")).toBeInViewport();
  await all.getByRole("link", { name: /I will write one/ }).click();
  await expect(page).toHaveURL(/turn=4&/);
  await expect(quoted(page, "I will write one.")).toBeInViewport();
  await all.getByRole("button", { name: /assert 240 == 480/ }).click();
  const report = page.getByRole("dialog", { name: "How the run ended" });
  await expect(report.locator("mark").filter({ hasText: "assert 240 == 480" })).toBeInViewport();
  await page.keyboard.press("Escape");
  await expect(report).toHaveCount(0);

  await verdict.getByRole("button", { name: "Trail" }).click();
  await expect(page).toHaveURL(/panel=trail/);
  await expect(trailOf(page).getByText("to see whether the log names a test")).toBeVisible();
  await expect(
    trailOf(page)
      .getByText(/unfolded/)
      .first(),
  ).toBeVisible();
  await trailOf(page).getByRole("link", { name: "#10", exact: true }).click();
  await expect(page).toHaveURL(/turn=10&/);
  await expect(page.getByRole("heading", { level: 2, name: "#10", exact: true })).toBeVisible();
  await page.goBack();
  await expect(page).not.toHaveURL(/turn=10&/);
  await trailOf(page).getByRole("button", { name: "What the judge saw" }).last().click();
  const call = page.getByRole("dialog", { name: "What the judge saw" });
  await expect(call.getByText("The total of a basket ignores").first()).toBeVisible();
  await page.keyboard.press("Escape");
  await page.goBack();
  await expect(page).toHaveURL(/panel=verdict/);

  // The rule's verdict stays a click away.
  await verdict.getByRole("button", { name: "Rule" }).click();
  await expect(verdict.getByText("By the structural rule, the run went wrong for good at")).toBeVisible();
  await verdict.getByRole("button", { name: "Model" }).click();

  // A person moves it, then confirms it: both are kept, the newest counts.
  await page.goto(`${product.origin}/t/${id}?turn=4`);
  await verdict.getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Review the verdict" });
  await dialog.getByRole("button", { name: "Move" }).click();
  await expect(dialog.getByLabel("It went wrong for good at turn")).toHaveValue("4");
  await expect(dialog.getByRole("button", { name: "Save" })).toBeDisabled();
  await dialog.getByLabel("Reason").fill("The module is wrong from its first line.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(verdict.getByText("The module is wrong from its first line.")).toBeVisible();
  await expect(page.getByRole("link", { name: "#4 Decisive error, by a person" })).toBeVisible();
  await verdict.getByRole("button", { name: "Review again" }).click();
  await dialog.getByRole("button", { name: "Confirm #7" }).click();
  await dialog.getByLabel("Reason").fill("No: there it could still be repaired.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(page.getByRole("link", { name: "#7 Decisive error, confirmed" })).toBeVisible();

  await page.goto(`${product.origin}/`);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "Labels" }).click();
  const lines = (await (await download).createReadStream()).setEncoding("utf8");
  let text = "";
  for await (const piece of lines) text += piece;
  const labels = text
    .trim()
    .split("\n")
    .map((line) => exportedLabelSchema.parse(JSON.parse(line)));
  expect(labels.filter(({ trajectory }) => trajectory === id)).toMatchObject([
    {
      kind: "confirmed",
      turn: 6,
      engine: "investigator",
      engine_turn: 6,
      reason: "No: there it could still be repaired.",
    },
  ]);
});

test("M3: what a model says because a trace told it to is refused, and the refusal is shown", async ({ page }) => {
  const id = await product.failedRun("obeys");
  await open(page, id);
  await investigate(page);
  await expect(verdictOf(page).getByText("By the model, the run went wrong")).toBeVisible({ timeout: 60_000 });
  await expect(page.getByRole("link", { name: "#7 Decisive error" })).toBeVisible();
  await verdictOf(page).getByRole("button", { name: "Trail" }).click();
  await expect(trailOf(page).getByText("Refused:")).toBeVisible();
});

test("a model that cannot tell says so, with its reason, and the rule's turn is no more than worth a look", async ({
  page,
}) => {
  const id = await product.failedRun("unsure");
  await open(page, id);
  await investigate(page);
  const verdict = verdictOf(page);
  await expect(verdict.getByText(/Undetermined by the model/)).toBeVisible({ timeout: 60_000 });
  await expect(verdict.getByText(/two turns would explain it alike/)).toBeVisible();
  await verdict.getByRole("button", { name: "Review" }).click();
  await expect(page.getByRole("dialog").getByRole("button", { name: "Confirm" })).toBeDisabled();
});

test("two judges vote, on an endpoint that takes no temperature: how far they agree is shown, and how they were asked", async ({
  page,
}) => {
  const id = await product.failedRun("votes");
  await open(page, id);
  const verdict = verdictOf(page);
  product.server.setStyle({ temperature: "refused" });
  await verdict.getByRole("button", { name: "Investigate" }).click();
  const dialog = page.getByRole("dialog", { name: "Investigate" });
  await dialog.getByLabel("Votes").fill("2");
  await dialog.getByLabel("Ask judge-small as a second judge").check();
  await dialog.getByRole("button", { name: "Start" }).click();
  await expect(verdict.getByText(/2 of 3 votes for this turn/)).toBeVisible({ timeout: 60_000 });
  await verdict.getByRole("button", { name: "All of the verdict" }).click();
  const all = page.getByRole("region", { name: "All of the verdict" });
  await expect(all.getByText("semantic logic error, judge-small")).toBeVisible();
  await expect(all.getByText("Asked without a temperature: the model has only its own.")).toBeVisible();
  await verdict.getByRole("button", { name: "Trail" }).click();
  await expect(trailOf(page).getByText("Vote 3, judge-small")).toBeVisible();
  await expect(trailOf(page).getByText("Asked without a temperature: the model has only its own.")).toHaveCount(5);
});

test("a failed investigation is said, and is no verdict: the rule's stays, and a person can review that", async ({
  page,
}) => {
  const id = await product.failedRun("shut");
  await open(page, id);
  await investigate(page);
  const verdict = verdictOf(page);
  await expect(verdict.getByText("The investigation failed, and says nothing about the run.")).toBeVisible({
    timeout: 60_000,
  });
  await expect(verdict.getByText("By the structural rule, the run went wrong for good at")).toBeVisible();
  await expect(verdict.getByRole("button", { name: "Investigate again" })).toBeEnabled();

  await verdict.getByRole("button", { name: "Review" }).click();
  const dialog = page.getByRole("dialog", { name: "Review the verdict" });
  await dialog.getByRole("button", { name: "Reject" }).click();
  await dialog.getByLabel("Reason").fill("The test itself is wrong.");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(verdict.getByText("The test itself is wrong.")).toBeVisible();
  await expect(verdict.getByText("Rejected", { exact: true })).toBeVisible();
});

test("one that runs shows its steps and what it has spent, and is cancelled", async ({ page }) => {
  const id = await product.failedRun("slow");
  await open(page, id);
  await investigate(page);
  const verdict = verdictOf(page);
  await verdict.getByRole("button", { name: "Trail" }).click();
  await expect(trailOf(page).getByText("to see whether the log names a test")).toBeVisible({ timeout: 60_000 });
  await expect(verdict.getByText(/3 questions, 13,170 tokens/)).toBeVisible();
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/turn=/);
  await verdict.getByRole("button", { name: "Cancel" }).click();
  await expect(verdict.getByText(/The last investigation was cancelled/)).toBeVisible();
  await expect(trailOf(page).getByText("to see whether the log names a test")).toBeVisible();
});

test("a shared page has nothing of it", async ({ page, stranger }) => {
  const id = await product.failedRun("shared");
  await open(page, id);
  await investigate(page);
  await expect(verdictOf(page).getByText("By the model, the run went wrong")).toBeVisible({ timeout: 60_000 });
  const made = await product.request.post(`/api/v1/trajectories/${id}/shares`, {
    data: { days: 1 },
    headers: { origin: product.origin },
  });
  const { path } = shareCreatedSchema.parse(await made.json());
  await stranger.goto(`${product.origin}${path}`);
  await expect(verdictOf(stranger).getByText("By the structural rule, the run went wrong")).toBeVisible();
  await expect(stranger.getByRole("button", { name: /Investigate|Trail|Review/ })).toHaveCount(0);
});
