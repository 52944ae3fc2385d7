import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/model-server/server";
import type { ModelSettings } from "@/lib/env";
import type { Judge, JudgeRequest } from "@/lib/judge/port";
import { configuredJudges } from "./configured";
import { checkModels, modelView } from "./model-state";
import { TEST_KEY } from "./test-support";

let server: ModelServer;
beforeEach(async () => {
  server = await startModelServer([{ name: "any", marker: "the question", answers: () => ({ text: "an answer" }) }]);
});
afterEach(() => server.close());

const settingsOf = (more: Partial<ModelSettings> = {}): ModelSettings => ({
  apiKey: TEST_KEY,
  baseUrl: server.baseUrl,
  model: "first-model",
  secondModel: null,
  prices: { input: 1, cached: 0.1, output: 2 },
  secondPrices: null,
  timeoutMs: 5_000,
  tokensPerDay: 1_000,
  allowPrivate: true,
  ...more,
});

describe("modelView", () => {
  it("says what is missing, and what to do", () => {
    expect(modelView(null)).toEqual({
      problem: { kind: "no_key", message: expect.stringContaining("OPENAI_API_KEY") },
      host: null,
      models: [],
      limits: null,
    });
    expect(modelView(settingsOf({ model: null })).problem).toMatchObject({ kind: "no_model" });
    expect(modelView(settingsOf({ allowPrivate: false })).problem).toEqual({
      kind: "bad_address",
      message: expect.stringMatching(/^OPENAI_BASE_URL .*LLM_ALLOW_PRIVATE=1/),
    });
  });

  it("shows host, models and limits; neither the key nor the path of the address", () => {
    const view = modelView(
      settingsOf({ secondModel: "second-model", baseUrl: `${server.baseUrl}/deeper?api-version=1` }),
    );
    expect(view).toEqual({
      problem: null,
      host: new URL(server.baseUrl).host,
      models: [
        { role: "first", name: "first-model", prices: { input: 1, cached: 0.1, output: 2 }, check: null },
        { role: "second", name: "second-model", prices: null, check: null },
      ],
      limits: { timeoutSeconds: 5, tokensPerDay: 1_000 },
    });
    expect(JSON.stringify(view)).not.toMatch(/sk-|\/v1|deeper|api-version/);
  });

  it("OpenAI's own address stands where none is given", () => {
    expect(modelView(settingsOf({ baseUrl: null, allowPrivate: false })).host).toBe("api.openai.com");
  });
});

describe("checkModels", () => {
  it("keeps what was found of each model, and asks once for those who ask meanwhile", async () => {
    const settings = settingsOf({ secondModel: "second-model" });
    const [view, same] = await Promise.all([checkModels(settings), checkModels(settings)]);
    expect(view.models.map(({ check }) => check)).toEqual([
      expect.objectContaining({ ok: true, answeredAs: "first-model", toolCalls: "forced", countsTokens: true }),
      expect.objectContaining({ ok: true, answeredAs: "second-model" }),
    ]);
    expect(same).toEqual(view);
    expect(modelView(settings)).toEqual(view);
    expect(server.probes).toHaveLength(2);
  });

  it("says why a model cannot be reached, after one try", async () => {
    await server.close();
    const view = await checkModels(settingsOf());
    expect(view.models[0]?.check).toMatchObject({ ok: false, code: "unavailable" });
    expect(JSON.stringify(view)).not.toContain(TEST_KEY);
  });

  it("asks nobody when nothing is configured", async () => {
    expect((await checkModels(null)).problem?.kind).toBe("no_key");
    expect(server.probes).toEqual([]);
  });
});

describe("configuredJudges", () => {
  const question: JudgeRequest = {
    purpose: "investigation",
    messages: [{ role: "user", text: "the question" }],
    tools: [],
    mustCall: null,
    temperature: 0,
    maxOutputTokens: 10,
  };
  const around = (signal: AbortSignal | null = null) => ({ signal, random: () => 0.5, now: () => 0 });

  function judges(settings: ModelSettings, signal: AbortSignal | null = null): Judge[] {
    const read = configuredJudges(around(signal), settings);
    if (!read.ok) throw new Error(read.reason);
    return read.value;
  }

  it("says what is missing", () => {
    expect(configuredJudges(around(), null)).toEqual({
      ok: false,
      kind: "no_key",
      reason: expect.stringContaining("KEY"),
    });
  });

  it("probes when the process asks a model first, and asks in the manner that was found", async () => {
    server.setStyle({ temperature: "refused" });
    for (let n = 0; n < 2; n += 1) {
      for (const judge of judges(settingsOf({ secondModel: "second-model" }))) {
        expect(await judge.ask(question)).toMatchObject({
          model: judge.model,
          text: "an answer",
          adjustments: ["no_temperature"],
        });
      }
    }
    expect(server.probes.map(({ model }) => model)).toEqual(["first-model", "second-model"]);
    expect(server.asked.map(({ model, body }) => [model, "temperature" in body])).toEqual([
      ["first-model", false],
      ["second-model", false],
      ["first-model", false],
      ["second-model", false],
    ]);
  });

  it("fails as a question fails when the probe gets no answer", async () => {
    const ended = new AbortController();
    ended.abort();
    const [judge] = judges(settingsOf({ model: "another" }), ended.signal);
    await expect(judge?.ask(question)).rejects.toMatchObject({ code: "cancelled" });
  });
});
