import { readSignals } from "../signals";
import { callsOf } from "../turn-quotations";
import { nothingToFind, OUTCOME_UNKNOWN, undetermined } from "../undetermined";
import type { Candidate, Localizer, LocalizerInput, Verdict } from "../verdict";
import { firstNewLine } from "../written-lines";
import { explainTurn } from "./explanation";
import { featureTable } from "./features";
import { type Ranker, type Ranking, rankTurns } from "./ranking";
import { TRAINED } from "./weights";
import type { Trained } from "./weights-schema";

export const LEARNED_ENGINE = "learned";
const CANDIDATES_MAX = 5;
/** Suspicion below this share of the first candidate's is not shown. */
const SUSPICION_MIN = 0.02;
/** Turns are told apart when one is ahead of another by more than rounding. */
const TOLD_APART = 1e-9;
/** Classes by how many runs of a band had the labelled turn within two turns. */
const HIGHER_FROM = 0.7;
const MEDIUM_FROM = 0.5;

/**
 * The ranker: a conditional logit over the turns of a run, on features of its shape, with weights learned from labelled
 * failures. It asks no model, and says `undetermined` where it has nothing to go by.
 */
export const learnedLocalizer: Localizer = {
  id: LEARNED_ENGINE,
  version: TRAINED.version,
  localize: async (input) => localizeLearned(input),
};

/** The ranker's verdict, synchronous and pure. `ranker` is the shipped one unless a case must not have been seen. */
export function localizeLearned(
  { trajectory, history, failure }: LocalizerInput,
  trained: Trained = TRAINED,
  ranker: Ranker = trained.ranker,
): Verdict {
  const run = readSignals(trajectory, history);
  const who = { engine: LEARNED_ENGINE, engineVersion: trained.version };
  const none = (reason: string): Verdict => undetermined(who, reason);
  const nothing = nothingToFind(run.path.length, failure.outcome);
  if (nothing !== null) return none(nothing);
  if (run.path.every((turn) => callsOf(turn).length === 0)) {
    return none("The ranker goes by what a run does, and this one calls no tool.");
  }
  const table = featureTable(run, ranker.rule);
  const ranking = rankTurns(table.rows, ranker);
  const [first = 0] = ranking.advantage;
  if (run.path.length > 1 && ranking.advantage.every((value) => Math.abs(value - first) < TOLD_APART)) {
    return none("Nothing that the ranker goes by tells the turns of this run apart.");
  }
  const candidates: Candidate[] = [];
  for (const at of ranking.order) {
    if (candidates.length === CANDIDATES_MAX) break;
    const turn = run.path[at];
    if (turn === undefined) continue;
    const { contributions, quotations } = explainTurn(run, table, ranker, at);
    if (quotations.length === 0) continue;
    const change = table.changes[at]?.[0];
    candidates.push({
      rank: candidates.length + 1,
      turn: turn.index,
      score: rounded(ranking.score[at] ?? 0),
      reasonCode: contributions[0]?.feature ?? "position",
      reason: sentence(contributions.map(({ words }) => words)),
      quotations,
      file: change?.path ?? null,
      line: change === undefined ? null : firstNewLine(change, history),
      contributions,
    });
  }
  if (candidates.length === 0) return none("Nothing in the run can be quoted as evidence.");
  return {
    ...who,
    status: "determined",
    undeterminedReason: null,
    reliability: reliabilityOf(trained, ranking, failure.outcome),
    candidates,
    suspicion: suspicionOf(
      run.path.map(({ index }) => index),
      ranking,
    ),
  };
}

/** The class of the band that the ranking falls into, with what was counted there. */
function reliabilityOf(
  { calibration, labelKind }: Trained,
  { certainty }: Ranking,
  outcome: LocalizerInput["failure"]["outcome"],
): Verdict["reliability"] {
  if (outcome === "unknown") return OUTCOME_UNKNOWN;
  const band = calibration.findLast(({ from }) => certainty >= from) ?? calibration[0];
  if (band === undefined) return { class: "lower", reason: "It is not known how often the ranker is right." };
  const { runs, exact, withinTwo } = band;
  const near = withinTwo / runs;
  return {
    class: near >= HIGHER_FROM ? "higher" : near >= MEDIUM_FROM ? "medium" : "lower",
    reason:
      `Of ${runs} runs that it had not learned from and was about as sure of, it named the labelled turn in ${exact}, ` +
      `and a turn at most two away in ${withinTwo}. The labels mark the ${labelKind}.`,
  };
}

/** Suspicion against the first candidate's, which is 1. */
function suspicionOf(turns: number[], { score, order }: Ranking): Verdict["suspicion"] {
  const highest = score[order[0] ?? 0] ?? 0;
  return turns
    .map((turn, i) => ({ turn, value: highest === 0 ? 0 : rounded((score[i] ?? 0) / highest) }))
    .filter(({ value }) => value >= SUSPICION_MIN);
}

function rounded(value: number): number {
  return Math.min(1, Math.round(value * 1000) / 1000);
}

function sentence(words: string[]): string {
  const [first = "Nothing sets it apart from the other turns", ...rest] = words;
  return `${[first, ...rest.map((one) => one.charAt(0).toLowerCase() + one.slice(1))].join("; ")}.`;
}
