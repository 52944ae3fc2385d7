import {
  type Judge,
  JudgeError,
  type JudgeFailure,
  type JudgePurpose,
  type JudgeReply,
  type JudgeRequest,
} from "./port";
import { parametersOf } from "./tool-schema";

/** One question and what came of it, as it is kept and as a person may read it. */
export interface LoggedCall {
  /** 0-based place among the questions of the analysis, in the order in which they were asked. */
  position: number;
  purpose: JudgePurpose;
  /** The configured model. */
  model: string;
  /** The question as canonical JSON: equal questions are equal texts. It went to the model in these words. */
  request: string;
  outcome: CallOutcome;
  /** What failed on the way to it, one entry a try. */
  failedTries: JudgeFailure[];
  /** Milliseconds of the clock that came in. */
  startedAt: number;
  endedAt: number;
}

export type CallOutcome =
  | { kind: "reply"; reply: JudgeReply }
  | { kind: "failure"; code: JudgeFailure; message: string };

/**
 * The log of an analysis' calls. `keep` adds; nothing is overwritten: a question that failed and was asked again stands
 * there twice at the same position.
 */
export interface CallLog {
  /** The call that was kept last at a position; null when there is none. */
  recall(position: number): Promise<LoggedCall | null>;
  /** Has to be durable when it resolves: what it kept is not asked, and not paid, again. */
  keep(call: LoggedCall): Promise<void>;
}

/**
 * A judge that keeps every call, and asks none again that was answered: one that stands in the log at the same position
 * with the same question is answered from there. Positions count the calls of `ask` in the order in which they begin, so
 * questions that run side by side have to begin in the same order each time. A question that differs from the log's is asked.
 * @param now milliseconds of a clock.
 */
export function recordingJudge(judge: Judge, log: CallLog, now: () => number): Judge {
  let next = 0;
  return {
    model: judge.model,
    ask: async (request) => {
      const position = next;
      next += 1;
      const canonical = canonicalRequest(judge.model, request);
      const known = await log.recall(position);
      if (known !== null && known.request === canonical) {
        if (known.outcome.kind === "reply") return known.outcome.reply;
        // The same question would be too long again; what else failed may have been mended since.
        if (known.outcome.code === "context_overflow") {
          throw new JudgeError(known.outcome.code, known.outcome.message, known.failedTries);
        }
      }
      const call = { position, purpose: request.purpose, model: judge.model, request: canonical, startedAt: now() };
      let reply: JudgeReply;
      try {
        reply = await judge.ask(request);
      } catch (error) {
        if (error instanceof JudgeError) {
          const { code, message, failedTries } = error;
          await log.keep({ ...call, outcome: { kind: "failure", code, message }, failedTries, endedAt: now() });
        }
        throw error;
      }
      const failedTries = reply.failedTries ?? [];
      await log.keep({ ...call, outcome: { kind: "reply", reply }, failedTries, endedAt: now() });
      return reply;
    },
  };
}

/** A question as JSON with its keys in a fixed order, the tools as the schemas that the model sees. */
export function canonicalRequest(model: string, request: JudgeRequest): string {
  const { purpose, messages, tools, mustCall, temperature, maxOutputTokens } = request;
  return JSON.stringify({
    model,
    purpose,
    messages: messages.map((message) => {
      if (message.role === "tool") return { role: message.role, callId: message.callId, text: message.text };
      if (message.role !== "assistant") return { role: message.role, text: message.text };
      const calls = message.calls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments }));
      return { role: message.role, text: message.text, calls };
    }),
    tools: tools.map((tool) => ({ name: tool.name, description: tool.description, parameters: parametersOf(tool) })),
    mustCall,
    temperature,
    maxOutputTokens,
  });
}
