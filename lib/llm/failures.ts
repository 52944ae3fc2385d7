import { APIConnectionError, APIError, APIUserAbortError } from "openai";
import { z } from "zod";
import type { JudgeFailure } from "@/lib/judge/port";

/** One try that failed. */
export interface EndpointFailure {
  code: JudgeFailure;
  /** For a person: no key, no address, and no word of what the endpoint said, which may quote the trace. */
  message: string;
  /** True when the same question may be answered a little later. */
  mayPass: boolean;
  /** What the endpoint asks to wait, in milliseconds. */
  retryAfterMs: number | null;
  status: number | null;
  /** The parameter of the request that the endpoint complains about. */
  parameter: string | null;
  /** What the endpoint said. Only for telling failures apart; never shown or kept. */
  words: string;
}

/** An answer with status 200 that is none. */
export class UnreadableAnswer extends Error {}

/** What an endpoint says about a failure; the transport brings all shapes to this one. */
export const endpointErrorSchema = z.object({
  message: z.string().catch(""),
  code: z.union([z.string(), z.number()]).nullable().catch(null),
  type: z.string().nullable().catch(null),
  param: z.string().nullable().catch(null),
});
export type EndpointError = z.infer<typeof endpointErrorSchema>;

/** Codes and types of OpenAI, Azure and LiteLLM; of llama.cpp; of Anthropic behind gateways; of GitHub Models. */
const OVERFLOW_CODES = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "exceed_context_size_error",
  "string_above_max_length",
  "request_too_large",
  "tokens_limit_reached",
]);

/**
 * Words of OpenAI and vLLM ("maximum context length"), llama.cpp ("exceeds the available context size"), Anthropic ("prompt
 * is too long"), Gemini ("input token count exceeds the maximum number of tokens"), Bedrock and Mistral ("too large for
 * model", "input is too long"), SGLang and TGI ("is longer than the model's context length", "inputs tokens + max_new_tokens
 * must be <="), Ollama ("input length exceeds the context length").
 */
const OVERFLOW_WORDS = [
  /maximum context length/i,
  /context[ _](length|window|size|limit)[^.]{0,60}(exceed|too (long|large)|full)/i,
  /(exceed|longer than|larger than|greater than)[^.]{0,60}context[ _](length|window|size|limit)/i,
  /(prompt|input|messages?) (is|are) too (long|large)/i,
  /(prompt|input)[^.]{0,40}(tokens?|length)[^.]{0,40}exceed/i,
  /too large for model/i,
  /too many (input )?tokens in/i,
  /inputs?.? tokens \+ .?max_new_tokens/i,
  /reduce the length of the (messages|prompt|input)/i,
];

const QUOTA_CODES = new Set([
  "insufficient_quota",
  "billing_hard_limit_reached",
  "quota_exceeded",
  "credits_exhausted",
]);

/** `Retry-After` beyond this is no wait inside a job. */
export const RETRY_AFTER_MAX_MS = 60_000;

/**
 * Tells what a failed try was.
 * @param aborted which of the two signals ended it: the person's (or the worker's) or the time limit's.
 * @param now milliseconds, for `Retry-After` as a date.
 */
export function failureOf(error: unknown, aborted: "cancelled" | "timeout" | null, now: number): EndpointFailure {
  if (aborted === "cancelled") return failure("cancelled", "The question was cancelled.", { mayPass: false });
  if (aborted === "timeout") return failure("timeout", "The model did not answer in time.", { mayPass: true });
  // The client wraps what is thrown while an answer is read. A RangeError: nested too deeply to be written again.
  const reason = error instanceof APIConnectionError ? error.cause : error;
  if (reason instanceof UnreadableAnswer || reason instanceof SyntaxError || reason instanceof RangeError) {
    return failure("malformed", "The endpoint's answer is no chat completion.", { mayPass: true });
  }
  if (error instanceof APIUserAbortError) {
    return failure("cancelled", "The question was cancelled.", { mayPass: false });
  }
  if (error instanceof APIConnectionError) return connectionFailure(error);
  if (error instanceof APIError && typeof error.status === "number") {
    return statusFailure(error.status, endpointErrorSchema.safeParse(error.error).data ?? null, error.headers, now);
  }
  throw error;
}

/** A failure that the endpoint states by a status, in the answer's head or, as OpenRouter does, inside an answer with 200. */
export function statusFailure(
  status: number,
  said: EndpointError | null,
  headers: Headers | undefined,
  now: number,
): EndpointFailure {
  const words = said?.message ?? "";
  const codes = [said?.code, said?.type].filter((code): code is string => typeof code === "string");
  const about = { status, parameter: said?.param ?? null, words, retryAfterMs: retryAfter(headers, now) };
  const named = codeWords(codes);
  if (status === 413 || (status < 500 || codes.length > 0 ? isOverflow(codes, words) : isOverflow([], words))) {
    return failure("context_overflow", "The question is longer than the model takes.", { ...about, mayPass: false });
  }
  if (codes.some((code) => QUOTA_CODES.has(code)) || status === 402) {
    return failure("refused", `The account's quota at the endpoint is used up${named}.`, { ...about, mayPass: false });
  }
  if (status === 429) {
    return failure("rate_limited", `The endpoint limits how often it may be asked (429)${named}.`, {
      ...about,
      mayPass: true,
    });
  }
  if (status === 408) return failure("timeout", "The endpoint timed out (408).", { ...about, mayPass: true });
  if (status >= 500 || status === 409 || status === 425) {
    return failure("unavailable", `The endpoint failed (${status})${named}.`, { ...about, mayPass: true });
  }
  if (status === 401 || status === 403) {
    return failure("refused", `The endpoint refuses the key (${status})${named}.`, { ...about, mayPass: false });
  }
  if (status === 404) {
    return failure("refused", `The endpoint knows no such address or model (404)${named}.`, {
      ...about,
      mayPass: false,
    });
  }
  if (status >= 300 && status < 400) {
    return failure("refused", `The endpoint sends to another address (${status}), which is not followed.`, {
      ...about,
      mayPass: false,
    });
  }
  return failure("refused", `The endpoint refuses the question (${status})${named}.`, { ...about, mayPass: false });
}

function isOverflow(codes: string[], words: string): boolean {
  return codes.some((code) => OVERFLOW_CODES.has(code)) || OVERFLOW_WORDS.some((pattern) => pattern.test(words));
}

/** The endpoint's own code, when it is one and not a sentence. */
function codeWords(codes: string[]): string {
  const code = codes.find((one) => /^[a-z][a-z0-9_.-]{1,60}$/i.test(one));
  return code === undefined ? "" : `: ${code}`;
}

const CODES_OF_NAMES = new Set(["ENOTFOUND", "EAI_AGAIN", "ENODATA"]);

function connectionFailure(error: APIConnectionError): EndpointFailure {
  const code = causeCode(error);
  if (code === "ECONNREFUSED") {
    return failure("unavailable", "Nothing answers at the model's address (connection refused).", { mayPass: true });
  }
  if (code !== null && CODES_OF_NAMES.has(code)) {
    return failure("unavailable", "The model's host is not known by that name.", { mayPass: true });
  }
  if (code?.startsWith("UND_ERR_") === true && code.endsWith("TIMEOUT")) {
    return failure("timeout", "The model did not answer in time.", { mayPass: true });
  }
  if (code !== null && /CERT|SELF_SIGNED|TLS|SSL/.test(code)) {
    return failure("unavailable", `The endpoint's certificate is not accepted (${code}).`, { mayPass: false });
  }
  return failure("unavailable", "The connection to the model broke off.", { mayPass: true });
}

/** The system's code of the innermost cause that has one. */
function causeCode(error: unknown): string | null {
  let code: string | null = null;
  let at: unknown = error;
  for (let depth = 0; depth < 8 && at instanceof Error; depth += 1) {
    if ("code" in at && typeof at.code === "string") code = at.code;
    at = at.cause;
  }
  return code;
}

function retryAfter(headers: Headers | undefined, now: number): number | null {
  const ms = Number(headers?.get("retry-after-ms") ?? Number.NaN);
  if (Number.isFinite(ms) && ms >= 0) return ms;
  const text = headers?.get("retry-after") ?? "";
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}

function failure(
  code: JudgeFailure,
  message: string,
  more: Partial<EndpointFailure> & { mayPass: boolean },
): EndpointFailure {
  return { code, message, retryAfterMs: null, status: null, parameter: null, words: "", ...more };
}
