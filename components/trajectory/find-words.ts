import type { FindProgress } from "./find-search";
import { formatCount, formatPlural } from "./numbers";

/** "12 of 340 in 57 turns"; "Not found" when everything is searched, "Nothing yet" before. */
export function countWords({ status, found }: FindProgress, ordinal: number | null): string {
  if (found.count === 0) {
    if (status === "searching") return "Searching";
    return status === "done" ? `Not found in ${formatPlural(found.totalTurns, "turn")}` : "Nothing yet";
  }
  const which = ordinal === null ? "" : `${formatCount(ordinal)} of `;
  return `${which}${formatCount(found.count)} in ${formatPlural(found.turns, "turn")}`;
}

/** How far a search is that is not done: "searched 400 of 6,000 turns"; null when there is nothing to say. */
export function progressWords({ status, found }: FindProgress): string | null {
  if (status === "done" || found.totalTurns === 0) return null;
  const far = `${formatCount(found.searchedTurns)} of ${formatPlural(found.totalTurns, "turn")}`;
  return status === "searching" ? `searched ${far}` : `stopped at ${far}`;
}

/** What is said aloud: once when a search has ended, and for each match that is opened; nothing while the figures run. */
export function spokenWords(progress: FindProgress | null, ordinal: number | null, turn: number | null): string {
  if (progress === null) return "";
  const { status, found, message } = progress;
  if (status === "failed") return `${message ?? ""} ${countWords(progress, null)}`;
  if (turn === null) return status === "searching" ? "Searching" : countWords(progress, null);
  const which =
    ordinal === null || status === "searching" ? "" : ` ${formatCount(ordinal)} of ${formatCount(found.count)}`;
  return `Match${which}, turn ${formatCount(turn + 1)}`;
}
