import { type APIRequestContext, request as makeRequest, type Page } from "@playwright/test";
import { z } from "zod";
import { ingest } from "@/lib/ingest/ingest";
import { fixturesOf, readFixture } from "@/lib/ingest/test-support/fixtures";
import { MUTATIONS } from "@/lib/ingest/test-support/mutations";
import { turnsOf } from "@/lib/trajectory/schema";
import { runViewSchema } from "@/lib/views/run";
import { type TrajectoryRow, uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { traceOf } from "../forensics/runs";
import { makeApiKey } from "../harness/command-line";
import { waitForImport } from "../harness/upload";
import { expect, productOrigin, test } from "../harness/watched-page";
import { ask } from "../security/answers";
import { BAD_INPUTS } from "./inputs";

let api: APIRequestContext;
test.beforeAll(async () => {
  const authorization = `Bearer ${await makeApiKey()}`;
  api = await makeRequest.newContext({ baseURL: productOrigin(), extraHTTPHeaders: { authorization } });
});
test.afterAll(() => api.dispose());

const markerOf = (name: string): string => `${name} of ${Date.now()}`;

/** Sends a file as a script does, and waits for the end of its import. */
async function importOf(name: string, content: string | Uint8Array): Promise<TrajectoryRow> {
  const response = await api.post(`/api/v1/uploads?name=${encodeURIComponent(name)}`, { data: Buffer.from(content) });
  expect(response.ok(), `upload of ${name}: ${response.status()}`).toBe(true);
  return waitForImport(api, uploadAnswerSchema.parse(await response.json()).id);
}

/** The worker takes the next job as if nothing had been. */
async function checkWorker(marker: string): Promise<void> {
  const step = { thought: "Look.", action: "ls", observation: "a\n" };
  expect(await importOf("next.traj", traceOf([step], { marker, task: "Go on." }))).toMatchObject({ status: "ready" });
}

const runAnswer = z.object({ run: runViewSchema });

/** Opens the page of an imported run: each note is told with its count, and every turn opens. */
async function checkRun(page: Page, id: string): Promise<Map<string, number>> {
  const { run } = runAnswer.parse(await (await api.get(`/api/v1/trajectories/${id}`)).json());
  const turns = run.strip.turns;
  await page.goto(`/t/${id}?turn=${Math.max(1, turns)}`);
  await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
  if (run.notes.length > 0) {
    await page.getByRole("button", { name: /import notes?$|not understood$/ }).click();
    const dialog = page.getByRole("dialog");
    for (const note of run.notes) {
      const told = dialog.getByRole("listitem").filter({ hasText: note.message.slice(0, 60) });
      await expect(told).toContainText(note.count.toLocaleString("en-GB"));
    }
    await page.keyboard.press("Escape");
  }
  expect(await page.evaluate(() => Reflect.get({}, "isAdmin"))).toBeUndefined();
  return new Map(run.notes.map((note) => [note.code, note.count]));
}

for (const { name, make, expected } of BAD_INPUTS) {
  test(`bad input, the whole way: ${name}`, async ({ page }) => {
    const marker = markerOf(name);
    const row = await importOf(name, make(marker));
    await checkWorker(`behind ${marker}`);
    if (expected.status === "failed") {
      expect(row).toMatchObject({ status: "failed", failure: { code: expected.code } });
      await page.goto(`/t/${row.id}`);
      await expect(page.getByRole("main")).toContainText(expected.words);
      await expect(page.getByRole("link", { name: "Download upload" })).toBeVisible();
      await page.goto("/");
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      return;
    }
    expect(row, JSON.stringify(row.failure)).toMatchObject({ status: "ready", turnCount: expected.turns });
    const notes = await checkRun(page, row.id);
    for (const [code, count] of Object.entries(expected.notes)) expect(notes.get(code), code).toBe(count);
    if (expected.shown === undefined) return;
    let seen = 0;
    for (let turn = 1; turn <= expected.turns && seen === 0; turn++) {
      await page.goto(`/t/${row.id}?turn=${turn}`);
      await expect(page.getByRole("heading", { level: 2 }).first()).toBeVisible();
      seen = await page.getByText(expected.shown).count();
    }
    expect(seen, expected.shown).toBeGreaterThan(0);
  });
}

/**
 * One format of each kind of content: a document, lines, text. Every change of every format's files is read in
 * lib/ingest/adapter-mutations.test.ts; the way from there to the page is the same for all.
 */
for (const id of ["swe-agent", "claude-code", "aider"]) {
  test(`bad input, the whole way: every way to spoil a file of ${id}`, async ({ page }) => {
    test.setTimeout(180_000);
    const [file = ""] = fixturesOf(id);
    const original = readFixture(file);
    const spoilt = MUTATIONS.map(({ name, change }) => ({ name: `${id}, ${name}`, bytes: change(original).bytes }));
    const rows = await Promise.all(spoilt.map(({ name, bytes }) => importOf(name, bytes)));
    for (const [n, { name, bytes }] of spoilt.entries()) {
      const { trajectory } = ingest({ name, bytes });
      const row = rows[n];
      expect(row, name).toMatchObject({ status: "ready", turnCount: turnsOf(trajectory).length });
      const notes = await checkRun(page, row?.id ?? "");
      expect(notes, name).toEqual(new Map(trajectory.notes.map((note) => [note.code, note.count])));
    }
    await checkWorker(markerOf(`behind ${id}`));
  });
}

test("U5: a body over the limit is refused by its announced length, before it is sent", async () => {
  const key = await makeApiKey();
  const headers = { authorization: `Bearer ${key}`, "content-length": String(600 * 1024 * 1024) };
  const answer = await ask("/api/v1/uploads?name=large.traj", { method: "POST", headers });
  expect(answer.status).toBe(413);
  expect(answer.body).toContain("at most 256 MiB");
});
