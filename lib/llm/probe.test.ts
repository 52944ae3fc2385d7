import { afterEach, describe, expect, it } from "vitest";
import { type ModelServer, startModelServer } from "@/e2e/model-server/server";
import type { Style } from "@/e2e/model-server/styles";
import { probeEndpoint } from "./probe";
import { settingsFor } from "./test-support";

let server: ModelServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

describe("probeEndpoint", () => {
  it.each<[string, Partial<Style>, object, number]>([
    ["OpenAI", {}, { toolCalls: "forced", adjustments: [], countsTokens: true }, 1],
    [
      "a reasoning model",
      { temperature: "refused", lengthParameter: "max_completion_tokens" },
      { toolCalls: "forced", adjustments: ["no_temperature"] },
      1,
    ],
    ["only required", { forcing: "refused" }, { toolCalls: "forced", adjustments: [] }, 1],
    [
      "Ollama, which ignores tool_choice",
      { forcing: "ignored" },
      { toolCalls: "offered", adjustments: ["not_forced"] },
      2,
    ],
    ["no forced tool", { forcing: "only auto" }, { toolCalls: "offered", adjustments: ["not_forced"] }, 2],
    [
      "a model without tools",
      { tools: "refused", usage: false },
      { toolCalls: "none", adjustments: ["json_mode"], countsTokens: false },
      1,
    ],
    ["one that ignores tools", { tools: "ignored" }, { toolCalls: "none", adjustments: ["json_mode"] }, 3],
    ["text only", { tools: "refused", jsonMode: "refused" }, { toolCalls: "none", adjustments: ["text_mode"] }, 1],
  ])("finds out what %s can do, and how to ask it", async (_, style, expected, questions) => {
    server = await startModelServer([], { style });
    const probed = await probeEndpoint(settingsFor(server.baseUrl));
    expect(probed).toMatchObject({ ok: true, answeredAs: "some-model", questions, ...expected });
    expect(server.probes).toHaveLength(questions);
    expect(server.violations).toEqual([]);
    if (!probed.ok) throw new Error(probed.message);
    expect(probed.manner.sendsTemperature).toBe(style.temperature !== "refused");
  });

  it("says why there is no answer", async () => {
    server = await startModelServer([]);
    const { baseUrl } = server;
    await server.close();
    const probed = await probeEndpoint({ ...settingsFor(baseUrl), triesMax: 1 });
    expect(probed).toEqual({
      ok: false,
      code: "unavailable",
      message: expect.stringContaining("refused"),
      questions: 1,
    });
  });
});
