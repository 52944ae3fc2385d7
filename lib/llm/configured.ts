import { setTimeout as sleep } from "node:timers/promises";
import { env, type ModelSettings } from "@/lib/env";
import type { Judge } from "@/lib/judge/port";
import { FIRST_MANNER } from "./manner";
import { type DoorSettings, openaiJudge, TRIES_MAX } from "./openai-judge";
import { readOutboundUrl } from "./outbound-url";

const OPENAI_URL = "https://api.openai.com/v1";

/** What comes from outside: chance, time, and the signal that ends everything. */
export type Around = Pick<DoorSettings, "signal" | "random" | "now">;

export type Configured<T> = { ok: true; value: T } | { ok: false; reason: string };

/**
 * The settings of the doors to the configured models: the first, and the second judge's where one is named.
 * @returns why there is none, in words for the person who configures it.
 */
export function configuredDoors(around: Around, model: ModelSettings | null = env().model): Configured<DoorSettings[]> {
  if (model === null) return { ok: false, reason: "No model is configured: OPENAI_API_KEY is missing." };
  if (model.model === null) return { ok: false, reason: "OPENAI_MODEL is missing: name the model to ask." };
  const read = readOutboundUrl(model.baseUrl ?? OPENAI_URL, model.allowPrivate);
  if (!read.ok) return { ok: false, reason: `OPENAI_BASE_URL cannot be used: ${read.reason}` };
  const { apiKey, allowPrivate, timeoutMs } = model;
  const door = (name: string, prices: ModelSettings["prices"]): DoorSettings => ({
    ...around,
    ...{ endpoint: { url: read.url, apiKey, allowPrivate }, model: name, prices, timeoutMs, triesMax: TRIES_MAX },
    wait: (ms, signal) => sleep(ms, undefined, signal === null ? {} : { signal }),
  });
  const second = model.secondModel === null ? [] : [door(model.secondModel, model.secondPrices)];
  return { ok: true, value: [door(model.model, model.prices), ...second] };
}

/** The judges that are configured, as `configuredDoors`. */
export function configuredJudges(around: Around): Configured<Judge[]> {
  const doors = configuredDoors(around);
  return doors.ok ? { ok: true, value: doors.value.map((door) => openaiJudge(door, FIRST_MANNER)) } : doors;
}
