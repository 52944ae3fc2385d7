"use client";

import type { ReactNode } from "react";
import { formatMoment } from "@/components/trajectory/numbers";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { LinkButton } from "@/components/ui/button";
import type { Investigations } from "@/lib/views/investigation";
import { ReviewWords } from "./review-words";

/** What a person said last, or the way to say it. */
export function ReviewLine({
  all,
  canReview,
  onOpen,
}: {
  all: Investigations;
  canReview: boolean;
  onOpen: () => void;
}): ReactNode {
  const last = all.reviews[0];
  return (
    <div className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-2 text-12">
      {last === undefined ? (
        <span className="text-fg-3">Nobody has reviewed it yet.</span>
      ) : (
        <>
          <span className="shrink-0">
            <ReviewWords review={last} />
          </span>
          <span
            className="min-w-0 max-w-max flex-1 basis-40 truncate text-fg-2"
            title={`${last.reason}\n${formatMoment(last.at)}`}
          >
            <UntrustedText text={last.reason} />
          </span>
        </>
      )}
      {canReview && <LinkButton onClick={onOpen}>{last === undefined ? "Review" : "Review again"}</LinkButton>}
    </div>
  );
}
