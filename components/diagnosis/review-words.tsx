"use client";

import type { ReactNode } from "react";
import { Mark } from "@/components/marks/mark";
import { SaidBy } from "@/components/marks/source";
import { TurnChip } from "@/components/trajectory/turn-link";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import type { Review } from "@/lib/views/investigation";
import { REVIEW_WORDS } from "./diagnosis-words";

/** A verdict as a person reviews it. */
export interface Reviewed {
  analysisId: string;
  /** 0-based; null when it named none: then it can be moved or rejected, not confirmed. */
  turn: number | null;
  /** Who said it: `the model`, `the structural rule`. */
  by: string;
}

/** What a person said, with the turn and the name; the tick stands for what a person says the turn is. */
export function ReviewWords({ review }: { review: Review }): ReactNode {
  const { kind, turn, by, isOfOlderImport } = review;
  return (
    <span className="inline-flex items-center gap-1.5">
      {kind === "rejected" ? null : <Mark kind="confirmed" label={null} />}
      <span className="font-medium">{REVIEW_WORDS[kind]}</span>
      {turn !== null && (
        <>
          {kind === "moved" ? "to" : null} {isOfOlderImport ? `#${turn + 1}` : <TurnChip turn={turn} />}
        </>
      )}
      <SaidBy kind="person">
        <UntrustedText text={by} />
      </SaidBy>
    </span>
  );
}
