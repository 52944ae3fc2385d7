import type { Diagnosis, Evidence, Finding } from "../diagnosis";
import type { Candidate, Quotation, Verdict } from "../verdict";
import { PROMPT_VERSION } from "./questions";
import type { Submitted } from "./submission";

const ENGINE = "investigator";
const CANDIDATES_MAX = 5;
/** As far apart as the published tolerances that people still call near (trajaudit.md, "Metrics"). */
const NEAR_TURNS = 2;
const QUOTATIONS_MAX = 6;

type Fusion = Diagnosis["fusion"];

/**
 * Holds what the investigator says against the structural rule. Both look at the run in different ways: that they agree
 * makes a verdict more reliable, that they do not is said. Null: the rule is left out, and nothing is compared.
 */
export function compareWithRule(finding: Finding | null, structural: Verdict | null): Fusion {
  if (structural === null)
    return { structuralTurn: null, agreement: "none", reason: "The structural rule was left out." };
  const turn = structural.status === "determined" ? (structural.candidates[0]?.turn ?? null) : null;
  if (finding === null && turn === null)
    return {
      structuralTurn: null,
      agreement: "none",
      reason: "Neither the investigator nor the structural rule names a turn.",
    };
  if (finding === null) {
    const reason = `The structural rule names #${(turn ?? 0) + 1}; the investigator names no turn.`;
    return { structuralTurn: turn, agreement: "one_sided", reason };
  }
  if (turn === null) {
    const reason = "The structural rule names no turn, so nothing stands beside the investigator's.";
    return { structuralTurn: null, agreement: "one_sided", reason };
  }
  const distance = Math.abs(turn - finding.turn);
  if (distance === 0)
    return {
      structuralTurn: turn,
      agreement: "same",
      reason: "The investigator and the structural rule name the same turn.",
    };
  const reason = `The structural rule names #${turn + 1}, the investigator #${finding.turn + 1}.`;
  return { structuralTurn: turn, agreement: distance <= NEAR_TURNS ? "within_two" : "different", reason };
}

/** What the investigator says in the form that all engines share: its turn, its alternative, then the rule's candidates. */
export function fusedVerdict(submitted: Submitted, structural: Verdict | null, fusion: Fusion): Verdict {
  const { finding, alternative, reason } = submitted;
  const own =
    finding === null ? [] : [candidateOf(finding.turn, finding.justification, finding.committed, finding.violated)];
  const second =
    alternative === null ? [] : [candidateOf(alternative.turn, alternative.reason, alternative.committed, [])];
  const proposed = [...own, ...second];
  const rule = (structural?.candidates ?? []).filter(({ turn }) => !proposed.some((each) => each.turn === turn));
  const candidates = [...proposed, ...rule].slice(0, CANDIDATES_MAX).map((each, i) => ({ ...each, rank: i + 1 }));
  return {
    engine: ENGINE,
    engineVersion: PROMPT_VERSION,
    status: finding === null ? "undetermined" : "determined",
    undeterminedReason: finding === null ? (reason ?? "The investigator names no turn.") : null,
    reliability: reliabilityOf(finding, fusion),
    candidates,
    suspicion: structural?.suspicion ?? [],
  };
}

function reliabilityOf(finding: Finding | null, fusion: Fusion): Verdict["reliability"] {
  if (finding === null) return { class: "lower", reason: fusion.reason };
  const classes = {
    same: "higher",
    within_two: "medium",
    different: "lower",
    one_sided: "lower",
    none: "lower",
  } as const;
  return { class: classes[fusion.agreement], reason: fusion.reason };
}

function candidateOf(
  turn: number,
  reason: string,
  committed: Evidence[],
  violated: Evidence[],
): Omit<Candidate, "rank"> {
  const quotations = [...committed, ...violated]
    .flatMap((evidence): Quotation[] => (evidence.from === "trace" ? [evidence.quotation] : []))
    .slice(0, QUOTATIONS_MAX);
  return { turn, score: 1, reasonCode: ENGINE, reason, quotations, file: null, line: null };
}
