import { type APIRequestContext, type Browser, expect, type Page } from "@playwright/test";
import { z } from "zod";
import type { GivenChange } from "@/lib/views/failure";
import { investigationsSchema } from "@/lib/views/investigation";
import { uploadAnswerSchema } from "@/lib/views/trajectory-list";
import { freePort } from "../../bin/launch/port.mjs";
import { shopRun } from "../forensics/runs";
import { type ModelServer, type Script, startModelServer } from "../model-server/server";
import { untilAlive } from "./alive";
import { leftOver, newDataFolder, startLauncher } from "./started-launcher";
import { waitForImport } from "./upload";

/** The product with a scripted model, on a database of its own: no other spec meets a model. */
export interface Investigating {
  origin: string;
  server: ModelServer;
  /** Signed in. */
  request: APIRequestContext;
  /** Signs a page in. */
  enter: (page: Page) => Promise<void>;
  /** Imports a run of 14 turns that failed; the marker stands in its error report, by which its script is found. */
  failedRun: (marker: string) => Promise<string>;
  /** As it, with what is said of how the run ended. */
  endedRun: (marker: string, said: GivenChange) => Promise<string>;
  /** Waits until the investigation of a run has ended, and gives back how. */
  endOf: (id: string) => Promise<string>;
  stop: () => Promise<void>;
}

const latestSchema = investigationsSchema.pick({ latest: true });

/** Starts it and signs in; up to two minutes on a busy machine. */
export async function startInvestigating(browser: Browser, scripts: Script[]): Promise<Investigating> {
  const server = await startModelServer(scripts);
  const dataDir = newDataFolder();
  const launched = startLauncher({
    dataDir,
    port: await freePort(),
    env: {
      OPENAI_API_KEY: `sk-${"page".repeat(8)}`,
      OPENAI_BASE_URL: server.baseUrl,
      OPENAI_MODEL: "judge-large-2026-11",
      OPENAI_SECOND_MODEL: "judge-small",
      OPENAI_PRICES: "2.5,0.25,10",
      LLM_ALLOW_PRIVATE: "1",
    },
  });
  const link = await launched.untilOpen(120_000);
  const { origin } = new URL(link);
  const context = await browser.newContext({ baseURL: origin, storageState: undefined });
  const page = await context.newPage();
  await page.goto(link);
  await untilAlive(page);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/" && url.search === "");
  const { request } = context;
  const headers = { origin };

  const upload = async (marker: string): Promise<string> => {
    const sent = await request.post(`/api/v1/uploads?name=${marker}.traj`, {
      data: Buffer.from(shopRun(marker)),
      headers: { ...headers, "content-type": "application/octet-stream" },
    });
    expect(sent.ok(), `upload of ${marker}: ${sent.status()}`).toBe(true);
    const { id } = uploadAnswerSchema.parse(await sent.json());
    expect((await waitForImport(request, id)).status).toBe("ready");
    return id;
  };
  const readAgainSchema = z.object({ readsAgain: z.boolean() });
  const endedRun = async (marker: string, data: GivenChange): Promise<string> => {
    const id = await upload(marker);
    const said = await request.put(`/api/v1/trajectories/${id}/failure`, { data, headers });
    expect(said.ok(), `failure of ${marker}: ${said.status()}`).toBe(true);
    readAgainSchema.parse(await said.json());
    expect((await waitForImport(request, id)).status).toBe("ready");
    return id;
  };
  return {
    origin,
    server,
    request,
    enter: async (other) => other.context().addCookies(await context.cookies(origin)),
    failedRun: (marker) =>
      endedRun(marker, {
        ...{ outcome: "failed", errorReport: `FAILED tests/test_price.py::test_${marker} - assert 240 == 480` },
      }),
    endedRun,
    endOf: async (id) => {
      let status = "";
      const read = async (): Promise<string> => {
        const answer = await request.get(`/api/v1/trajectories/${id}/investigations`);
        status = latestSchema.parse(await answer.json()).latest?.status ?? "none";
        return status;
      };
      await expect.poll(read, { timeout: 60_000 }).toMatch(/done|failed|cancelled/);
      return status;
    },
    stop: async () => {
      await context.close();
      launched.child.kill("SIGTERM");
      await launched.exited;
      await server.close();
      expect(await leftOver(dataDir)).toEqual([]);
    },
  };
}
