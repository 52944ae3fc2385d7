import { z } from "zod";
import type { TokenPrices } from "@/lib/env";
import { type Judge, JudgeError, type JudgeFailure, type JudgeReply, type JudgeRequest } from "@/lib/judge/port";
import { type EndpointFailure, endpointErrorSchema, failureOf, RETRY_AFTER_MAX_MS, statusFailure } from "./failures";
import { adjustmentsOf, type Manner, softerManner } from "./manner";
import { readReply } from "./reading";
import { AddressRefused, type Endpoint, sendOnce } from "./transport";
import { bodyOf } from "./wire";

/** Tries of one question in all; with full jitter they take about a minute at most besides the answers themselves. */
export const TRIES_MAX = 5;
/** Of these time-outs: each takes as long as a question may, and a third is seldom answered. */
export const TIMEOUTS_MAX = 2;
const FIRST_WAIT_MS = 1_000;
const WAIT_MAX_MS = 30_000;
/** Steps from the first manner to the plainest one. */
const SOFTENED_MAX = 6;

/** What is not the door's own: chance, time, and how to ask. */
export interface DoorSettings {
  endpoint: Endpoint;
  model: string;
  prices: TokenPrices | null;
  /** For one try. */
  timeoutMs: number;
  /** Tries of one question in all: TRIES_MAX, fewer where a person waits for the answer. */
  triesMax: number;
  /** Ends everything at once when it is aborted. */
  signal: AbortSignal | null;
  /** From 0 up to 1, for the jitter. */
  random: () => number;
  /** Milliseconds of the clock. */
  now: () => number;
  /** Waits, and rejects at once when the signal is aborted. */
  wait: (ms: number, signal: AbortSignal | null) => Promise<void>;
}

/**
 * A judge over an endpoint that speaks chat completions. It retries what may pass by itself (429, 5xx, time-outs, broken
 * connections, answers that are cut or no JSON), with full jitter and the endpoint's Retry-After, and learns the manner in
 * which the endpoint takes a question; a reply says what was changed.
 * @param manner how to ask first; what is learned is told to `learned`.
 */
export function openaiJudge(
  settings: DoorSettings,
  manner: Manner,
  learned: (manner: Manner) => void = () => undefined,
): Judge {
  let current = manner;
  return {
    model: settings.model,
    ask: async (request) => {
      const failedTries: JudgeFailure[] = [];
      let softened = 0;
      let asked = current;
      for (;;) {
        const result = await tryOnce(settings, request, asked);
        if (result.ok) {
          // Learned is what was answered: an endpoint's complaint may quote the trace, and be about something else.
          if (asked !== current) {
            current = asked;
            learned(asked);
          }
          const adjustments = adjustmentsOf(asked, request);
          return {
            ...result.reply,
            ...(adjustments.length > 0 ? { adjustments } : {}),
            ...(failedTries.length > 0 ? { failedTries } : {}),
          };
        }
        const { failure } = result;
        const softer = failure.code === "context_overflow" ? null : softerManner(asked, request, failure);
        if (softer !== null && softened < SOFTENED_MAX) {
          softened += 1;
          asked = softer;
          continue;
        }
        failedTries.push(failure.code);
        const waitMs = waitBefore(failedTries.length, failure, settings.random);
        const timeouts = failedTries.filter((code) => code === "timeout").length;
        const isLast = failedTries.length >= settings.triesMax || timeouts >= TIMEOUTS_MAX;
        if (!failure.mayPass || isLast || waitMs === null) {
          throw new JudgeError(failure.code, failure.message, failedTries);
        }
        await waitUnlessCancelled(settings, waitMs, failedTries);
      }
    },
  };
}

type Tried = { ok: true; reply: JudgeReply } | { ok: false; failure: EndpointFailure };

async function tryOnce(settings: DoorSettings, request: JudgeRequest, manner: Manner): Promise<Tried> {
  const { endpoint, model, prices, timeoutMs, signal, now } = settings;
  const timer = AbortSignal.timeout(timeoutMs);
  const either = signal === null ? timer : AbortSignal.any([signal, timer]);
  try {
    if (signal?.aborted) return { ok: false, failure: failureOf(null, "cancelled", now()) };
    const answer = await sendOnce(endpoint, bodyOf(request, manner, model), either);
    const stated = failureInside(answer, now());
    if (stated !== null) return { ok: false, failure: stated };
    return { ok: true, reply: readReply(answer, request, { model, prices, isInWords: manner.mode !== "tools" }) };
  } catch (error) {
    if (error instanceof AddressRefused) {
      throw new JudgeError("refused", error.message, ["refused"]);
    }
    const aborted = signal?.aborted === true ? "cancelled" : timer.aborted ? "timeout" : null;
    return { ok: false, failure: failureOf(error, aborted, now()) };
  }
}

const failedInsideSchema = z.object({ error: endpointErrorSchema });

/** A failure inside an answer with status 200, as OpenRouter sends it once a model has begun. */
function failureInside(answer: unknown, now: number): EndpointFailure | null {
  const found = failedInsideSchema.safeParse(answer).data ?? failedInsideSchema.safeParse(firstChoice(answer)).data;
  if (found === undefined) return null;
  const status = typeof found.error.code === "number" && found.error.code >= 400 ? found.error.code : 502;
  return statusFailure(status, found.error, undefined, now);
}

function firstChoice(answer: unknown): unknown {
  return z.object({ choices: z.array(z.unknown()).min(1) }).safeParse(answer).data?.choices[0];
}

/**
 * How long to wait before the next try: anything up to a bound that doubles (full jitter, so that many workers do not come
 * back at once), and at least what the endpoint asks for. Null when it asks for more than a job should wait.
 */
function waitBefore(failed: number, failure: EndpointFailure, random: () => number): number | null {
  const bound = Math.min(WAIT_MAX_MS, FIRST_WAIT_MS * 2 ** (failed - 1));
  const jitter = Math.floor(random() * bound);
  if (failure.retryAfterMs === null) return jitter;
  return failure.retryAfterMs > RETRY_AFTER_MAX_MS ? null : Math.ceil(failure.retryAfterMs) + jitter;
}

async function waitUnlessCancelled({ wait, signal }: DoorSettings, ms: number, failed: JudgeFailure[]): Promise<void> {
  try {
    await wait(ms, signal);
  } catch (error) {
    if (signal?.aborted !== true) throw error;
  }
  if (signal?.aborted === true)
    throw new JudgeError("cancelled", "The question was cancelled.", [...failed, "cancelled"]);
}
