import type { FindWords, Place } from "@/lib/views/find";

/** Turns in one window of the outline. */
export const WINDOW_TURNS = 100;

/** The path of the window that holds a turn. */
export function windowPath(turn: number): string {
  return `turns?from=${Math.floor(turn / WINDOW_TURNS) * WINDOW_TURNS}&limit=${WINDOW_TURNS}`;
}

/** The path of a turn with its items. */
export function turnPath(turn: number): string {
  return `turns/${turn}`;
}

/** The path of the records that a turn was made from. */
export function rawPath(turn: number): string {
  return `turns/${turn}/raw`;
}

/** The path of a context item. */
export function contextPath(n: number): string {
  return `contexts/${n}`;
}

/** The path of a file at a turn. */
export function codePath(file: number, turn: number, from: "before" | "baseline", to: "after" | "final"): string {
  return `code?file=${file}&turn=${turn}&from=${from}&to=${to}`;
}

/** The path of a piece of a long text. */
export function textPath(item: string, field: "text" | "arguments", offset: number): string {
  return `texts?item=${encodeURIComponent(item)}&field=${field}&offset=${offset}`;
}

/** The path of one step of a search over all turns, outward from one; `at` is where the one before it stopped. */
export function findPath(words: FindWords, turn: number, at: string | null): string {
  return `find?${findQuery(words, at)}&turn=${turn}`;
}

/** The path of the matches of a turn or of a context item. */
export function placeFindPath(place: Place, words: FindWords, at: string | null): string {
  const path = place.context === null ? turnPath(place.turn) : contextPath(place.context);
  return `${path}/find?${findQuery(words, at)}`;
}

function findQuery({ words, matchCase }: FindWords, at: string | null): string {
  const query = `q=${encodeURIComponent(words.toWellFormed())}${matchCase ? "&case=match" : ""}`;
  return at === null ? query : `${query}&at=${at}`;
}
