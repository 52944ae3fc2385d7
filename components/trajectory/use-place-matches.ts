"use client";

import { useEffect, useMemo, useState } from "react";
import { type FindWords, type MatchPosition, type Place, placeMatchesSchema } from "@/lib/views/find";
import type { Answers } from "./answers";
import type { OpenPlace } from "./find-results";
import { placeFindPath } from "./paths";

/** Matches of one place that are marked and stepped through; what a place holds more is counted. */
export const PLACE_MATCHES_MAX = 1_000;

export interface PlaceMatchesState extends OpenPlace {
  message: string | null;
  retry: () => void;
}

/** The matches of the open place, asked for stretch by stretch; none while nothing is looked for. */
export function usePlaceMatches(answers: Answers, place: Place, words: FindWords | null): PlaceMatchesState {
  const [round, redraw] = useState(0);
  useEffect(() => answers.subscribe(() => redraw((n) => n + 1)), [answers]);
  const { turn, context } = place;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers change with each round
  const read = useMemo(() => readMatches(answers, { turn, context }, words), [answers, turn, context, words, round]);
  const { wanted } = read;
  useEffect(() => {
    if (wanted !== null) answers.ask(wanted, placeMatchesSchema);
  }, [answers, wanted]);
  const count = read.matches.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: matches are only ever added
  const matches = useMemo(() => read.matches, [turn, context, words, count]);
  return {
    place,
    matches,
    state: read.state,
    message: read.message,
    retry: () => {
      if (read.failed !== null) answers.retry(read.failed, placeMatchesSchema);
    },
  };
}

interface ReadMatches {
  matches: MatchPosition[];
  state: OpenPlace["state"];
  /** The answer that is asked for next. */
  wanted: string | null;
  failed: string | null;
  message: string | null;
}

function readMatches(answers: Answers, place: Place, words: FindWords | null): ReadMatches {
  const read: ReadMatches = { matches: [], state: "whole", wanted: null, failed: null, message: null };
  if (words === null) return read;
  for (let at: string | null = null; ; ) {
    const path = placeFindPath(place, words, at);
    const answer = answers.peek(path);
    if (answer.state === "failed") return { ...read, state: "failed", failed: path, message: answer.message };
    const here = answers.value(path, placeMatchesSchema);
    if (here === null) return { ...read, state: "waiting", wanted: path };
    read.matches.push(...here.matches);
    if (here.next === null) return read;
    if (read.matches.length >= PLACE_MATCHES_MAX) return { ...read, state: "part" };
    at = here.next;
  }
}
