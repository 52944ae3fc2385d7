import { type Proposal, proposeCandidates, uncertainBefore } from "./candidates";
import { type RunSignals, readSignals } from "./signals";
import { nothingToFind, OUTCOME_UNKNOWN, undetermined } from "./undetermined";
import type { Candidate, Localizer, LocalizerInput, Verdict } from "./verdict";

const WHO = { engine: "structural", engineVersion: "structural@2" };
const CANDIDATES_MAX = 5;
/**
 * Up to here the first candidate was within two turns of the labelled turn in 70 % of 53 labelled failed runs; in runs
 * of 21 to 50 turns in 40 % of 60, beyond in 32 % of 37.
 */
const SHORT_RUN_TURNS = 20;
/** What a turn gains when a second signal names it too. */
const AGREEMENT = 0.05;

/**
 * The structural rule: the earliest decisive error is taken to be the first write to a file that is not the run's own
 * scratch file. Further signals of the run's shape (code that passed is changed again, the run rewrites its own edit,
 * it ends in a loop, it submits over an error, its last change is never run) make the rest of the list.
 * It reads no meaning and asks no model, and says `undetermined` where the shape says nothing.
 */
export const structuralLocalizer: Localizer = {
  id: WHO.engine,
  version: WHO.engineVersion,
  localize: async (input) => localizeStructurally(input),
};

/** The rule itself, synchronous and pure. */
export function localizeStructurally({ trajectory, history, failure }: LocalizerInput): Verdict {
  const run = readSignals(trajectory, history);
  const nothing = nothingToFind(run.path.length, failure.outcome);
  if (nothing !== null) return undetermined(WHO, nothing);
  const candidates = rank(proposeCandidates(run, history.root));
  const suspicion = suspect(run, candidates);
  const first = candidates[0];
  if (run.sourceWrites.length === 0 && first?.reasonCode !== "loop_start") {
    const reason =
      run.effectiveWrites.length > 0
        ? "The run changed only its own scratch files, so the rule has no write to point to."
        : run.refusedWrites.length > 0
          ? "Every change that the run tried was refused, so the rule has no write to point to."
          : "The run changed no file, so the rule has no write to point to.";
    return undetermined(WHO, reason, { candidates, suspicion });
  }
  if (first === undefined)
    return undetermined(WHO, "Nothing in the run can be quoted as evidence.", { candidates: [], suspicion });
  return {
    ...WHO,
    status: "determined",
    undeterminedReason: null,
    reliability: reliabilityOf(run, first, failure.outcome),
    candidates,
    suspicion,
  };
}

/** One candidate a turn: the strongest signal speaks, the others lend weight and their quotations. */
function rank(proposals: Proposal[]): Candidate[] {
  const byTurn = new Map<number, Proposal>();
  for (const proposal of [...proposals].sort((a, b) => b.score - a.score)) {
    const kept = byTurn.get(proposal.turn);
    if (kept === undefined) byTurn.set(proposal.turn, { ...proposal, quotations: [...proposal.quotations] });
    else {
      kept.score = Math.min(1, kept.score + AGREEMENT);
      kept.reason = joinSentences(kept.reason, proposal.reason);
      for (const quotation of proposal.quotations) {
        const known = kept.quotations.some(
          (q) => q.item === quotation.item && q.field === quotation.field && q.start === quotation.start,
        );
        if (!known) kept.quotations.push(quotation);
      }
    }
  }
  return [...byTurn.values()]
    .sort((a, b) => b.score - a.score || a.turn - b.turn)
    .slice(0, CANDIDATES_MAX)
    .map((proposal, i) => ({ rank: i + 1, ...proposal }));
}

function joinSentences(first: string, second: string): string {
  return `${first.replace(/\.$/, "")}; ${second.charAt(0).toLowerCase()}${second.slice(1)}`;
}

function reliabilityOf(
  run: RunSignals,
  first: Candidate,
  outcome: "failed" | "resolved" | "unknown",
): Verdict["reliability"] {
  if (outcome === "unknown") return OUTCOME_UNKNOWN;
  if (first.reasonCode !== "first_source_write") {
    return { class: "lower", reason: "No write to a source file: the rule rests on the shape of the run alone." };
  }
  const write = run.sourceWrites.find((candidate) => candidate.turn === first.turn);
  if (write?.status === "opaque") {
    return {
      class: "lower",
      reason: "What the command changed cannot be followed, so it may not be the first change.",
    };
  }
  if (write !== undefined && uncertainBefore(run, write) !== null) {
    return {
      class: "lower",
      reason: "A command before it may have changed a file, so it may not be the first change.",
    };
  }
  if (run.path.length > SHORT_RUN_TURNS) {
    return {
      class: "lower",
      reason: "A long run: its first change of a source file is often not the one that decided it.",
    };
  }
  return { class: "medium", reason: "A short run that failed, with a known first change of a source file." };
}

/** Suspicion for the strip: candidates by their score, other turns by the signals that they carry. */
function suspect(run: RunSignals, candidates: Candidate[]): Verdict["suspicion"] {
  const values = new Map<number, number>();
  const add = (turn: number, value: number) => values.set(turn, Math.min(1, (values.get(turn) ?? 0) + value));
  for (const write of run.sourceWrites) if (!values.has(write.turn)) add(write.turn, 0.25);
  for (const write of run.refusedWrites) if (!values.has(write.turn)) add(write.turn, 0.1);
  for (const turn of run.path) {
    const tests = run.testRuns.get(turn.index);
    if (tests?.[tests.length - 1]?.outcome === "failed") add(turn.index, 0.15);
    else if (turn.items.some((item) => item.kind === "result" && item.isError === true)) add(turn.index, 0.1);
  }
  for (const candidate of candidates)
    values.set(candidate.turn, Math.max(values.get(candidate.turn) ?? 0, candidate.score));
  return [...values]
    .sort((a, b) => a[0] - b[0])
    .map(([turn, value]) => ({ turn, value: Math.round(value * 1000) / 1000 }));
}
