import type { Seen } from "./reader";

/** What is inside, for people: `OpenAI messages with function_call`, `Anthropic messages, cumulative requests`. */
export function variantOf(seen: Seen, isLines: boolean): string {
  const more = [isLines ? "JSON Lines" : "", seen.requests > 1 ? "cumulative requests" : ""];
  return [dialectOf(seen), ...more].filter((text) => text !== "").join(", ");
}

function dialectOf(seen: Seen): string {
  if (seen.items > 0) return "Responses items";
  if (seen.toolCalls > 0) return "OpenAI messages";
  if (seen.legacyCalls > 0) return "OpenAI messages with function_call";
  return seen.blocks > 0 ? "Anthropic messages" : "plain messages";
}
