import type { Page } from "@playwright/test";
import { traceOf } from "./forensics/runs";
import { checkLayout, checkThemes } from "./harness/layout";
import { turnHead, turnOf } from "./harness/turn";
import { uploadBefore } from "./harness/upload";
import { expect, test } from "./harness/watched-page";

const TURNS = 3_000;
const SECRET = ["gh", "p_", "Zk3vQ8".repeat(6)].join("");

/** The log of turn #1501: the word stands far behind what a page holds of it, and far before its end. */
function longLog(): string {
  const rows = Array.from({ length: 12_000 }, (_, i) => `row ${i + 1} of the log`);
  rows[6_000] = "here the Lighthouse blinks";
  return rows.join("\n");
}

/** A run of 3,000 turns; the word stands in #6, twice in #1501, in #2991 (folded there) and in its last but one. */
function findRun(marker: string): string {
  const steps = Array.from({ length: TURNS }, (_, i) => ({
    thought: `Look at page ${i}.`,
    action: `sed -n ${i + 1},${i + 5}p notes.txt`,
    observation: `note ${i}\n`,
  }));
  const folded = Array.from({ length: 60 }, (_, i) => (i === 30 ? "a lighthouse in the middle" : `plain ${i}`));
  steps[5] = { thought: "A lighthouse stands here.", action: "cat map.txt", observation: "sea\n" };
  steps[1_500] = { thought: "The LIGHTHOUSE again.", action: "cat long.log", observation: longLog() };
  steps[2_990] = { thought: "Look.", action: "cat folded.log", observation: `${folded.join("\n")}\n` };
  steps[2_998] = { thought: "Almost.", action: `echo ${SECRET} lighthouse`, observation: "done\n" };
  return traceOf(steps, { marker, task: "Find the way." });
}

let run = "";

test.beforeAll(async ({ browser }, { workerIndex }) => {
  const content = findRun(`${Date.now()} ${workerIndex}`);
  [run = ""] = await uploadBefore(browser, { name: "coast.traj", content });
});

const field = (page: Page) => page.getByRole("searchbox", { name: "Find in all turns" });
const bar = (page: Page) => page.getByRole("search", { name: "Find in all turns" });
const current = (page: Page) => turnOf(page).locator("mark[data-find=current]");
const matches = (page: Page) => page.getByRole("region", { name: "Matches" });

async function openTurn(page: Page, number: number, more = ""): Promise<void> {
  await page.goto(`/t/${run}?turn=${number}${more}`);
  await expect(turnHead(page, number)).toBeVisible();
}

async function find(page: Page, words: string): Promise<void> {
  await page.keyboard.press("/");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type(words);
}

test("/ finds in all turns, Enter walks through the matches across turns, and Back undoes each step", async ({
  page,
}) => {
  await openTurn(page, 1_000);
  await find(page, "lighthouse");
  await expect(bar(page)).toContainText("5 in 4 turns");
  await expect(page).toHaveURL(/turn=1000&find=lighthouse$/);

  await page.keyboard.press("Enter");
  await expect(turnHead(page, 1_501)).toBeVisible();
  await expect(bar(page)).toContainText("2 of 5 in 4 turns");
  await expect(current(page)).toHaveText("LIGHTHOUSE");
  await expect(page).toHaveURL(/turn=1501&find=lighthouse&match=4\.text\.t1500\.0$/);
  await expect(
    page.getByRole("navigation", { name: "Turns" }).getByRole("link", { name: /^1501 .*2 matches/ }),
  ).toBeVisible();

  // In a part of the text that was not on the page.
  await page.keyboard.press("Enter");
  await expect(current(page)).toHaveText("Lighthouse");
  await expect(current(page)).toBeInViewport();
  await expect(bar(page)).toContainText("3 of 5 in 4 turns");
  // In a part that is folded.
  await page.keyboard.press("Enter");
  await expect(turnHead(page, 2_991)).toBeVisible();
  await expect(current(page)).toBeInViewport();
  await page.keyboard.press("Enter");
  await expect(turnHead(page, 2_999)).toBeVisible();
  await expect(current(page)).toBeInViewport();
  // Round the end.
  await page.keyboard.press("Enter");
  await expect(turnHead(page, 6)).toBeVisible();
  await expect(bar(page)).toContainText("1 of 5 in 4 turns");
  await page.keyboard.press("Shift+Enter");
  await expect(turnHead(page, 2_999)).toBeVisible();

  await page.goBack();
  await expect(turnHead(page, 6)).toBeVisible();
  await page.goBack();
  await page.goBack();
  await expect(turnHead(page, 2_991)).toBeVisible();
  await expect(bar(page)).toContainText("4 of 5");
  await page.goBack();
  await page.goBack();
  await expect(current(page)).toHaveText("LIGHTHOUSE");
  await page.goBack();
  await expect(turnHead(page, 1_000)).toBeVisible();
  await expect(field(page)).toHaveValue("lighthouse");
  await page.goBack();
  await expect(field(page)).toHaveValue("");
  await expect(page).toHaveURL(/turn=1000$/);
});

test("Escape looks for nothing any more and gives the focus back; the keys of the page rest in the field", async ({
  page,
}) => {
  await openTurn(page, 6);
  const pane = page.getByRole("region", { name: "Turn 6" });
  await pane.focus();
  await find(page, "lighthousejk?");
  await expect(bar(page)).toContainText("Not found in 3,000 turns");
  await expect(turnHead(page, 6)).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await field(page).fill("lighthouse");
  await expect(current(page)).toHaveCount(0);
  await expect(pane.locator("mark[data-find]")).toHaveText(["lighthouse"]);
  await page.keyboard.press("Escape");
  await expect(pane).toBeFocused();
  await expect(field(page)).toHaveValue("");
  await expect(page.locator("mark[data-find]")).toHaveCount(0);
  await expect(page).toHaveURL(/turn=6$/);
  await page.keyboard.press("j");
  await expect(turnHead(page, 7)).toBeVisible();
});

test("letters of another case count as the same until they shall not", async ({ page }) => {
  await openTurn(page, 1_500);
  await find(page, "LIGHTHOUSE");
  await expect(bar(page)).toContainText("5 in 4 turns");
  await page.getByRole("button", { name: "Match case" }).click();
  await expect(bar(page)).toContainText("1 in 1 turn");
  await expect(page).toHaveURL(/find=LIGHTHOUSE&case=match/);
  // Nothing of it is a pattern.
  await field(page).fill("LIGHT.*");
  await expect(bar(page)).toContainText("Not found");
});

test("a link opens its match, also in a text that is long", async ({ page }) => {
  const offset = longLog().indexOf("Lighthouse");
  await openTurn(page, 1_501, `&find=lighthouse&match=${offset}.text.t1500.2`);
  await expect(current(page)).toHaveText("Lighthouse");
  await expect(current(page)).toBeInViewport();
  await expect(bar(page)).toContainText("3 of 5 in 4 turns");
  await expect(field(page)).toHaveValue("lighthouse");
  await expect(matches(page)).toHaveCount(0);
});

test("the list of matches leads to each of them, by mouse and by arrow keys", async ({ page }) => {
  await openTurn(page, 1_000);
  await find(page, "lighthouse");
  const links = matches(page).getByRole("link");
  await expect(links).toHaveText([
    /A lighthouse stands here/,
    /The LIGHTHOUSE again/,
    /here the Lighthouse blinks/,
    /a lighthouse in the middle/,
    /lighthouse/,
  ]);
  await links.nth(3).click();
  await expect(turnHead(page, 2_991)).toBeVisible();
  await expect(current(page)).toBeInViewport();
  await expect(links.nth(3)).toHaveAttribute("aria-current", "true");
  await links.nth(3).press("ArrowUp");
  await expect(links.nth(2)).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(turnHead(page, 1_501)).toBeVisible();
  await page.getByRole("button", { name: "List of matches" }).click();
  await expect(matches(page)).toHaveCount(0);
});

test("very many matches are counted while the search goes on, and few elements stand in the page", async ({ page }) => {
  await openTurn(page, 1_000);
  await find(page, "note");
  await expect(bar(page)).toContainText("5,992 in 2,996 turns");
  await expect(matches(page).getByRole("link").first()).toBeVisible();
  expect(await page.locator("body *").count()).toBeLessThan(3_000);
  await page.keyboard.press("Enter");
  await expect(bar(page)).toContainText("1,997 of 5,992 in 2,996 turns");
});

test("looks right with matches", async ({ page }) => {
  await openTurn(page, 1_501);
  await find(page, "row 1");
  await page.keyboard.press("Enter");
  await expect(current(page)).toHaveText("row 1");
  await expect(matches(page)).toBeVisible();
  await checkThemes(page);
  await field(page).fill("nothing has this");
  await expect(bar(page)).toContainText("Not found");
  await checkThemes(page);
});

test("one column at 390", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openTurn(page, 1_000);
  await expect(field(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Find in all turns" }).click();
  await expect(field(page)).toBeFocused();
  await expect.poll(() => bar(page).boundingBox()).toMatchObject({ x: 0, width: 390 });
  await page.keyboard.type("lighthouse");
  await expect(bar(page)).toContainText("5 in 4 turns");
  await page.getByRole("button", { name: "Next match" }).click();
  await page.getByRole("button", { name: "Next match" }).click();
  await expect(turnHead(page, 1_501)).toBeVisible();
  await expect(current(page)).toHaveText("Lighthouse");
  await expect(current(page)).toBeInViewport();
  const isBelow = async (): Promise<boolean> => {
    const [mark, edge] = [await current(page).boundingBox(), await bar(page).boundingBox()];
    return mark !== null && edge !== null && mark.y > edge.y + edge.height;
  };
  await expect.poll(isBelow, { message: "the match is not behind the bar" }).toBe(true);
  await checkThemes(page);
  await page.getByRole("button", { name: "List of matches" }).click();
  await checkThemes(page);
  await matches(page)
    .getByRole("link", { name: /middle/ })
    .click();
  await expect(turnHead(page, 2_991)).toBeVisible();
  await expect(matches(page)).toHaveCount(0);
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  await page.getByRole("button", { name: "Next match" }).click();
  await expect(turnHead(page, 2_999)).toBeVisible();
  // The page moves to the match, and what is pressed with it.
  await expect(current(page)).toHaveText("lighthouse");
  await expect(current(page)).toBeInViewport();
  await page.getByRole("button", { name: "Close find" }).click();
  await expect(field(page)).toHaveCount(0);
  await expect(page.locator("mark[data-find]")).toHaveCount(0);
});

test("finds in a shared trajectory, and nothing of a masked secret", async ({ page, stranger }) => {
  await openTurn(page, 2_999);
  await find(page, SECRET.slice(4, 20));
  await expect(bar(page)).toContainText(/^\D*\d+ in 1 turn/);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByLabel("The new link").inputValue();

  await stranger.goto(link);
  await expect(turnHead(stranger, 2_999)).toBeVisible();
  await find(stranger, SECRET.slice(4, 20));
  await expect(bar(stranger)).toContainText("Not found in 3,000 turns");
  await field(stranger).fill("lighthouse");
  await expect(bar(stranger)).toContainText(/ in 4 turns/);
  await stranger.keyboard.press("Enter");
  await expect(current(stranger)).toHaveText("lighthouse");
  await field(stranger).fill("redacted:github-token");
  await expect(bar(stranger)).toContainText(" in 1 turn");
  await checkLayout(stranger);
});
