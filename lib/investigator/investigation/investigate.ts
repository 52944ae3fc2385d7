import { invariant } from "@/lib/errors";
import type { MaskedTrajectory } from "@/lib/judge/masked";
import type { Judge } from "@/lib/judge/port";
import type { Turn } from "@/lib/trajectory/schema";
import type { Ablation, Diagnosis, HarnessFault, InvestigationSettings, TrailStep } from "../diagnosis";
import type { LocalizerInput, Quotation, Verdict } from "../verdict";
import { freezeRequirements, reasonFromReport } from "./before-reading";
import { Conversation, type FirstShown } from "./conversation";
import { compareWithRule, fusedVerdict } from "./fusion";
import { harnessFault } from "./harness-fault";
import { investigateOnce } from "./loop";
import { notingJudge } from "./noting-judge";
import { type OutlineLine, outlineText } from "./outline-view";
import { hasFailingReport, sourcesOf } from "./sources";
import { TraceView } from "./trace-view";
import { countVotes, shownVotes, type Vote } from "./votes";

/** Votes after the first are asked a little warmer: at temperature 0 they would be the same question again. */
const TEMPERATURE_OF_MORE = 0.1;

/** What an investigation is about. */
export interface InvestigationInput extends LocalizerInput {
  /** The task as a person gave it, else as the trace does. */
  task: string | null;
  masked: MaskedTrajectory;
  /** Of the same trajectory. Its quotations stay unfolded. */
  structural: Verdict;
  /** What the outline says of a turn. */
  outline: (turn: Turn) => OutlineLine;
  settings: InvestigationSettings;
}

/** Who is asked, and within what. */
export interface InvestigationDoor {
  /** The first is asked; the second only where the settings say so. */
  judges: readonly Judge[];
  /** Not to be guessed from the trace, and the same again when the analysis is resumed. */
  nonce: (n: number) => string;
  isNearlySpent: () => boolean;
  /** Takes the trail as it grows, for showing. */
  report: (trail: readonly TrailStep[]) => void;
}

/**
 * TrajAudit's investigator in full: what must hold is frozen, the failing report reasoned about, the folded trajectory read
 * with tools, and the verdict held against the structural rule. Asks the same questions in the same order whenever it gets
 * the same answers.
 * @throws JudgeError when a question gets no answer; a failed analysis is never a verdict.
 */
export async function investigate(input: InvestigationInput, door: InvestigationDoor): Promise<Diagnosis> {
  const { failure, masked, settings, structural } = input;
  const trail: TrailStep[] = [];
  const note = (step: TrailStep): void => {
    trail.push(step);
    door.report(trail);
  };
  const usage: Diagnosis["usage"] = { calls: 0, inputTokens: 0, cachedTokens: 0, outputTokens: 0, costUsd: 0 };
  const [first, second] = door.judges.map((judge, i) => notingJudge(judge, i, note, usage));
  invariant(first !== undefined, "an investigation has a judge");
  const sources = sourcesOf(input.task, failure, { withReference: settings.withReference, masked });
  const isWithout = (part: Ablation): boolean => settings.without?.includes(part) ?? false;
  const rule = isWithout("fusion") ? null : structural;
  const view = new TraceView(input.trajectory, masked, rule === null ? [] : citedBy(rule), isWithout("folding"));
  const base = {
    ...{ version: 1 as const, model: first.model, trail, usage },
    hadFailingReport: hasFailingReport(sources),
    withReference: sources.some(({ name }) => name === "reference_patch"),
    mode: view.turns.length <= settings.singlePassTurns ? ("single_pass" as const) : ("outline" as const),
  };
  const fault = harnessFault(input.trajectory);
  if (fault !== null) return { ...base, ...harnessDiagnosis(fault, rule), ...shownOf(view, null) };

  // What must hold is taken from the task and its report, also where the patch may be read: it says how, not what.
  const asked = sources.filter(({ name }) => name !== "reference_patch");
  const { requirements, dropped } = await freezeRequirements(first, asked, masked, door.nonce(0));
  if (dropped > 0) note({ kind: "refused", why: `${dropped} requirements whose words do not stand in their source` });
  const prior = isWithout("prior") ? null : await reasonFromReport(first, sources, masked, door.nonce(1));

  const known = { sources, requirements, prior, hadFailingReport: base.hadFailingReport };
  const makeOutline = (maxChars: number): string => outlineText(view.turns, masked, input.outline, maxChars);
  const begin = (nonce: string): Conversation => new Conversation(known, view, makeOutline, nonce, base.mode);
  const voters = [
    ...Array.from({ length: settings.votes }, () => first),
    ...(settings.secondJudge && second ? [second] : []),
  ];
  const votes: Vote[] = [];
  for (const [n, judge] of voters.entries()) {
    if (voters.length > 1) note({ kind: "vote", vote: n, model: judge.model });
    const work = {
      ...{ trajectory: input.trajectory, history: input.history, masked, sources, requirements, view },
      conversation: begin(door.nonce(2 + n)),
      calls: Math.max(1, settings.limits.calls - usage.calls),
      isNearlySpent: door.isNearlySpent,
      temperature: n === 0 ? 0 : TEMPERATURE_OF_MORE,
    };
    votes.push({ model: judge.model, investigated: await investigateOnce(judge, work, note) });
  }
  const chosen = countVotes(votes);
  const { submitted } = chosen.investigated;
  const fusion = compareWithRule(submitted.finding, rule);
  return {
    ...base,
    model: chosen.model,
    verdict: fusedVerdict(submitted, rule, fusion),
    ...{ finding: submitted.finding, alternative: submitted.alternative, requirements, prior, fusion },
    harnessFault: null,
    votes: shownVotes(votes),
    limitReached: votes.find(({ investigated }) => investigated.limit !== null)?.investigated.limit ?? null,
    ...shownOf(view, begin(door.nonce(2)).first()),
  };
}

/** The fault is none of the agent's: nobody is asked, and no turn is named. */
function harnessDiagnosis(
  fault: HarnessFault,
  rule: Verdict | null,
): Omit<Diagnosis, "version" | "model" | "trail" | "usage" | "hadFailingReport" | "withReference" | "mode" | "shown"> {
  const reason = `The fault lies with what ran the agent. ${fault.reason}`;
  const submitted = { finding: null, alternative: null, reason };
  const fusion = compareWithRule(null, rule);
  return {
    verdict: fusedVerdict(submitted, rule, fusion),
    ...{ finding: null, alternative: null, requirements: [], prior: null, harnessFault: fault, fusion },
    ...{ votes: [], limitReached: null },
  };
}

function citedBy(verdict: Verdict): Quotation[] {
  return verdict.candidates.flatMap(({ quotations }) => quotations);
}

/** How much was shown of how much; nothing when nobody was asked. */
function shownOf(view: TraceView, first: FirstShown | null): Pick<Diagnosis, "shown"> {
  const { firstChars, foldedChars, foldedObservations } = first ?? {
    firstChars: 0,
    foldedChars: 0,
    foldedObservations: 0,
  };
  return { shown: { wholeChars: view.wholeChars(), firstChars, foldedChars, foldedObservations } };
}
