import type { Review } from "@/lib/views/investigation";
import type { RunView } from "@/lib/views/run";

export type Verdict = NonNullable<RunView["verdict"]>;
export type Candidate = Verdict["candidates"][number];
export type Quotation = Candidate["quotations"][number];

/** Why a turn is flagged, and with which mark. */
export interface Flag {
  turn: number;
  rank: number;
  /** `person`: no engine proposes it. */
  role: "decisive" | "candidate" | "undetermined" | "person";
  /** Who says that the run went wrong for good here: a person, who counts before every engine. */
  namedBy: string | null;
}

/**
 * The flagged turns by turn; of two candidates on one turn the better rank counts.
 * @param review what a person said last, if it counts.
 */
export function flagsOf(verdict: Verdict | null, review: Review | null = null): Map<number, Flag> {
  const flags = new Map<number, Flag>();
  for (const candidate of verdict?.candidates ?? []) {
    const known = flags.get(candidate.turn);
    if (known && known.rank <= candidate.rank) continue;
    const role = verdict?.status === "undetermined" ? "undetermined" : candidate.rank === 1 ? "decisive" : "candidate";
    flags.set(candidate.turn, { turn: candidate.turn, rank: candidate.rank, role, namedBy: null });
  }
  if (review !== null && review.turn !== null) {
    const { turn, by } = review;
    flags.set(turn, { ...(flags.get(turn) ?? { turn, rank: 0, role: "person" }), namedBy: by });
  }
  return flags;
}

/** What a flag says in words. */
export function flagWords(flag: Flag): string {
  if (flag.namedBy !== null) {
    return flag.role === "decisive" ? "Decisive error, confirmed" : "Decisive error, by a person";
  }
  if (flag.role === "decisive") return "Decisive error";
  return flag.role === "candidate" ? `Candidate ${flag.rank}` : "Worth a look, undetermined";
}

/** The turn that a page opens on when the address names none: the first candidate, else the first turn. */
export function openingTurn(verdict: Verdict | null, turns: number): number {
  const first = verdict?.candidates.find((candidate) => candidate.rank === 1) ?? verdict?.candidates[0];
  return Math.max(0, Math.min(first?.turn ?? 0, turns - 1));
}
