"use client";

import { type ReactNode, useId, useState } from "react";
import { formatMoment } from "@/components/trajectory/numbers";
import { UntrustedText } from "@/components/trajectory/untrusted-text";
import { Button, LinkButton } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { SegmentedControl } from "@/components/ui/segmented-control";
import type { Review, ReviewRequest } from "@/lib/views/investigation";
import { type Reviewed, ReviewWords } from "./review-words";

const REASON_MAX_CHARS = 4_000;

/** Where a person confirms, moves or rejects the verdict that is shown, and what was said before. */
export function ReviewDialog({
  reviewed,
  reviews,
  openTurn,
  turns,
  onReview,
  onClose,
}: {
  reviewed: Reviewed;
  reviews: readonly Review[];
  /** The turn that is open on the page, 0-based. */
  openTurn: number;
  turns: number;
  /** Throws with words for a person. */
  onReview: (review: ReviewRequest) => Promise<void>;
  onClose: () => void;
}): ReactNode {
  const id = useId();
  const canConfirm = reviewed.turn !== null;
  const [kind, setKind] = useState<Review["kind"]>(canConfirm ? "confirmed" : "moved");
  const [turnText, setTurnText] = useState(String(openTurn + 1));
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const moved = Number(turnText);
  const isTurn = Number.isInteger(moved) && moved >= 1 && moved <= turns;
  const isUsable = reason.trim() !== "" && (kind !== "moved" || isTurn);
  const save = async () => {
    if (!isUsable || isSaving) return;
    setSaving(true);
    setProblem(null);
    const turn = kind === "rejected" ? null : kind === "moved" ? moved - 1 : reviewed.turn;
    try {
      await onReview({ analysisId: reviewed.analysisId, kind, turn, reason });
      onClose();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "It could not be saved.");
      setSaving(false);
    }
  };
  const missing = kind === "moved" && !isTurn ? `The turn is a number from 1 to ${turns}.` : "A reason is needed.";
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title="Review the verdict"
      description={`Of ${reviewed.by}. What a person says counts before every engine, and is kept and exported as a label.`}
      className="w-[min(560px,calc(100vw-32px))]"
    >
      <form
        className="grid gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <SegmentedControl
          label="Review"
          className="justify-self-start"
          segments={[
            {
              value: "confirmed",
              label: reviewed.turn === null ? "Confirm" : `Confirm #${reviewed.turn + 1}`,
              disabled: !canConfirm,
            },
            { value: "moved", label: "Move" },
            { value: "rejected", label: "Reject" },
          ]}
          value={kind}
          onChange={setKind}
        />
        <div className="flex min-h-7 items-center gap-2 text-13">
          {kind === "moved" ? (
            <>
              <label htmlFor={`${id}-turn`}>It went wrong for good at turn</label>
              <input
                id={`${id}-turn`}
                inputMode="numeric"
                value={turnText}
                onChange={(event) => setTurnText(event.target.value)}
                aria-invalid={!isTurn}
                className="mono h-7 w-20 rounded-6 border border-line-2 bg-bg px-2 text-12 aria-invalid:border-dec"
              />
              {moved !== openTurn + 1 && (
                <LinkButton onClick={() => setTurnText(String(openTurn + 1))}>This turn, #{openTurn + 1}</LinkButton>
              )}
            </>
          ) : kind === "confirmed" ? (
            <span className="text-fg-2">It is where the run went wrong for good.</span>
          ) : (
            <span className="text-fg-2">It is wrong, and no other turn is named.</span>
          )}
        </div>
        <div className="grid gap-1">
          <label htmlFor={`${id}-reason`} className="text-13 font-medium">
            Reason
          </label>
          <textarea
            id={`${id}-reason`}
            rows={3}
            required
            maxLength={REASON_MAX_CHARS}
            value={reason}
            onChange={(event) => setReason(event.target.value)}
            className="w-full resize-y rounded-6 border border-line-2 bg-bg px-2 py-1.5 text-13"
          />
        </div>
        <div className="flex min-h-7 items-center gap-2">
          <span role={problem === null ? "status" : "alert"} className="min-w-0 flex-1 text-12 text-fg-2">
            {problem ?? (isUsable ? "" : missing)}
          </span>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" look="primary" disabled={!isUsable || isSaving}>
            {isSaving ? "Saving" : "Save"}
          </Button>
        </div>
      </form>
      {reviews.length > 0 && (
        <section className="pt-4">
          <h3 className="border-b border-line pb-1 text-12 font-medium text-fg-3">Said so far, the newest counts</h3>
          <ul>
            {reviews.map((review) => (
              <li key={review.id} className="border-b border-line py-2 text-13 last:border-b-0">
                <p className="flex flex-wrap items-center gap-x-2">
                  <ReviewWords review={review} />
                  <span className="text-12 text-fg-3">{formatMoment(review.at)}</span>
                </p>
                <p className="[overflow-wrap:anywhere] [unicode-bidi:plaintext]">
                  <UntrustedText text={review.reason} />
                </p>
                {review.isOfOlderImport && (
                  <p className="text-12 text-fg-3">
                    Said about an earlier reading of the upload: turns may be counted otherwise.
                  </p>
                )}
              </li>
            ))}
          </ul>
        </section>
      )}
    </Dialog>
  );
}
