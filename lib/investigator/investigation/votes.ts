import { invariant } from "@/lib/errors";
import type { Diagnosis } from "../diagnosis";
import type { Investigated } from "./loop";

/** One vote: what a judge said when it was asked once. */
export interface Vote {
  model: string;
  investigated: Investigated;
}

/**
 * The vote that counts: the first of those that name the turn which most name. Undetermined is a turn of its own here; of
 * two that are named equally often the one that was named first counts. A vote that a limit ended says nothing, and counts
 * only where none came to its end: what was found before the limit is kept.
 * @param given at least one.
 */
export function countVotes(given: readonly Vote[]): Vote {
  const ended = given.filter(({ investigated }) => investigated.limit === null);
  const votes = ended.length > 0 ? ended : given;
  const turnOf = ({ investigated }: Vote): number | null => investigated.submitted.finding?.turn ?? null;
  const named = (turn: number | null): number => votes.filter((vote) => turnOf(vote) === turn).length;
  const [first, ...others] = votes;
  invariant(first !== undefined, "there is a vote");
  return others.reduce((best, vote) => (named(turnOf(vote)) > named(turnOf(best)) ? vote : best), first);
}

/** The votes as they are shown. */
export function shownVotes(votes: readonly Vote[]): Diagnosis["votes"] {
  return votes.map(({ model, investigated: { submitted } }) => ({
    model,
    turn: submitted.finding?.turn ?? null,
    phase: submitted.finding?.phase ?? null,
    kind: submitted.finding?.kind ?? null,
  }));
}
