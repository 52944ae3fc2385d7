import { type Judge, JudgeError, type JudgeReply, type JudgeRequest } from "./port";

/**
 * What a piece of work may use of a model. Tokens are input and output together; null costs are not limited. A limit of
 * costs is reached with the first answer that has none: nobody could say when it is.
 */
export interface BudgetLimits {
  calls: number;
  tokens: number;
  seconds: number;
  costUsd: number | null;
}

export interface BudgetUse {
  calls: number;
  inputTokens: number;
  cachedTokens: number;
  outputTokens: number;
  /** Calls whose tokens the endpoint did not count; they are estimated in the sums. */
  estimatedCalls: number;
  seconds: number;
  /** Of the calls with a known price. */
  costUsd: number;
  /** Calls without one. */
  unpricedCalls: number;
}

/** An estimate, where an endpoint counts nothing: OpenAI's "1 token ~= 4 characters". */
const CHARS_PER_TOKEN = 4;

export interface Budget {
  use(): BudgetUse;
  /** Which limit is reached, in words; null while there is room. */
  reached(): string | null;
  /**
   * Has to be called before each question.
   * @throws JudgeError `budget` when a limit is reached, or when the question alone would go beyond the tokens.
   */
  check(request: JudgeRequest): void;
  count(request: JudgeRequest, reply: JudgeReply): void;
}

/**
 * One budget for one piece of work, whoever asks in it.
 * @param now milliseconds of a clock; the budget's seconds run from here on.
 */
export function makeBudget(limits: BudgetLimits, now: () => number): Budget {
  const startedAt = now();
  const sums = {
    calls: 0,
    inputTokens: 0,
    cachedTokens: 0,
    outputTokens: 0,
    estimatedCalls: 0,
    costUsd: 0,
    unpricedCalls: 0,
  };
  const seconds = (): number => Math.max(0, now() - startedAt) / 1_000;
  const tokens = (): number => sums.inputTokens + sums.outputTokens;

  const reached = (): string | null => {
    if (sums.calls >= limits.calls) return `${limits.calls} calls`;
    if (tokens() >= limits.tokens) return `${limits.tokens} tokens`;
    if (seconds() >= limits.seconds) return `${limits.seconds} seconds`;
    if (limits.costUsd !== null && sums.costUsd >= limits.costUsd) return `${limits.costUsd} US dollars`;
    if (limits.costUsd !== null && sums.unpricedCalls > 0)
      return `${limits.costUsd} US dollars, whose use nobody states,`;
    return null;
  };
  return {
    use: () => ({ ...sums, seconds: seconds() }),
    reached,
    check: (request) => {
      const limit = reached() ?? (tokens() + estimateInput(request) > limits.tokens ? `${limits.tokens} tokens` : null);
      if (limit !== null) throw new JudgeError("budget", `The limit of ${limit} for this analysis is reached.`);
    },
    count: (request, { usage, text, calls }) => {
      const { inputTokens, cachedTokens, outputTokens, costUsd } = usage;
      const written = text.length + calls.reduce((sum, call) => sum + call.name.length + call.arguments.length, 0);
      sums.calls += 1;
      sums.inputTokens += inputTokens ?? estimateInput(request);
      sums.cachedTokens += cachedTokens ?? 0;
      sums.outputTokens += outputTokens ?? Math.ceil(written / CHARS_PER_TOKEN);
      sums.costUsd += costUsd ?? 0;
      if (inputTokens === null || outputTokens === null) sums.estimatedCalls += 1;
      if (costUsd === null) sums.unpricedCalls += 1;
    },
  };
}

/** A judge that asks within a budget. What was answered is counted and given out even when it went beyond a limit. */
export function withBudget(judge: Judge, budget: Budget): Judge {
  return {
    model: judge.model,
    ask: async (request) => {
      budget.check(request);
      const reply = await judge.ask(request);
      budget.count(request, reply);
      return reply;
    },
  };
}

function estimateInput({ messages }: JudgeRequest): number {
  let chars = 0;
  for (const message of messages) {
    chars += message.text.length;
    if (message.role === "assistant") for (const call of message.calls) chars += call.arguments.length;
  }
  return Math.ceil(chars / CHARS_PER_TOKEN);
}
