import type { z } from "zod";

/** What a model is asked for; it stands in the log of calls and in the counts of the diagnosis. */
export type JudgePurpose = "requirements" | "prior" | "investigation" | "probe";

/** A tool that a model may call. `parameters` describes the arguments; what comes back is held against it by the asker. */
export interface JudgeTool {
  name: string;
  description: string;
  parameters: z.ZodType;
}

/** A call as the model wrote it: `arguments` is text that should be JSON and may be anything. */
export interface JudgeToolCall {
  id: string;
  name: string;
  arguments: string;
}

export type JudgeMessage =
  | { role: "system" | "user"; text: string }
  | { role: "assistant"; text: string; calls: JudgeToolCall[] }
  | { role: "tool"; callId: string; text: string };

/**
 * One question. The model answers with calls of the tools: an answer of a certain form is a tool that `mustCall` names.
 * How an endpoint without tool calls is brought to it (JSON mode, a JSON block in its text) is the door's business.
 */
export interface JudgeRequest {
  purpose: JudgePurpose;
  messages: JudgeMessage[];
  tools: JudgeTool[];
  /** The one tool that has to be called; null when the model may choose, or answer in words. */
  mustCall: string | null;
  /** 0 at first, 0.1 when the same is asked again (trajaudit.md, "Investigator"). */
  temperature: number;
  maxOutputTokens: number;
}

/** Tokens as the endpoint counts them; null where it says nothing. Costs are in US dollars, null without a price. */
export interface JudgeUsage {
  inputTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number | null;
  costUsd: number | null;
}

/** How the door had to ask otherwise than it was asked to, because the endpoint takes no other way. */
export const JUDGE_ADJUSTMENTS = [
  /** The temperature was left out: the model has only its own. */
  "no_temperature",
  /** No tool could be forced: the words of the question alone asked for it. */
  "not_forced",
  /** Tools were described in words and the answer came as a JSON object. */
  "json_mode",
  /** As before, without a promise of the endpoint that the answer is JSON. */
  "text_mode",
] as const;
export type JudgeAdjustment = (typeof JUDGE_ADJUSTMENTS)[number];

export interface JudgeReply {
  /** The model that answered, by its own name. */
  model: string;
  text: string;
  calls: JudgeToolCall[];
  /** `length`: cut at `maxOutputTokens`. */
  finish: "stop" | "calls" | "length" | "filtered";
  usage: JudgeUsage;
  /** How it was asked otherwise; missing where nothing was changed. */
  adjustments?: JudgeAdjustment[];
  /** What failed before this answer came, one entry a try; missing where the first try was answered. */
  failedTries?: JudgeFailure[];
}

export const JUDGE_FAILURES = [
  /** The question is longer than the model takes. Asked again it would fail again: ask less. */
  "context_overflow",
  "rate_limited",
  "timeout",
  "unavailable",
  /** The endpoint refuses the key, the model or the question. */
  "refused",
  /** The answer is not in the agreed form, also after it was asked again. */
  "malformed",
  /** A limit on calls, tokens, seconds or cost is reached. */
  "budget",
  "cancelled",
] as const;
export type JudgeFailure = (typeof JUDGE_FAILURES)[number];

/** A question that got no answer. It is never a verdict. `message` is for a person and holds no secret and no address. */
export class JudgeError extends Error {
  constructor(
    readonly code: JudgeFailure,
    message: string,
    /** Every try that failed, the last one among them. */
    readonly failedTries: JudgeFailure[] = [],
  ) {
    super(message);
    this.name = "JudgeError";
  }
}

/** The only way to ask a model. Retries of what may pass by itself are behind it. */
export interface Judge {
  /** The model's name as it is configured. */
  model: string;
  /** @throws JudgeError */
  ask(request: JudgeRequest): Promise<JudgeReply>;
}
