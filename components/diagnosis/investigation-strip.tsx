"use client";

import { CircleSlash, Microscope, TriangleAlert } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { NotUpdating } from "@/components/shell/live-notice";
import { formatMoment } from "@/components/trajectory/numbers";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Button, LinkButton } from "@/components/ui/button";
import { ProgressBar } from "@/components/ui/progress-bar";
import type { Diagnosis, Investigation, Investigations } from "@/lib/views/investigation";
import { spentSoFar, spentWords, stepLine, waitingWords } from "./diagnosis-words";
import { openInvestigation } from "./shown-verdict";

const ICON = {
  "aria-hidden": true,
  strokeWidth: 1.75,
  className: "size-3.5 shrink-0 text-fg-2 narrow:hidden",
} as const;
const LINK = "shrink-0 font-medium text-accent hover:underline";

/**
 * What becomes of the investigations, always of the same height: how far the one that runs is, that the last one failed, or
 * that one can be started, and why not.
 */
export function InvestigationStrip({
  all,
  shown,
  problem,
  isResolved,
  buttons,
  onInvestigate,
  onCancel,
  onOpenFailure,
}: {
  /** Null while it is not known. */
  all: Investigations | null;
  /** The one whose verdict is shown, if any. */
  shown: Investigation | null;
  /** Why what is shown may be old. */
  problem: string | null;
  /** The run is known to have succeeded: a person can say otherwise. */
  isResolved: boolean;
  /** What opens the verdict, the trail and so on. */
  buttons: ReactNode;
  onInvestigate: () => void;
  onCancel: (id: string) => void;
  onOpenFailure: () => void;
}): ReactNode {
  const open = all === null ? null : openInvestigation(all);
  return (
    <div className="flex min-h-9 items-center gap-3 border-t border-line px-4 text-12 leading-5 narrow:flex-col narrow:items-stretch narrow:gap-1 narrow:py-1.5">
      <div
        role="status"
        className="flex min-w-0 flex-1 items-center gap-2 narrow:min-h-11 narrow:flex-wrap narrow:gap-y-0"
      >
        {problem !== null ? (
          <NotUpdating problem={problem} />
        ) : open !== null ? (
          <Progress open={open} waiting={all === null ? "" : waitingWords(all)} />
        ) : (
          all !== null && <State all={all} shown={shown} isResolved={isResolved} onOpenFailure={onOpenFailure} />
        )}
      </div>
      <div className="flex shrink-0 items-center gap-3 narrow:min-h-9 narrow:flex-wrap narrow:gap-y-1">
        {buttons}
        {open !== null ? (
          <Button size="small" onClick={() => onCancel(open.id)}>
            Cancel
          </Button>
        ) : (
          <Button size="small" disabled={all === null || all.refusal !== null} onClick={onInvestigate}>
            <Microscope aria-hidden strokeWidth={1.75} />
            {all?.rows.length ? "Investigate again" : "Investigate"}
          </Button>
        )}
      </div>
    </div>
  );
}

function Progress({
  open,
  waiting,
}: {
  open: Investigation;
  /** Why it does not begin yet. */
  waiting: string;
}): ReactNode {
  const last = open.trail.at(-1);
  const spent = spentSoFar(open.trail);
  return (
    <>
      <ProgressBar label="Investigation" value={open.status === "queued" ? 0 : null} className="w-16" />
      <span className={open.status === "queued" ? "min-w-0 font-medium" : "shrink-0 font-medium"}>
        {open.status === "queued" ? waiting : "Investigating"}
      </span>
      {open.status === "running" && <span className="shrink-0 text-fg-2">{spentWords(spent)}</span>}
      {last !== undefined && (
        <span className="min-w-0 truncate text-fg-3">
          <UntrustedText text={stepLine(last)} />
        </span>
      )}
    </>
  );
}

/** When and by whom the verdict that is shown was asked for, and what it took. */
function Investigated({ shown, diagnosis }: { shown: Investigation; diagnosis: Diagnosis }): ReactNode {
  const { calls, inputTokens, outputTokens, costUsd } = diagnosis.usage;
  return (
    <span className="min-w-0 truncate text-fg-3 narrow:whitespace-normal">
      {formatMoment(shown.createdAt)}, started by <UntrustedText text={shown.createdBy} />:{" "}
      {calls === 0 ? "no question was asked" : spentWords({ calls, tokens: inputTokens + outputTokens, costUsd })}
    </span>
  );
}

function State({
  all,
  shown,
  isResolved,
  onOpenFailure,
}: {
  all: Investigations;
  shown: Investigation | null;
  isResolved: boolean;
  onOpenFailure: () => void;
}): ReactNode {
  const { latest, refusal, model } = all;
  if (refusal !== null) {
    return (
      <>
        <span className="min-w-0 truncate text-fg-2 narrow:whitespace-normal" title={refusal}>
          {refusal}
        </span>
        {model !== null && isResolved ? (
          <LinkButton onClick={onOpenFailure}>How the run ended</LinkButton>
        ) : (
          <Link href="/settings" className={LINK}>
            Settings
          </Link>
        )}
      </>
    );
  }
  if (latest?.status === "failed") {
    return (
      <>
        <TriangleAlert {...ICON} />
        <span className="min-w-0 truncate narrow:whitespace-normal" title={latest.error?.message}>
          <b className="font-medium">The investigation failed, and says nothing about the run.</b>{" "}
          <UntrustedText text={latest.error?.message ?? ""} />
        </span>
        <Link href="/settings" className={LINK}>
          Settings
        </Link>
      </>
    );
  }
  if (latest?.status === "cancelled") {
    return (
      <>
        <CircleSlash {...ICON} />
        <span className="min-w-0 truncate text-fg-2 narrow:whitespace-normal">
          The last investigation was cancelled. What was asked until then is in its trail.
        </span>
      </>
    );
  }
  if (shown?.diagnosis) return <Investigated shown={shown} diagnosis={shown.diagnosis} />;
  if (latest !== null) return null;
  return (
    <span className="min-w-0 truncate text-fg-2 narrow:whitespace-normal">
      No model has looked at this run yet: what stands here is the structural rule’s.
    </span>
  );
}
