import { expect, type Page } from "@playwright/test";
import {
  DEFAULT_SETTINGS,
  type InvestigationSettings,
  investigationsSchema,
  type ReviewRequest,
} from "@/lib/views/investigation";
import { type Investigating, startInvestigating } from "../harness/investigating";
import { test } from "../harness/watched-page";
import { SCRIPTS } from "../investigation/scripts";
import { testScreens } from "./looking";
import { expectSteady, watchShifts } from "./shifts";

let product: Investigating;
const ids = new Map<string, string>();
let isSlowStarted = false;

/** Starts an investigation; gives back its id. */
async function start(name: string, settings: InvestigationSettings = DEFAULT_SETTINGS): Promise<string> {
  const sent = await product.request.post(`/api/v1/trajectories/${ids.get(name)}/investigations`, {
    data: settings,
    headers: { origin: product.origin },
  });
  return investigationsSchema.parse(await sent.json()).latest?.id ?? "";
}

async function review(name: string, data: ReviewRequest): Promise<void> {
  const said = await product.request.post(`/api/v1/trajectories/${ids.get(name)}/reviews`, {
    data,
    headers: { origin: product.origin },
  });
  expect(said.ok()).toBe(true);
}

test.beforeAll(async ({ browser }) => {
  test.setTimeout(300_000);
  product = await startInvestigating(browser, SCRIPTS);
  for (const name of ["fresh", "whole", "votes", "unsure", "shut", "slow"])
    ids.set(name, await product.failedRun(name));
  for (const name of ["whole", "unsure", "shut"]) {
    await start(name);
    await product.endOf(ids.get(name) ?? "");
  }
  await start("votes", { ...DEFAULT_SETTINGS, votes: 2, secondJudge: true });
  await product.endOf(ids.get("votes") ?? "");
  ids.set("resolved", await product.endedRun("resolved", { outcome: "resolved" }));
  const analysisId = await start("whole");
  await product.endOf(ids.get("whole") ?? "");
  const reasons = [
    "The module is wrong from its first line, and everything after it builds on that.",
    "No: at #4 it could still be repaired. Here the count is gone for good.",
  ] as const;
  await review("whole", { analysisId, kind: "moved", turn: 3, reason: reasons[0] });
  await review("whole", { analysisId, kind: "confirmed", turn: 6, reason: reasons[1] });
});

test.afterAll(() => product.stop());

/** The harness knows one origin, and these pages have another. */
const expected = /request to another origin: http:\/\/127\.0\.0\.1:\d+\//;

const verdictOf = (page: Page) => page.getByRole("region", { name: "Verdict", exact: true });

async function open(page: Page, name: string, query: string, words: string | RegExp): Promise<void> {
  await product.enter(page);
  await page.goto(`${product.origin}/t/${ids.get(name)}?turn=7${query}`);
  await expect(verdictOf(page).getByText(words).first()).toBeVisible({ timeout: 30_000 });
}

for (const size of [
  { width: 1_440, height: 1_000 },
  { width: 390, height: 844 },
]) {
  test(`an investigation comes to its verdict while the page is read, and nothing jumps, ${size.width}`, async ({
    page,
    tolerate,
  }) => {
    test.setTimeout(120_000);
    tolerate(expected);
    const id = await product.failedRun(size.width > 1_000 ? "jumpswide" : "jumpsnarrow");
    await product.enter(page);
    await page.setViewportSize(size);
    await watchShifts(page);
    await page.goto(`${product.origin}/t/${id}`);
    await verdictOf(page).getByRole("button", { name: "Investigate" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Start" }).click();
    await expect(verdictOf(page).getByText("By the model, the run went wrong for good")).toBeVisible({
      timeout: 60_000,
    });
    // The turn that was open stays open, though the verdict names another.
    await expect(page.getByRole("heading", { level: 2, name: "#4", exact: true })).toBeVisible();
    await expectSteady(page);
  });
}

testScreens("investigation", [
  {
    name: "not started",
    open: (page) => open(page, "fresh", "", "No model has looked at this run yet"),
    expected,
  },
  {
    name: "form",
    open: async (page) => {
      await open(page, "fresh", "", "No model has looked at this run yet");
      await verdictOf(page).getByRole("button", { name: "Investigate" }).click();
      await expect(page.getByRole("dialog", { name: "Investigate" })).toBeVisible();
    },
    expected,
  },
  {
    name: "running",
    open: async (page) => {
      // It never ends, and others would wait behind it: it is started when they are over.
      if (!isSlowStarted) await start("slow");
      isSlowStarted = true;
      await open(page, "slow", "&panel=trail", /3 questions/);
    },
    expected,
  },
  { name: "determined", open: (page) => open(page, "whole", "", "By the model, the run went wrong"), expected },
  {
    name: "all of the verdict",
    open: (page) => open(page, "votes", "&panel=verdict", "semantic logic error, judge-small"),
    expected,
  },
  { name: "trail", open: (page) => open(page, "whole", "&panel=trail", /stood folded/), expected },
  {
    name: "what the judge saw",
    open: async (page) => {
      await open(page, "whole", "&panel=trail", /stood folded/);
      await verdictOf(page).getByRole("button", { name: "What the judge saw" }).last().click();
      await expect(page.getByRole("dialog").getByText(/tokens in/)).toBeVisible();
    },
    expected,
  },
  {
    name: "review",
    open: async (page) => {
      await open(page, "whole", "", "By the model, the run went wrong");
      await verdictOf(page).getByRole("button", { name: "Review again" }).click();
      await expect(page.getByRole("dialog").getByText("Said so far")).toBeVisible();
    },
    expected,
  },
  {
    name: "all investigations",
    open: async (page) => {
      await open(page, "whole", "", "By the model, the run went wrong");
      await verdictOf(page).getByRole("button", { name: "2 investigations" }).click();
      await expect(page.getByRole("dialog").getByText("shown", { exact: true })).toBeVisible();
    },
    expected,
  },
  { name: "undetermined", open: (page) => open(page, "unsure", "", "Undetermined by the model"), expected },
  {
    name: "refused",
    open: (page) => open(page, "resolved", "", "The run is known to have succeeded: there is no error to look for."),
    expected,
  },
  { name: "failed", open: (page) => open(page, "shut", "", "The investigation failed"), expected },
]);
