import { FIND_FIRST_MATCHES, type FindAnswer, type FoundPlace, type MatchPosition, type Place } from "@/lib/views/find";

/** What a search has found so far, places in the order of the run. */
export interface Found {
  places: readonly FoundPlace[];
  /** Matches in all of them, and how many turns they stand in (or before). */
  count: number;
  turns: number;
  searchedTurns: number;
  totalTurns: number;
  /** Where the search goes on, null when it is done. */
  next: string | null;
}

/** A search of which no answer is here yet. */
export const NOTHING_FOUND: Found = {
  places: [],
  count: 0,
  turns: 0,
  searchedTurns: 0,
  totalTurns: 0,
  next: null,
};

/** The order of the run: what stands before a turn, then the turn. */
export function comparePlaces(a: Place, b: Place): number {
  return (
    a.turn - b.turn ||
    (a.context === null ? 1 : 0) - (b.context === null ? 1 : 0) ||
    (a.context ?? 0) - (b.context ?? 0)
  );
}

/** True for the same turn, or the same context item. */
export function isSamePlace(a: Place, b: Place): boolean {
  return placeName(a) === placeName(b);
}

/** A name for a place: `t4` for a turn, `c0` for a context item. */
export function placeName({ turn, context }: Place): string {
  return context === null ? `t${turn}` : `c${context}`;
}

/** What was found with one more answer. An answer may go on in the place in which the one before it stopped. */
export function withAnswer(found: Found, answer: FindAnswer): Found {
  const byName = new Map(found.places.map((place) => [placeName(place), place]));
  for (const more of answer.places) {
    const known = byName.get(placeName(more));
    const first = [...(known?.first ?? []), ...more.first].slice(0, FIND_FIRST_MATCHES);
    byName.set(placeName(more), { ...more, count: (known?.count ?? 0) + more.count, first });
  }
  const places = [...byName.values()].sort(comparePlaces);
  return {
    places,
    count: places.reduce((sum, place) => sum + place.count, 0),
    turns: new Set(places.map((place) => place.turn)).size,
    searchedTurns: answer.searchedTurns,
    totalTurns: answer.totalTurns,
    next: answer.next,
  };
}

/** True for the same place in the same text. */
export function isSamePosition(
  a: Pick<MatchPosition, "item" | "field" | "offset">,
  b: Pick<MatchPosition, "item" | "field" | "offset">,
): boolean {
  return a.item === b.item && a.field === b.field && a.offset === b.offset;
}

/** The open place: its matches in its order, and whether these are all. */
export interface OpenPlace {
  place: Place;
  matches: readonly MatchPosition[];
  /** `part`: there are more than are listed. */
  state: "waiting" | "part" | "whole" | "failed";
}

/**
 * The match that an address means. A link may come from where masks moved the text: then it is the nearest one in that
 * text. Null when there is none there, or it is not known yet.
 */
export function openMatch(
  wanted: Pick<MatchPosition, "item" | "field" | "offset"> | null,
  open: OpenPlace,
  length: number,
): MatchPosition | null {
  if (wanted === null || open.state === "waiting") return null;
  const here = open.matches.filter(({ item, field }) => item === wanted.item && field === wanted.field);
  const exact = here.find(({ offset }) => offset === wanted.offset);
  if (exact !== undefined) return exact;
  if (open.state !== "whole") return { ...wanted, length };
  return here.reduce<MatchPosition | null>((best, each) => {
    const isNearer = best === null || Math.abs(each.offset - wanted.offset) < Math.abs(best.offset - wanted.offset);
    return isNearer ? each : best;
  }, null);
}

/** How many matches stand up to and with the open one; null when that is not known. */
export function ordinalOf(found: Found, open: OpenPlace, current: MatchPosition | null): number | null {
  if (current === null) return null;
  let before = 0;
  for (const place of found.places) {
    if (!isSamePlace(place, open.place)) {
      if (comparePlaces(place, open.place) < 0) before += place.count;
      continue;
    }
    const at = open.matches.findIndex((each) => isSamePosition(each, current));
    if (at >= 0) return before + at + 1;
    return isSamePosition(place.last, current) ? before + place.count : null;
  }
  return null;
}

/** Where a step leads: to a match, nowhere, or it has to wait for an answer. */
export type FindStep = { kind: "match"; place: Place; match: MatchPosition } | { kind: "wait" } | { kind: "none" };

/**
 * The next match after the open one (or, backwards, the one before it) in the order of the run, round its ends. Without an
 * open match: the first one of the open place, or the nearest behind it.
 */
export function stepFrom(
  found: Found,
  open: OpenPlace,
  current: MatchPosition | null,
  by: 1 | -1,
  isSearching: boolean,
): FindStep {
  const within = stepInPlace(found, open, current, by);
  if (within !== null) return within;
  const { places } = found;
  const ahead =
    by === 1
      ? places.find((place) => comparePlaces(place, open.place) > 0)
      : places.findLast((place) => comparePlaces(place, open.place) < 0);
  // Round the end only when nothing can come there any more.
  const target = ahead ?? (isSearching ? undefined : by === 1 ? places[0] : places.at(-1));
  if (target === undefined) return isSearching ? { kind: "wait" } : { kind: "none" };
  const match = by === 1 ? target.first[0] : target.last;
  return match === undefined ? { kind: "none" } : { kind: "match", place: target, match };
}

function stepInPlace(found: Found, open: OpenPlace, current: MatchPosition | null, by: 1 | -1): FindStep | null {
  const counted = found.places.find((place) => isSamePlace(place, open.place));
  if (open.state === "waiting" && (current !== null || counted !== undefined)) return { kind: "wait" };
  const { matches } = open;
  const at = current === null ? -1 : matches.findIndex((each) => isSamePosition(each, current));
  if (current !== null && at < 0) return null;
  const to = current === null ? (by === 1 ? 0 : matches.length - 1) : at + by;
  const match = matches[to];
  if (match !== undefined) return { kind: "match", place: open.place, match };
  const isLastListed = by === 1 && open.state === "part" && counted !== undefined;
  if (isLastListed && current !== null && !isSamePosition(counted.last, current)) {
    return { kind: "match", place: open.place, match: counted.last };
  }
  return null;
}
