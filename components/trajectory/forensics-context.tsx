"use client";

import { createContext, use } from "react";
import type { RunView } from "@/lib/views/run";
import type { Address, Pane } from "./address";
import type { Answers } from "./answers";
import type { Flag } from "./flags";
import type { PlacedQuotation } from "./quotations";

/** What every part of a trajectory page needs. */
export interface Forensics {
  run: RunView;
  /** The prefix of the JSON routes of this trajectory. */
  api: string;
  answers: Answers;
  address: Address;
  /** 0-based. */
  turn: number;
  flags: ReadonlyMap<number, Flag>;
  /** Of the verdict that is shown. */
  quotations: readonly PlacedQuotation[];
  go: (address: Address, how?: "push" | "replace") => void;
  goTurn: (turn: number, how?: "push" | "replace") => void;
  href: (address: Address) => string;
  /** Copies a link to exactly what is open. */
  copyLink: () => void;
  /** Which of the three panes a narrow page shows. */
  pane: Pane;
  /** Shows a pane of a narrow page, as part of the step that led there; a wide page shows all three anyway. */
  showPane: (pane: Pane) => void;
}

const Context = createContext<Forensics | null>(null);

export const ForensicsProvider = Context.Provider;

/** @throws Error outside a trajectory page: a mistake in the code. */
export function useForensics(): Forensics {
  const value = use(Context);
  if (value === null) throw new Error("useForensics stands outside a trajectory page");
  return value;
}
