import type { RunView } from "@/lib/views/run";

export type Verdict = NonNullable<RunView["verdict"]>;
export type Candidate = Verdict["candidates"][number];
export type Quotation = Candidate["quotations"][number];

/** Why a turn is flagged, and with which mark. */
export interface Flag {
  turn: number;
  rank: number;
  role: "decisive" | "candidate" | "undetermined";
}

/** The flagged turns of a verdict by turn; of two candidates on one turn the better rank counts. */
export function flagsOf(verdict: Verdict | null): Map<number, Flag> {
  const flags = new Map<number, Flag>();
  for (const candidate of verdict?.candidates ?? []) {
    const known = flags.get(candidate.turn);
    if (known && known.rank <= candidate.rank) continue;
    const role = verdict?.status === "undetermined" ? "undetermined" : candidate.rank === 1 ? "decisive" : "candidate";
    flags.set(candidate.turn, { turn: candidate.turn, rank: candidate.rank, role });
  }
  return flags;
}

/** What a flag says in words. */
export function flagWords(flag: Flag): string {
  if (flag.role === "decisive") return "Decisive error";
  return flag.role === "candidate" ? `Candidate ${flag.rank}` : "Worth a look, undetermined";
}

/** The turn that a page opens on when the address names none: the first candidate, else the first turn. */
export function openingTurn(verdict: Verdict | null, turns: number): number {
  const first = verdict?.candidates.find((candidate) => candidate.rank === 1) ?? verdict?.candidates[0];
  return Math.max(0, Math.min(first?.turn ?? 0, turns - 1));
}
