import { z } from "zod";
import type { TokenPrices } from "@/lib/env";
import type { JudgeReply, JudgeRequest, JudgeToolCall, JudgeUsage } from "@/lib/judge/port";
import { callsInText } from "./answer-in-text";
import { UnreadableAnswer } from "./failures";

const count = z.number().int().min(0).nullish().catch(null);

/** What endpoints send as one call: arguments as JSON text, or (Ollama's own shape) as an object; ids may be missing. */
const callSchema = z.object({
  id: z.string().nullish().catch(null),
  function: z.object({ name: z.string(), arguments: z.unknown() }),
});

const messageSchema = z.object({
  content: z
    .union([z.string(), z.array(z.union([z.string(), z.object({ text: z.string().optional() })]))])
    .nullish()
    .catch(null),
  refusal: z.string().nullish().catch(null),
  tool_calls: z.array(z.unknown()).nullish().catch(null),
  function_call: z.object({ name: z.string(), arguments: z.unknown() }).nullish().catch(null),
});

const usageSchema = z.object({
  prompt_tokens: count,
  completion_tokens: count,
  prompt_tokens_details: z.object({ cached_tokens: count }).nullish().catch(null),
  /** DeepSeek's name for cached tokens. */
  prompt_cache_hit_tokens: count,
  /** OpenRouter's: US dollars. */
  cost: z.number().min(0).nullish().catch(null),
});

const completionSchema = z.object({
  model: z.string().nullish().catch(null),
  choices: z.array(z.object({ message: messageSchema, finish_reason: z.string().nullish().catch(null) })).min(1),
  usage: usageSchema.nullish().catch(null),
});

/**
 * Reads a chat completion, in the shapes that OpenAI, Azure, vLLM, Ollama, LiteLLM, OpenRouter and others send it in.
 * Characters that no database takes become U+FFFD.
 * @param isInWords true when tools were described in words: then the calls stand in the text.
 * @throws UnreadableAnswer when it is none.
 */
export function readReply(
  body: unknown,
  request: JudgeRequest,
  about: { model: string; prices: TokenPrices | null; isInWords: boolean },
): JudgeReply {
  const read = completionSchema.safeParse(body);
  const choice = read.data?.choices[0];
  if (read.data === undefined || choice === undefined) throw new UnreadableAnswer("not a chat completion");
  const { message, finish_reason: reason } = choice;
  const text = storable(textOf(message.content) || (message.refusal ?? ""));
  const sent = [...(message.tool_calls ?? []), ...(message.function_call ? [{ function: message.function_call }] : [])];
  const calls = sent.length > 0 ? readCalls(sent) : writtenCalls(text, request, about.isInWords);
  return {
    model: storable(read.data.model ?? about.model).slice(0, 200) || about.model,
    text: calls.length > 0 && sent.length === 0 ? "" : text,
    calls,
    finish: finishOf(reason ?? "", calls.length > 0, (message.refusal ?? "") !== ""),
    usage: usageOf(read.data.usage ?? null, about.prices),
  };
}

function textOf(content: z.infer<typeof messageSchema>["content"]): string {
  if (content === null || content === undefined) return "";
  if (typeof content === "string") return content;
  return content.map((part) => (typeof part === "string" ? part : (part.text ?? ""))).join("");
}

function readCalls(sent: unknown[]): JudgeToolCall[] {
  const taken = new Set<string>();
  return sent.flatMap((one, n) => {
    const read = callSchema.safeParse(one);
    // A call without a name cannot be answered to; the others stand for the answer.
    if (!read.success) return [];
    const given = storable(read.data.id ?? "").slice(0, 100);
    const id = given === "" || taken.has(given) ? `call_${n}` : given;
    taken.add(id);
    return [{ id, name: storable(read.data.function.name), arguments: argumentsText(read.data.function.arguments) }];
  });
}

/** Models that ignore the tools that they were given often write the same call into their text. */
function writtenCalls(text: string, request: JudgeRequest, isInWords: boolean): JudgeToolCall[] {
  if (request.tools.length === 0 || (!isInWords && request.mustCall === null)) return [];
  const names = request.tools.map((tool) => tool.name);
  return callsInText(text, names, request.mustCall).map((call, n) => ({ id: `call_${n}`, ...call }));
}

function argumentsText(given: unknown): string {
  if (typeof given === "string") return storable(given);
  return given === null || given === undefined ? "" : storable(JSON.stringify(given));
}

function finishOf(reason: string, hasCalls: boolean, isRefusal: boolean): JudgeReply["finish"] {
  if (reason === "length" || reason === "max_tokens") return "length";
  if (reason === "content_filter" || isRefusal) return "filtered";
  return hasCalls ? "calls" : "stop";
}

function usageOf(usage: z.infer<typeof usageSchema> | null, prices: TokenPrices | null): JudgeUsage {
  const inputTokens = usage?.prompt_tokens ?? null;
  const outputTokens = usage?.completion_tokens ?? null;
  const cachedTokens = usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens ?? null;
  const own = usage?.cost ?? null;
  const costUsd =
    prices === null || inputTokens === null || outputTokens === null
      ? own
      : priceOf(inputTokens, Math.min(cachedTokens ?? 0, inputTokens), outputTokens, prices);
  return { inputTokens, cachedTokens, outputTokens, costUsd };
}

function priceOf(input: number, cached: number, output: number, prices: TokenPrices): number {
  return ((input - cached) * prices.input + cached * prices.cached + output * prices.output) / 1_000_000;
}

function storable(text: string): string {
  return text.toWellFormed().replaceAll("\0", "\ufffd");
}
