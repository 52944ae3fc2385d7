"use client";

import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import type { FindWords, MatchPosition, Place } from "@/lib/views/find";
import type { RunView } from "@/lib/views/run";
import { type Address, atMatch } from "./address";
import type { Answers } from "./answers";
import type { Find } from "./find-context";
import { isSamePosition, NOTHING_FOUND, openMatch, ordinalOf, placeName, stepFrom } from "./find-results";
import { type FindProgress, FindSearch } from "./find-search";
import type { MarkedStretch } from "./text-lines";
import { usePlaceMatches } from "./use-place-matches";

/** What of the page finding needs. */
export interface FindPage {
  api: string;
  answers: Answers;
  run: RunView;
  address: Address;
  turn: number;
  go: (address: Address, how?: "push" | "replace") => void;
}

const NO_MARKS: readonly MarkedStretch[] = [];
const noSubscription = (): (() => void) => () => undefined;
const noProgress = (): FindProgress | null => null;

/** A search that runs while something is looked for, from the turn that was open when it began. */
function useSearch(api: string, words: FindWords | null, turn: number): [FindSearch | null, FindProgress | null] {
  const from = useRef(turn);
  from.current = turn;
  const [search, setSearch] = useState<FindSearch | null>(null);
  useEffect(() => {
    if (words === null) return;
    const made = new FindSearch(api, words, from.current);
    setSearch(made);
    made.start();
    return () => made.stop();
  }, [api, words]);
  const progress = useSyncExternalStore(search?.subscribe ?? noSubscription, search?.peek ?? noProgress, noProgress);
  // What was found for other words is nothing for these.
  return search !== null && search.words === words ? [search, progress] : [null, null];
}

/** Finding on a trajectory page: the address says what is looked for and which match is open. */
export function useFindState({ api, answers, run, address, turn, go }: FindPage): Find {
  const { find, findCase, context } = address;
  const words = useMemo(() => (find === null ? null : { words: find, matchCase: findCase }), [find, findCase]);
  const [search, progress] = useSearch(api, words, turn);
  const found = progress?.found ?? NOTHING_FOUND;
  const place: Place = useMemo(() => {
    if (context === null) return { turn, context };
    const isThis = (each: Place) => each.context === context;
    const before = run.contexts.find((each) => each.n === context)?.beforeTurn ?? found.places.find(isThis)?.turn;
    return { turn: before ?? turn, context };
  }, [context, turn, run.contexts, found.places]);
  const open = usePlaceMatches(answers, place, words);
  const wanted = address.match;
  const length = find?.length ?? 0;
  const current = useMemo(
    () => (words === null ? null : openMatch(wanted, { place, matches: open.matches, state: open.state }, length)),
    [words, wanted, place, open.matches, open.state, length],
  );

  const addressOf = useCallback(
    (to: Place, match: MatchPosition) => atMatch(address, { turn, turns: run.strip.turns }, to, match),
    [address, turn, run.strip.turns],
  );
  const [pending, setPending] = useState<{ by: 1 | -1; isHeld: boolean; words: FindWords } | null>(null);
  const isSearching = progress === null || progress.status === "searching";
  const step = useCallback(
    (by: 1 | -1, isHeld: boolean) => {
      if (words === null) return;
      const to = stepFrom(found, open, current, by, isSearching);
      if (to.kind === "match") go(addressOf(to.place, to.match), isHeld ? "replace" : "push");
      setPending(to.kind === "wait" ? { by, isHeld, words } : null);
    },
    [words, found, open, current, isSearching, go, addressOf],
  );
  useEffect(() => {
    if (pending === null) return;
    if (pending.words !== words) setPending(null);
    else if (stepFrom(found, open, current, pending.by, isSearching).kind !== "wait") step(pending.by, pending.isHeld);
  }, [pending, words, found, open, current, isSearching, step]);

  const look = useCallback(
    (next: string, matchCase: boolean) => {
      const isNone = next === "";
      const to: Address = { ...address, find: isNone ? null : next, findCase: !isNone && matchCase, match: null };
      go(to, address.find === null ? "push" : "replace");
    },
    [address, go],
  );

  const field = useRef<HTMLInputElement>(null);
  const before = useRef<HTMLElement | null>(null);
  const [isBarOpen, setBarOpen] = useState(false);
  const openBar = useCallback(() => {
    flushSync(() => setBarOpen(true));
    field.current?.focus();
    field.current?.select();
  }, []);
  const rememberFocus = useCallback((element: EventTarget | null) => {
    const isOutside = element instanceof HTMLElement && element.closest("search") === null;
    if (isOutside) before.current = element;
  }, []);
  const close = useCallback(() => {
    setBarOpen(false);
    if (address.find !== null) go({ ...address, find: null, findCase: false, match: null });
    const { activeElement } = document;
    // The body is focused where nothing else was: then the keys of the page are at work again.
    if (before.current?.isConnected) before.current.focus({ preventScroll: true });
    else if (activeElement instanceof HTMLElement) activeElement.blur();
    before.current = null;
  }, [address, go]);

  const counts = useMemo(() => new Map(found.places.map((each) => [placeName(each), each.count])), [found.places]);
  const marks = useMemo(() => marksByText(open.matches, current), [open.matches, current]);
  return {
    words,
    progress: words === null ? null : progress,
    open: words === null ? null : open,
    current,
    ordinal: ordinalOf(found, open, current),
    isStepping: pending !== null && pending.words === words,
    countOf: (each) => (words === null ? 0 : (counts.get(placeName(each)) ?? 0)),
    marksOf: (item, of) => marks.get(`${of} ${item}`) ?? NO_MARKS,
    look,
    step,
    addressOf,
    stop: () => search?.stop(),
    goOn: () => {
      search?.start();
      if (open.state === "failed") open.retry();
    },
    field,
    isBarOpen,
    openBar,
    rememberFocus,
    close,
  };
}

function marksByText(matches: readonly MatchPosition[], current: MatchPosition | null): Map<string, MarkedStretch[]> {
  const marks = new Map<string, MarkedStretch[]>();
  const add = ({ item, field, offset, length }: MatchPosition, kind: "find" | "find-current", n: number): void => {
    const key = `${field} ${item}`;
    const list = marks.get(key) ?? [];
    list.push({ start: offset, end: offset + length, kind, n, text: null });
    marks.set(key, list);
  };
  // The open one first: it is seen where it overlaps what else is marked.
  if (current !== null) add(current, "find-current", 0);
  for (const [i, match] of matches.entries()) {
    if (current === null || !isSamePosition(match, current)) add(match, "find", i + 1);
  }
  return marks;
}
