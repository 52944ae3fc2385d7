import type { FoundMatch, FoundPlace, MatchPosition, Place } from "@/lib/views/find";
import { comparePlaces, isSamePlace, isSamePosition } from "./find-results";

/** A row of the list of matches: the head of a place, one of its first matches, or how many more it has. */
export type FindRow =
  | { kind: "place"; place: FoundPlace }
  | { kind: "match"; place: FoundPlace; match: FoundMatch }
  | { kind: "more"; place: FoundPlace; count: number };

/** The rows of the list, place by place in the order of the run. */
export function findRows(places: readonly FoundPlace[]): FindRow[] {
  return places.flatMap((place): FindRow[] => {
    const more = place.count - place.first.length;
    return [
      { kind: "place", place },
      ...place.first.map((match): FindRow => ({ kind: "match", place, match })),
      ...(more > 0 ? [{ kind: "more" as const, place, count: more }] : []),
    ];
  });
}

/**
 * The row of the open match: itself, or what stands for the matches of its place that are not listed. Without an open
 * match the first row at or behind the open place. -1 when there is none.
 */
export function rowOfMatch(rows: readonly FindRow[], place: Place, current: MatchPosition | null): number {
  const inPlace = (row: FindRow): boolean => isSamePlace(row.place, place);
  if (current === null) return rows.findIndex((row) => comparePlaces(row.place, place) >= 0);
  const exact = rows.findIndex((row) => row.kind === "match" && inPlace(row) && isSamePosition(row.match, current));
  return exact >= 0 ? exact : rows.findIndex((row) => row.kind === "more" && inPlace(row));
}

/** Characters of a line that stand before a match in the list, so that the match itself is in sight. */
const BEFORE_CHARS = 28;

/** What stands before a match, short enough for a row. */
export function shortBefore(before: string): string {
  const text = before.trimStart();
  if (text.length <= BEFORE_CHARS) return text;
  return `…${text.slice(-BEFORE_CHARS).replace(/^[\udc00-\udfff]/, "")}`;
}
