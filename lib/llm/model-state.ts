import { env, type ModelSettings } from "@/lib/env";
import type { ModelCheck, ModelView } from "@/lib/views/model";
import { type ConfiguredModel, configuredModels, doorTo } from "./configured";
import { probeEndpoint } from "./probe";

/** A person waits for the answer: one try, and no longer than this. */
const CHECK_TIMEOUT_MS = 60_000;

interface Checks {
  /** The last check of each model, by its role and name. */
  done: Map<string, ModelCheck>;
  running: Promise<void> | null;
}

declare global {
  var misstepModelChecks: Checks | undefined;
}

/** One for the process: pages and routes are bundled apart, each with modules of its own. */
function checks(): Checks {
  globalThis.misstepModelChecks ??= { done: new Map(), running: null };
  return globalThis.misstepModelChecks;
}

/** What the settings page shows of the model: never the key, of the address the host only. Asks nobody. */
export function modelView(settings: ModelSettings | null = env().model): ModelView {
  const read = configuredModels(settings);
  const limits =
    settings === null ? null : { timeoutSeconds: settings.timeoutMs / 1_000, tokensPerDay: settings.tokensPerDay };
  if (!read.ok) return { problem: { kind: read.kind, message: read.reason }, host: null, models: [], limits };
  return {
    problem: null,
    host: read.value[0].endpoint.url.host,
    models: read.value.map((one) => ({
      role: one.role,
      name: one.model,
      prices: one.prices,
      check: checks().done.get(checkKey(one)) ?? null,
    })),
    limits,
  };
}

/** Checks every configured model with a few small questions; who asks meanwhile gets the same check. */
export async function checkModels(settings: ModelSettings | null = env().model): Promise<ModelView> {
  const state = checks();
  state.running ??= runChecks(settings).finally(() => {
    state.running = null;
  });
  await state.running;
  return modelView(settings);
}

async function runChecks(settings: ModelSettings | null): Promise<void> {
  const read = configuredModels(settings);
  if (!read.ok) return;
  await Promise.all(
    read.value.map(async (one) => {
      checks().done.set(checkKey(one), await checkOne(one));
    }),
  );
}

async function checkOne(configured: ConfiguredModel): Promise<ModelCheck> {
  const started = Date.now();
  const around = { signal: null, random: Math.random, now: Date.now };
  const door = doorTo({ ...configured, timeoutMs: Math.min(configured.timeoutMs, CHECK_TIMEOUT_MS) }, around, 1);
  const probed = await probeEndpoint(door);
  const at = { at: new Date(started).toISOString(), tookMs: Date.now() - started };
  if (!probed.ok) return { ok: false, ...at, code: probed.code, message: probed.message };
  const { answeredAs, toolCalls, adjustments, countsTokens, questions } = probed;
  return { ok: true, ...at, answeredAs, toolCalls, adjustments, countsTokens, questions };
}

function checkKey({ role, model, endpoint }: ConfiguredModel): string {
  return JSON.stringify([role, model, endpoint.url.base]);
}
