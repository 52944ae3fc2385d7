import type { ModelCheck } from "@/lib/views/model";

type Found = Extract<ModelCheck, { ok: true }>;

/** How the model gives its answers, in words. */
export function answerWords({ toolCalls, adjustments }: Pick<Found, "toolCalls" | "adjustments">): string {
  if (toolCalls === "forced") return "Tool calls, also when one tool has to be called";
  if (toolCalls === "offered") return "Tool calls, when the words ask for them: no tool can be forced here";
  if (adjustments.includes("text_mode"))
    return "A JSON block in its text: the endpoint offers neither tool calls nor JSON mode";
  return "JSON mode: the endpoint offers no tool calls";
}

/** What else is different here, a sentence each. */
export function differences({ adjustments, countsTokens }: Pick<Found, "adjustments" | "countsTokens">): string[] {
  const found: string[] = [];
  if (adjustments.includes("no_temperature")) {
    found.push("The model takes no temperature: the same question may get different answers.");
  }
  if (!countsTokens) found.push("The endpoint counts no tokens: they are estimated, four characters each.");
  return found;
}

/** What to do about a check that failed, by its code. */
export function adviceWords(code: string): string {
  if (code === "refused") return "Look at OPENAI_API_KEY, OPENAI_MODEL and OPENAI_BASE_URL.";
  if (code === "unavailable") return "Look whether it is running, and at OPENAI_BASE_URL.";
  if (code === "timeout") return "Look whether it is busy; OPENAI_TIMEOUT_SECONDS gives it more time.";
  if (code === "rate_limited") return "Check again in a minute.";
  return "Try another model, or look at the endpoint's own log.";
}

/** `2.50 in, 0.25 cached, 10 out`, in US dollars for a million tokens. */
export function priceWords({ input, cached, output }: { input: number; cached: number; output: number }): string {
  return `$${price(input)} in, $${price(cached)} cached, $${price(output)} out`;
}

function price(usd: number): string {
  return Number.isInteger(usd) ? String(usd) : usd.toFixed(Math.max(2, decimals(usd)));
}

function decimals(value: number): number {
  return String(value).split(".")[1]?.length ?? 0;
}
