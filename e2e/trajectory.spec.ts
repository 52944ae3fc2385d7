import type { Page } from "@playwright/test";
import { longRun, shopRun, tallRun } from "./forensics/runs";
import { sessionRun } from "./forensics/sessions";
import { checkLayout, checkThemes } from "./harness/layout";
import { turnHead, turnOf } from "./harness/turn";
import { uploadBefore, uploadThroughPage } from "./harness/upload";
import { expect, test } from "./harness/watched-page";

let shop = "";
let long = "";
let tall = "";
let session = "";

test.beforeAll(async ({ browser }, { workerIndex }) => {
  const marker = `${Date.now()} ${workerIndex}`;
  [shop = "", long = "", tall = "", session = ""] = await uploadBefore(
    browser,
    { name: "basket.traj", content: shopRun(`shop ${marker}`) },
    { name: "notes.traj", content: longRun(`long ${marker}`, 3_000) },
    { name: "table.traj", content: tallRun(`tall ${marker}`) },
    { name: "session.jsonl", content: sessionRun(`session ${marker}`) },
  );
});

const outline = (page: Page) => page.getByRole("navigation", { name: "Turns" });

test("opens on the verdict's turn with its quotation and its code", async ({ page }) => {
  await page.goto(`/t/${shop}`);
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(turnHead(page, 4)).toBeVisible();
  await expect(
    page
      .getByText("By the structural rule", { exact: false })
      .or(page.getByText("by the structural rule", { exact: false }))
      .first(),
  ).toBeVisible();
  await expect(page.getByText("rule structural@2")).toBeVisible();
  await expect(page.locator("mark").first()).toBeVisible();
  const code = page.getByRole("region", { name: "Code" });
  await expect(code.getByText('"""Prices of a basket."""')).toBeVisible();
  await expect(outline(page).locator("[aria-current=true]")).toContainText("4");
  await checkLayout(page);
});

test("is drawn by the server at any address, code and turn included", async ({ page }) => {
  const response = await page.request.get(`/t/${shop}?turn=7&view=code&file=price.py&line=19`);
  const html = await response.text();
  expect(html).toContain("The tax must be taken after the discount.");
  expect(html).toContain("Total of a basket in cents, with tax.");
  expect(html).toContain('data-line="19"');
});

test("the list of candidates opens, leads to a turn, and closes with Escape", async ({ page }) => {
  await page.goto(`/t/${shop}`);
  const candidates = page.getByRole("list", { name: "Candidate turns" });
  await expect(candidates).toHaveCount(0);
  await page.getByRole("button", { name: /candidate turns? with reasons/ }).click();
  await expect(candidates.getByRole("listitem").first()).toContainText("#4");
  await page.keyboard.press("j");
  await expect(turnHead(page, 5)).toBeVisible();
  await candidates.getByRole("link", { name: /#4/ }).first().click();
  await expect(turnHead(page, 4)).toBeVisible();
  // The first press closes what the link opened, the next one the list.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await expect(candidates).toHaveCount(0);
});

test("compares a write in the editor, with both sides' certainty", async ({ page }) => {
  await page.goto(`/t/${shop}?turn=7`);
  const editor = page.getByTestId("monaco-diff");
  await expect(editor).toHaveAttribute("data-changes", "1");
  await expect(editor).toBeVisible();
  await expect(editor).toContainText("discount");
  const code = page.getByRole("region", { name: "Code" });
  await expect(code.getByRole("button", { name: "Before #7" })).toHaveAttribute("aria-pressed", "true");
  await expect(code.getByText("replayed").first()).toBeVisible();
  await code.getByRole("button", { name: "Final" }).click();
  await expect(page).toHaveURL(/to=final/);
  await checkLayout(page);
});

test("shows arguments as text with line breaks, and the quotation where it stands in them", async ({ page }) => {
  await page.goto(`/t/${session}`);
  await expect(turnHead(page, 1)).toBeVisible();
  const turn = turnOf(page);
  await expect(turn.getByText("file_path", { exact: true })).toBeVisible();
  await expect(turn.locator("mark", { hasText: /^def total\(lines\):$/ })).toBeVisible();
  await expect(turn.getByText("\\n", { exact: false })).toHaveCount(0);
  await expect(turn.locator("dd").getByText("right-to-left override", { exact: false })).toHaveCount(1);
  await page.keyboard.press("j");
  // A call that is quoted is open.
  const edit = turn.getByRole("button", { name: /Edit .*price\.py/ });
  await expect(edit).toHaveAttribute("aria-expanded", "true");
  await expect(turn.locator("dt")).toHaveText(["file_path", "replace_all", "old_string", /^new_string\s*2 lines$/]);
  await expect(turn.getByText('amount = sum(line["price"] * line["count"] for line in lines)')).toBeVisible();
  await checkLayout(page);
  await edit.click();
  await expect(turn.locator("dt")).toHaveCount(0);
});

test("shows a refused edit as refused, with its reason", async ({ page }) => {
  await page.goto(`/t/${shop}?turn=8`);
  const code = page.getByRole("region", { name: "Code" });
  await expect(code.getByText("This edit was refused and changed nothing")).toBeVisible();
  await expect(code.getByText("did not appear verbatim", { exact: false })).toBeVisible();
});

test("colours terminal text and cuts a long result with a count", async ({ page }) => {
  await page.goto(`/t/${shop}?turn=9`);
  const turn = turnOf(page);
  await expect(turn.locator("span.text-a-red", { hasText: /^FAILED$/ })).toBeVisible();
  await page.goto(`/t/${shop}?turn=10`);
  await expect(turn.getByText("collected item 1 of the long log")).toBeVisible();
  // It stands in pieces, and is opened whole where nothing folds it.
  await page.getByRole("group", { name: "How results are folded" }).getByRole("button", { name: "Off" }).click();
  await turn.getByRole("button", { name: /lines?,.*not shown Open/ }).click();
  await expect(page.getByRole("region", { name: "Opened text" })).toContainText("collected item 2 of the long log");
  await expect(turn.getByText(/^All 1\d,\d{3} characters$/)).toBeVisible();
});

test("a chip and a quotation go to their place, and Back undoes each step", async ({ page }) => {
  await page.goto(`/t/${shop}?turn=1`);
  await expect(turnHead(page, 1)).toBeVisible();
  await page.getByRole("region", { name: "Verdict" }).getByRole("link", { name: /#4$/ }).first().click();
  await expect(page).toHaveURL(/turn=4/);
  await expect(turnHead(page, 4)).toBeVisible();
  await page.goBack();
  await expect(turnHead(page, 1)).toBeVisible();
  await page.getByRole("region", { name: "Verdict" }).locator("q").first().click();
  await expect(page).toHaveURL(/item=/);
  await expect(page.locator("mark").first()).toBeInViewport();
  await page.getByRole("link", { name: "price.py", exact: true }).first().click();
  await expect(page).toHaveURL(/file=price\.py/);
  await page.goBack();
  await page.goBack();
  await expect(turnHead(page, 1)).toBeVisible();
});

test("keys walk the run and rest in fields", async ({ page }) => {
  await page.goto(`/t/${shop}?turn=1`);
  await expect(turnHead(page, 1)).toBeVisible();
  await page.keyboard.press("j");
  await expect(turnHead(page, 2)).toBeVisible();
  await page.keyboard.press("k");
  await expect(turnHead(page, 1)).toBeVisible();
  await page.keyboard.press("e");
  await expect(turnHead(page, 4)).toBeVisible();
  await page.keyboard.press("Shift+G");
  await expect(turnHead(page, 14)).toBeVisible();
  await page.keyboard.press("g");
  await page.keyboard.press("g");
  await expect(turnHead(page, 1)).toBeVisible();
  await page.keyboard.press("2");
  await expect(page).toHaveURL(/view=files/);
  const filter = page.getByLabel("Filter files by path");
  await filter.fill("jjj");
  await expect(page).toHaveURL(/turn=1&view=files/);
  await filter.fill("price");
  await expect(page.getByRole("list", { name: "Files" }).getByRole("link")).toHaveCount(1);
  await filter.blur();
  await page.keyboard.press("3");
  await expect(page.getByRole("heading", { name: "Raw records of #1" })).toBeVisible();
  await page.keyboard.press("Shift+?");
  await expect(page.getByRole("dialog", { name: "Keys" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});

test("the strip selects by click, drag and keys", async ({ page }) => {
  await page.goto(`/t/${shop}?turn=1`);
  const strip = page.getByRole("slider", { name: "Open turn" });
  await expect(strip).toHaveAttribute("aria-valuenow", "1");
  const box = await strip.boundingBox();
  if (!box) throw new Error("the strip has no size");
  const at = (turn: number) => ({ x: box.x + ((turn - 0.5) / 14) * box.width, y: box.y + 30 });
  await page.mouse.click(at(10).x, at(10).y);
  await expect(strip).toHaveAttribute("aria-valuenow", "10");
  await page.mouse.move(at(10).x, at(10).y);
  await page.mouse.down();
  await page.mouse.move(at(12).x, at(12).y, { steps: 6 });
  await page.mouse.up();
  await expect(strip).toHaveAttribute("aria-valuenow", "12");
  await strip.focus();
  await page.keyboard.press("ArrowLeft");
  await expect(turnHead(page, 11)).toBeVisible();
  await page.getByRole("button", { name: "Show marks only" }).click();
  await page.reload();
  await expect(page.getByRole("button", { name: "Show all lanes" })).toBeVisible();
  await page.getByRole("button", { name: "Show all lanes" }).click();
});

test("3,000 turns scroll with few elements, and marks stay on the strip", async ({ page }) => {
  await page.goto(`/t/${long}?turn=1500`);
  await expect(turnHead(page, 1500)).toBeVisible();
  await expect(outline(page).getByRole("link", { name: /^1500 / })).toBeVisible();
  await page.keyboard.press("Shift+G");
  await expect(outline(page).getByRole("link", { name: /^3000 / })).toBeVisible();
  await outline(page)
    .locator("ol")
    .evaluate((list) => {
      if (list.parentElement) list.parentElement.scrollTop = 30_000;
    });
  await expect(outline(page).getByText("Reads", { exact: false }).first()).toBeVisible();
  expect(await outline(page).locator("*").count()).toBeLessThan(500);
  await expect(page.getByRole("region", { name: "Timeline" }).getByRole("link", { name: /#21 / })).toBeVisible();
  await page.getByRole("button", { name: /^Writes/ }).click();
  await expect(page).toHaveURL(/list=writes/);
  await expect(outline(page).getByRole("link").first()).toContainText("21");
});

test("an address that means nothing opens softly", async ({ page, tolerate }) => {
  await page.goto(`/t/${shop}?turn=9999&view=admin&file=gone.py&line=zero&context=77`);
  await expect(turnHead(page, 14)).toBeVisible();
  tolerate(/404/);
  await page.goto("/t/nobody-has-this");
  await expect(page.getByRole("heading", { name: "Nothing here" })).toBeVisible();
});

test("at 390 the code opens on the line that is asked for, below the tabs and above the bar", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const isInView = async (line: ReturnType<Page["locator"]>) => {
    await expect(line).toBeInViewport();
    const isBetween = async (): Promise<boolean> => {
      const box = await line.boundingBox();
      return box !== null && box.y > 44 && box.y + box.height < 844 - 52;
    };
    await expect.poll(isBetween, { message: "below the tabs and above the bar" }).toBe(true);
  };
  const code = page.getByRole("region", { name: "Code" });
  await page.goto(`/t/${tall}?turn=1&view=code&file=table.py&line=180`);
  await isInView(code.locator('[data-line="180"]'));
  await expect(code.locator('[data-line="1"]')).not.toBeInViewport();
  // Another turn's comparison, made while its pane is hidden.
  await page.getByRole("button", { name: /^Turn #/ }).click();
  await page.getByRole("button", { name: /^Next turn/ }).click();
  await expect(turnHead(page, 2)).toBeVisible();
  await expect(page.getByTestId("monaco-diff")).toHaveAttribute("data-changes", "1");
  await page.getByRole("button", { name: "Code", exact: true }).click();
  await isInView(page.getByTestId("monaco-diff").getByText("ROW_240 = 0", { exact: false }).first());
});

test("one column at 390", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/t/${shop}?turn=7`);
  await expect(turnHead(page, 7)).toBeVisible();
  await checkThemes(page);
  await page.getByRole("button", { name: "Code", exact: true }).click();
  await expect(page.getByTestId("monaco-diff")).toBeVisible();
  await expect(turnHead(page, 7)).toBeHidden();
  await page.getByRole("button", { name: "Outline", exact: true }).click();
  await outline(page).getByRole("link", { name: /^4 / }).click();
  await expect(turnHead(page, 4)).toBeVisible();
  await page.getByRole("button", { name: /^Next turn/ }).click();
  await expect(turnHead(page, 5)).toBeVisible();
  await page.getByRole("button", { name: "Next flagged" }).click();
  await expect(turnHead(page, 7)).toBeVisible();
  await checkThemes(page);
});

test("a share link opens on the same turn with its code for a stranger, until it is revoked", async ({
  page,
  stranger,
  tolerate,
}) => {
  await page.goto(`/t/${shop}?turn=7`);
  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByLabel(/Opens on/).fill("40");
  await expect(dialog.getByRole("button", { name: "Create link" })).toBeDisabled();
  await dialog.getByLabel(/Opens on/).fill("3");
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = await dialog.getByLabel("The new link").inputValue();
  expect(link).toMatch(/\/s\/[A-Za-z0-9_-]{22}\?turn=7/);

  await stranger.goto(link);
  await expect(turnHead(stranger, 7)).toBeVisible();
  await expect(stranger.getByTestId("monaco-diff")).toContainText("discount");
  await expect(stranger.getByText("Read only")).toBeVisible();
  await expect(stranger.getByText(/^Secrets masked by rules secrets@\d+$/)).toBeVisible();
  for (const name of ["Share", "Attach baseline", "Download upload", "Show raw"]) {
    await expect(
      stranger.getByRole("button", { name, exact: true }).or(stranger.getByRole("link", { name, exact: true })),
    ).toHaveCount(0);
  }
  await checkLayout(stranger);
  await stranger.keyboard.press("j");
  await expect(turnHead(stranger, 8)).toBeVisible();

  await dialog.getByRole("button", { name: "Revoke" }).first().click();
  await expect(dialog.getByText("revoked").first()).toBeVisible();
  tolerate(/404/);
  const body = async (url: string) => {
    const response = await stranger.goto(url);
    expect(response?.status()).toBe(404);
    return stranger.getByRole("main").textContent();
  };
  const revoked = await body(link);
  expect(revoked).toContain("This link does not open anything");
  expect(await body(link.replace(/\/s\/[^?]+/, `/s/${"A".repeat(22)}`))).toBe(revoked);
  expect(await body(link.replace(/\/s\/[^?]+/, "/s/%00"))).toBe(revoked);
});

test("an upload that is no trajectory says why, and can be downloaded", async ({ page }) => {
  const row = await uploadThroughPage(page, { name: "broken.traj", content: `{"trajectory": [1, ${Date.now()}` });
  expect(row.status).toBe("failed");
  await page.goto(`/t/${row.id}`);
  await expect(page.getByText("The import failed.", { exact: false })).toBeVisible();
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download upload" }).click(),
  ]);
  expect(download.suggestedFilename()).toContain("broken");
  await checkLayout(page);
});
