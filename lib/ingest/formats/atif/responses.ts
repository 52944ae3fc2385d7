import type { Turn, Usage } from "@/lib/trajectory/schema";
import { stringMember } from "../../safe-json";
import type { Step } from "./steps";

/** True for the words that a converter writes where the agent called a tool and said nothing. */
export function isPlaceholder({ message, calls }: Step): boolean {
  return calls.some((call) => {
    const words = `Executed ${call.tool} ${call.id ?? ""}`.trimEnd();
    return message.startsWith(words) && /^\W*$/.test(message.slice(words.length));
  });
}

/** True for a step that says nothing and calls nothing. */
export function saysNothing(step: Step): boolean {
  return (
    step.message.trim() === "" && step.reasoning.trim() === "" && step.calls.length === 0 && step.results.length === 0
  );
}

/**
 * Whether a step is part of the answer that the turn before it holds. Converters write a step for each block of one
 * answer of the model, and its tokens on one of them.
 * @param last the turn's last step
 * @param hasMetrics whether the document states tokens at all
 */
export function joinsTurn(step: Step, turn: Turn, last: Step, hasMetrics: boolean): boolean {
  const [own, known] = [responseOf(step), responseOf(last)];
  if (own !== null && known !== null) return own === known;
  if (step.model !== null && turn.model !== null && step.model !== turn.model) return false;
  // A converter adds calls that nothing answered at the end, where they do not belong.
  if (isBefore(step.time, last.time)) return false;
  if (turn.items.length === 0 && saysNothing(last) && isFree(turn.usage)) return true;
  if (!isPlaceholder(step) || step.usage !== null) return false;
  return hasMetrics ? turn.usage !== null : step.time !== null && step.time === last.time;
}

function responseOf({ extra }: Step): string | null {
  return (
    stringMember(extra, "response_id") ?? stringMember(extra, "llm_response_id") ?? stringMember(extra, "message_id")
  );
}

function isBefore(time: string | null, other: string | null): boolean {
  return time !== null && other !== null && Date.parse(time) < Date.parse(other);
}

function isFree(usage: Usage | null): boolean {
  return usage === null || !((usage.inputTokens ?? 0) > 0 || (usage.outputTokens ?? 0) > 0);
}

/** The tokens of an answer, which several of its steps may state: the larger ones. */
export function largerUsage(a: Usage | null, b: Usage | null): Usage | null {
  if (a === null || b === null) return a ?? b;
  return (b.outputTokens ?? 0) > (a.outputTokens ?? 0) || (b.inputTokens ?? 0) > (a.inputTokens ?? 0) ? b : a;
}
