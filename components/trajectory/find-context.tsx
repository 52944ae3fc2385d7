"use client";

import { createContext, type RefObject, use } from "react";
import type { FindWords, MatchPosition, Place } from "@/lib/views/find";
import type { Address } from "./address";
import type { FindProgress } from "./find-search";
import type { MarkedStretch } from "./text-lines";
import type { PlaceMatchesState } from "./use-place-matches";

/** What is looked for in all turns, and what was found. */
export interface Find {
  /** Null while nothing is looked for. */
  words: FindWords | null;
  progress: FindProgress | null;
  /** The matches of the open turn or context item. */
  open: PlaceMatchesState | null;
  current: MatchPosition | null;
  /** 1-based place of the open match among all; null when it is not known. */
  ordinal: number | null;
  /** True from a key press until the answer that it waits for. */
  isStepping: boolean;
  /** Matches of a place: `t4` is a turn, `c0` a context item. */
  countOf: (place: Place) => number;
  /** The matches in a text of what is open, as marks; the open one first. */
  marksOf: (item: string, field: "text" | "arguments") => readonly MarkedStretch[];
  /** Looks for other words. */
  look: (words: string, matchCase: boolean) => void;
  /** Opens the next match, or the one before. `isHeld` for a key held down. */
  step: (by: 1 | -1, isHeld: boolean) => void;
  addressOf: (place: Place, match: MatchPosition) => Address;
  stop: () => void;
  goOn: () => void;
  /** The field: a narrow page shows it when it is asked for. */
  field: RefObject<HTMLInputElement | null>;
  isBarOpen: boolean;
  openBar: () => void;
  /** What had the focus before the field, to give it back. */
  rememberFocus: (element: EventTarget | null) => void;
  /** Looks for nothing any more, and gives the focus back. */
  close: () => void;
}

const NO_MARKS: readonly MarkedStretch[] = [];

/** Where nothing can be looked for. */
const RESTING: Find = {
  words: null,
  progress: null,
  open: null,
  current: null,
  ordinal: null,
  isStepping: false,
  countOf: () => 0,
  marksOf: () => NO_MARKS,
  look: () => undefined,
  step: () => undefined,
  addressOf: () => {
    throw new Error("addressOf stands outside a page with a field of finding");
  },
  stop: () => undefined,
  goOn: () => undefined,
  field: { current: null },
  isBarOpen: false,
  openBar: () => undefined,
  rememberFocus: () => undefined,
  close: () => undefined,
};

const Context = createContext<Find>(RESTING);

export const FindProvider = Context.Provider;

/** The find of the page; one that rests outside a trajectory page. */
export function useFind(): Find {
  return use(Context);
}
