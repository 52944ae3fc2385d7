import { createHmac, randomInt } from "node:crypto";
import { buildHistory } from "@/lib/artefact/history";
import { writesByTurn } from "@/lib/artefact/writes-by-turn";
import { AppError } from "@/lib/errors";
import { outlineTurn } from "@/lib/findings/outline";
import { PARSER_VERSION } from "@/lib/ingest/ingest";
import type { InvestigationSettings, TrailStep } from "@/lib/investigator/diagnosis";
import { type InvestigationInput, investigate } from "@/lib/investigator/investigation/investigate";
import { localizeStructurally } from "@/lib/investigator/structural";
import { type Budget, makeBudget, withBudget } from "@/lib/judge/budget";
import { maskTrajectory } from "@/lib/judge/masked";
import { type Judge, JudgeError } from "@/lib/judge/port";
import { recordingJudge } from "@/lib/judge/recording";
import { configuredJudges } from "@/lib/llm/configured";
import { loadBaseline } from "@/lib/store/baselines";
import { finishInvestigation, type InvestigationTarget, reportInvestigation } from "@/lib/store/investigation-work";
import { callLog, refusalOfDay } from "@/lib/store/judge-calls";
import type { ProjectScope } from "@/lib/store/scope";
import { mergeFailure } from "@/lib/trajectory/given-failure";
import { readUpload } from "./import-pipeline";

/** How often it is asked whether somebody ended the investigation, and how far it is is shown. */
const REPORT_EVERY_MS = 1_000;
/** When so much of a limit is used, the next answer has to be the diagnosis. */
const NEARLY_SPENT = 0.85;

/**
 * One investigation from the stored bytes to the stored diagnosis. The upload is read again (the same bytes give the same
 * trajectory), so it has to be read by the same rules as the import that people see.
 * @param prepared is called when the trajectory was read: what follows waits for answers more than it computes.
 * @returns `ended` when somebody cancelled it meanwhile.
 * @throws JudgeError; AppError `conflict` when the import was made by other rules.
 */
export async function runInvestigation(
  scope: ProjectScope,
  { trajectoryId, analysisId }: { trajectoryId: string; analysisId: string },
  target: InvestigationTarget,
  prepared: () => void,
): Promise<"stored" | "ended"> {
  if (target.parserVersion !== PARSER_VERSION) {
    throw new AppError("conflict", "The import was made by older rules. Read the upload again first.");
  }
  const input = await prepare(scope, trajectoryId, target);
  prepared();
  const budget = makeBudget(target.settings.limits, Date.now);
  const cancelled = new AbortController();
  const deadline = AbortSignal.timeout(target.settings.limits.seconds * 1_000);
  const judges = configuredJudges({
    signal: AbortSignal.any([cancelled.signal, deadline]),
    random: () => randomInt(2 ** 32) / 2 ** 32,
    now: Date.now,
  });
  if (!judges.ok) throw new AppError("conflict", judges.reason);
  // The budget counts what comes from the log too: a resumed analysis ends where it would have ended.
  const recorded = judges.value.map((judge, n) =>
    withBudget(
      withinSeconds(recordingJudge(withinDay(scope, judge), callLog(scope, analysisId, n), Date.now), target, deadline),
      budget,
    ),
  );

  let trail: readonly TrailStep[] = [];
  const timer = setInterval(() => {
    reportInvestigation(scope, analysisId, trail).then(
      (isRunning) => isRunning || cancelled.abort(),
      // The database is away for a moment: the next look tells.
      () => undefined,
    );
  }, REPORT_EVERY_MS);
  try {
    const diagnosis = await investigate(input, {
      judges: recorded,
      nonce: (n) => createHmac("sha256", target.secret).update(`nonce ${n}`).digest("base64url"),
      isNearlySpent: () => isNearlySpent(budget, target.settings),
      report: (steps) => {
        trail = steps;
      },
    });
    return await finishInvestigation(scope, analysisId, diagnosis);
  } catch (error) {
    if (cancelled.signal.aborted) return "ended";
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/**
 * A judge whose question is given up when the seconds of the analysis are over: an answer may take minutes, and a question
 * is tried again. That is a limit, as it is before a question, and no failure.
 */
function withinSeconds(judge: Judge, { settings }: InvestigationTarget, deadline: AbortSignal): Judge {
  return {
    model: judge.model,
    ask: async (request) => {
      try {
        return await judge.ask(request);
      } catch (error) {
        if (!(error instanceof JudgeError && error.code === "cancelled" && deadline.aborted)) throw error;
        const limit = `The limit of ${settings.limits.seconds} seconds for this analysis is reached.`;
        throw new JudgeError("budget", limit, error.failedTries);
      }
    },
  };
}

/**
 * A judge that asks as long as its project may today. Other investigations of the project ask at the same time: it is looked
 * at before each question, and what is under way when the limit is reached is still answered.
 * @throws AppError `rate_limited`
 */
function withinDay(scope: ProjectScope, judge: Judge): Judge {
  return {
    model: judge.model,
    ask: async (request) => {
      const refusal = await refusalOfDay(scope);
      if (refusal !== null) throw new AppError("rate_limited", refusal);
      return judge.ask(request);
    },
  };
}

async function prepare(
  scope: ProjectScope,
  trajectoryId: string,
  target: InvestigationTarget,
): Promise<InvestigationInput> {
  const found = await readUpload(target, () => undefined);
  if (found.kind === "several")
    throw new AppError("conflict", "The file holds several trajectories: choose one of them.");
  const { trajectory, failure: traceFailure } = found.ingested;
  const trace = { failure: traceFailure, taskStatement: trajectory.task.statement };
  const { failure, taskStatement } = mergeFailure(trace, target.given);
  const history = buildHistory(trajectory, await loadBaseline(scope, trajectoryId));
  const writes = writesByTurn(history.writes);
  const besides = [taskStatement, failure.errorReport, failure.failingTestCode, failure.referencePatch];
  return {
    ...{ trajectory, history, failure, task: taskStatement, settings: target.settings },
    masked: maskTrajectory(
      trajectory,
      besides.filter((text) => text !== null),
    ),
    structural: localizeStructurally({ trajectory, history, failure }),
    outline: (turn) => {
      const own = writes.get(turn.index) ?? [];
      const { title, hasError } = outlineTurn(turn, own);
      return { title, hasError, writeCount: own.length };
    },
  };
}

function isNearlySpent(budget: Budget, { limits }: InvestigationSettings): boolean {
  const { inputTokens, outputTokens, seconds, costUsd } = budget.use();
  return (
    inputTokens + outputTokens > limits.tokens * NEARLY_SPENT ||
    seconds > limits.seconds * NEARLY_SPENT ||
    (limits.costUsd !== null && costUsd > limits.costUsd * NEARLY_SPENT)
  );
}
