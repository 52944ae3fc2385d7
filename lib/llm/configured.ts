import { setTimeout as sleep } from "node:timers/promises";
import { env, type ModelSettings, type TokenPrices } from "@/lib/env";
import { type Judge, JudgeError } from "@/lib/judge/port";
import type { Manner } from "./manner";
import { type DoorSettings, openaiJudge, TRIES_MAX } from "./openai-judge";
import { readOutboundUrl } from "./outbound-url";
import { probeEndpoint } from "./probe";
import type { Endpoint } from "./transport";

const OPENAI_URL = "https://api.openai.com/v1";

/** What comes from outside: chance, time, and the signal that ends everything. */
export type Around = Pick<DoorSettings, "signal" | "random" | "now">;

export type Configured<T> = { ok: true; value: T } | { ok: false; kind: MissingSetting; reason: string };
export type MissingSetting = "no_key" | "no_model" | "bad_address";

/** A model that can be asked. */
export interface ConfiguredModel {
  role: "first" | "second";
  model: string;
  prices: TokenPrices | null;
  endpoint: Endpoint;
  timeoutMs: number;
}

/**
 * The configured models: the first, and the second judge's where one is named.
 * @returns why there is none, in words for the person who configures it; they hold no key and no address.
 */
export function configuredModels(
  settings: ModelSettings | null = env().model,
): Configured<[ConfiguredModel, ...ConfiguredModel[]]> {
  if (settings === null) return missing("no_key", "No model is configured: OPENAI_API_KEY is not set.");
  const { apiKey, allowPrivate, timeoutMs, model, secondModel } = settings;
  const read = readOutboundUrl(settings.baseUrl ?? OPENAI_URL, allowPrivate);
  if (!read.ok) return missing("bad_address", `OPENAI_BASE_URL ${read.reason}.`);
  if (model === null) return missing("no_model", "OPENAI_MODEL is not set: it names the model to ask.");
  const common = { endpoint: { url: read.url, apiKey, allowPrivate }, timeoutMs };
  const first: ConfiguredModel = { role: "first", model, prices: settings.prices, ...common };
  if (secondModel === null) return { ok: true, value: [first] };
  return { ok: true, value: [first, { role: "second", model: secondModel, prices: settings.secondPrices, ...common }] };
}

/** The door to a configured model. */
export function doorTo(configured: ConfiguredModel, around: Around, triesMax = TRIES_MAX): DoorSettings {
  const { endpoint, model, prices, timeoutMs } = configured;
  return {
    ...{ ...around, endpoint, model, prices, timeoutMs, triesMax },
    wait: (ms, signal) => sleep(ms, undefined, signal === null ? {} : { signal }),
  };
}

/** The judges that are configured, in the order of `configuredModels`. */
export function configuredJudges(around: Around, settings: ModelSettings | null = env().model): Configured<Judge[]> {
  const read = configuredModels(settings);
  return read.ok ? { ok: true, value: read.value.map((one) => probedJudge(one, doorTo(one, around))) } : read;
}

/** What was learned about each endpoint and model, as long as the process runs. */
const manners = new Map<string, Manner>();

/**
 * A judge that finds out by the probe what its endpoint takes, when this process asks it for the first time; a question
 * fails as the probe does. Nothing is asked before a question is.
 */
function probedJudge(configured: ConfiguredModel, door: DoorSettings): Judge {
  const key = JSON.stringify([configured.endpoint.url, configured.model]);
  return {
    model: configured.model,
    ask: async (request) => {
      let manner = manners.get(key);
      if (manner === undefined) {
        const probed = await probeEndpoint(door);
        if (!probed.ok) throw new JudgeError(probed.code, probed.message, [probed.code]);
        manner = probed.manner;
        manners.set(key, manner);
      }
      return openaiJudge(door, manner, (learned) => manners.set(key, learned)).ask(request);
    },
  };
}

function missing(kind: MissingSetting, reason: string): { ok: false; kind: MissingSetting; reason: string } {
  return { ok: false, kind, reason };
}
