import { type Judge, JudgeError } from "@/lib/judge/port";
import type { Diagnosis, TrailStep } from "../diagnosis";

/**
 * A judge whose every question stands in the trail, with its place in the log of calls to that judge, and counts in
 * `usage`. A question that failed has its place too, so that both count alike.
 * @param judge its place among the judges of the investigation.
 */
export function notingJudge(
  asked: Judge,
  judge: number,
  note: (step: TrailStep) => void,
  usage: Diagnosis["usage"],
): Judge {
  let next = 0;
  return {
    model: asked.model,
    ask: async (request) => {
      const { purpose } = request;
      // Without a budget for it nothing is asked, and nothing stands in the log.
      const call = next;
      try {
        const reply = await asked.ask(request);
        next += 1;
        const { inputTokens, cachedTokens, outputTokens, costUsd } = reply.usage;
        if (purpose !== "probe") {
          const spent = { inputTokens, cachedTokens, outputTokens, costUsd };
          const adjusted = reply.adjustments?.length ? { adjustments: reply.adjustments } : {};
          note({ kind: "asked", purpose, judge, call, ...spent, ...adjusted });
        }
        usage.calls += 1;
        usage.inputTokens += inputTokens ?? 0;
        usage.cachedTokens += cachedTokens ?? 0;
        usage.outputTokens += outputTokens ?? 0;
        usage.costUsd = usage.costUsd === null || costUsd === null ? null : usage.costUsd + costUsd;
        return reply;
      } catch (error) {
        if (error instanceof JudgeError && error.code !== "budget") {
          next += 1;
          const spent = { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null };
          if (purpose !== "probe") note({ kind: "asked", purpose, judge, call, ...spent, failed: error.code });
        }
        throw error;
      }
    },
  };
}
