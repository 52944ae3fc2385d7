import type { Page } from "@playwright/test";
import { expect, test } from "../harness/watched-page";
import { type ModelServer, startModelServer } from "../model-server/server";
import type { Style } from "../model-server/styles";
import { testScreens } from "./looking";
import { type OwnWeb, startOwnWeb } from "./own-web";

let server: ModelServer;
let web: OwnWeb;
let awayWeb: OwnWeb;

const settingsFor = (baseUrl: string): Record<string, string> => ({
  OPENAI_API_KEY: `sk-${"test".repeat(8)}`,
  OPENAI_BASE_URL: baseUrl,
  OPENAI_MODEL: "judge-large-2026-11",
  OPENAI_SECOND_MODEL: "judge-small",
  OPENAI_PRICES: "2.5,0.25,10",
  LLM_ALLOW_PRIVATE: "1",
});

test.beforeAll(async () => {
  test.setTimeout(180_000);
  server = await startModelServer([]);
  const away = await startModelServer([]);
  await away.close();
  web = await startOwnWeb(undefined, settingsFor(server.baseUrl));
  awayWeb = await startOwnWeb(undefined, settingsFor(away.baseUrl));
});

test.afterAll(async () => {
  await web.stop();
  await awayWeb.stop();
  await server.close();
});

/** The harness knows one origin, and these pages have others. */
const expected = /request to another origin: http:\/\/127\.0\.0\.1:\d+\//;

async function openSettings(page: Page, at: OwnWeb): Promise<void> {
  await at.enter(page);
  await page.goto(`${at.origin}/settings`);
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
}

const check = (page: Page) => page.getByRole("button", { name: "Check the model" });

async function openFound(page: Page, style: Partial<Style>, words: RegExp): Promise<void> {
  server.setStyle(style);
  await openSettings(page, web);
  await check(page).click();
  await expect(page.getByText(words).first()).toBeVisible();
  await expect(check(page)).toBeEnabled();
}

testScreens("settings", [
  {
    name: "no model",
    open: async (page) => {
      await page.goto("/settings");
      await expect(page.getByText("No model is configured")).toBeVisible();
    },
  },
  {
    name: "model found",
    open: (page) => openFound(page, {}, /also when one tool has to be called/),
    expected,
  },
  {
    name: "model that answers in text only",
    open: (page) =>
      openFound(
        page,
        { tools: "refused", jsonMode: "refused", temperature: "refused", usage: false },
        /A JSON block in its text/,
      ),
    expected,
  },
  {
    name: "model that cannot be reached",
    open: async (page) => {
      await openSettings(page, awayWeb);
      await check(page).click();
      await expect(page.getByText("Nothing answers at the model's address").first()).toBeVisible();
      await expect(check(page)).toBeEnabled();
    },
    expected,
  },
]);

test("the settings page is a click away, and shows neither key nor address", async ({ page, tolerate }) => {
  tolerate(expected);
  await page.setViewportSize({ width: 1_440, height: 1_000 });
  await web.enter(page);
  await page.goto(`${web.origin}/`);
  await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Settings" })).toBeVisible();
  await expect(page.getByText("judge-large-2026-11").first()).toBeVisible();
  const html = await page.content();
  expect(html).not.toContain("test".repeat(8));
  expect(html).not.toContain(`${server.baseUrl}`);
});

test("O1: nothing that a request says changes where the model is asked", async ({ page, tolerate }) => {
  tolerate(expected);
  const other = await startModelServer([]);
  await openSettings(page, web);
  const before = server.probes.length;
  const status = await page.evaluate(async (elsewhere) => {
    const names = ["base_url", "baseUrl", "baseURL", "api_base", "url", "host", "model", "endpoint"];
    const values = Object.fromEntries(names.map((name) => [name, elsewhere]));
    const query = new URLSearchParams(values);
    const headers = { ...values, "content-type": "application/json" };
    const answer = await fetch(`/api/v1/model/probe?${query}`, {
      method: "POST",
      headers,
      body: JSON.stringify(values),
    });
    return answer.status;
  }, other.baseUrl);
  expect(status).toBe(200);
  expect(server.probes.length).toBeGreaterThan(before);
  expect([...other.asked, ...other.probes, ...other.violations]).toEqual([]);
  await other.close();
});
