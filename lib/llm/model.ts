import { setTimeout as delay } from "node:timers/promises";
import type { ModelSettings, TokenPrices } from "@/lib/env";
import { type Judge, JudgeError } from "@/lib/judge/port";
import type { Manner } from "./manner";
import { type DoorSettings, openaiJudge, TRIES_MAX } from "./openai-judge";
import { readOutboundUrl } from "./outbound-url";
import { probeEndpoint } from "./probe";
import type { Endpoint } from "./transport";

const OPENAI_URL = "https://api.openai.com/v1";

export type ModelRole = "first" | "second";

/** A model that can be asked. */
export interface ConfiguredModel {
  role: ModelRole;
  model: string;
  prices: TokenPrices | null;
  endpoint: Endpoint;
  timeoutMs: number;
  /** What one project may use in a day, input and output together. */
  tokensPerDay: number;
}

export type ModelReading =
  | { ok: true; models: [ConfiguredModel, ...ConfiguredModel[]] }
  | { ok: false; kind: "no_key" | "no_model" | "bad_address"; message: string };

/** The models of the settings, the second one last; or what is missing, in words that hold no key and no address. */
export function configuredModels(settings: ModelSettings | null): ModelReading {
  if (settings === null)
    return { ok: false, kind: "no_key", message: "No model is configured: OPENAI_API_KEY is not set." };
  const read = readOutboundUrl(settings.baseUrl ?? OPENAI_URL, settings.allowPrivate);
  if (!read.ok) return { ok: false, kind: "bad_address", message: `OPENAI_BASE_URL ${read.reason}.` };
  if (settings.model === null)
    return { ok: false, kind: "no_model", message: "OPENAI_MODEL is not set: it names the model." };
  const { apiKey, allowPrivate, timeoutMs, tokensPerDay, secondModel } = settings;
  const common = { endpoint: { url: read.url, apiKey, allowPrivate }, timeoutMs, tokensPerDay };
  const first: ConfiguredModel = { role: "first", model: settings.model, prices: settings.prices, ...common };
  if (secondModel === null) return { ok: true, models: [first] };
  return {
    ok: true,
    models: [first, { role: "second", model: secondModel, prices: settings.secondPrices, ...common }],
  };
}

/** What was learned about an endpoint's manner, as long as the process runs. */
const manners = new Map<string, Manner>();

/**
 * The judge over a configured model. What the endpoint takes is found by the probe when this process asks it first.
 * @param signal ends every question at once.
 * @throws JudgeError when the probe gets no answer.
 */
export async function openJudge(configured: ConfiguredModel, signal: AbortSignal | null): Promise<Judge> {
  const settings = doorTo(configured, signal);
  const key = mannerKey(configured);
  let manner = manners.get(key);
  if (manner === undefined) {
    const probed = await probeEndpoint(settings);
    if (!probed.ok) throw new JudgeError(probed.code, probed.message);
    manner = probed.manner;
    manners.set(key, manner);
  }
  return openaiJudge(settings, manner, (learned) => manners.set(key, learned));
}

/** The door's settings with the process' own clock and chance. */
export function doorTo(configured: ConfiguredModel, signal: AbortSignal | null, triesMax = TRIES_MAX): DoorSettings {
  const { endpoint, model, prices, timeoutMs } = configured;
  return {
    endpoint,
    model,
    prices,
    timeoutMs,
    triesMax,
    signal,
    random: Math.random,
    now: Date.now,
    wait: async (ms, until) => {
      await delay(ms, undefined, until === null ? {} : { signal: until });
    },
  };
}

function mannerKey({ endpoint, model }: ConfiguredModel): string {
  return JSON.stringify([endpoint.url.base, endpoint.url.query, model]);
}
