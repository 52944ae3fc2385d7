import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { InForensics, runWith } from "@/components/trajectory/forensics-fixture";
import type { Review, ReviewRequest } from "@/lib/views/investigation";
import { ReviewDialog } from "./review-dialog";
import type { Reviewed } from "./review-words";

afterEach(cleanup);

const HOSTILE = "<img src=x>\u202e";

const said = (more: Partial<Review> = {}): Review => ({
  ...{ id: "r1", kind: "moved", turn: 1, reason: "It shows there.", by: "Ines Vidal", at: "2026-11-30T20:00:00.000Z" },
  ...{ analysisId: "a1", isOfOlderImport: false },
  ...more,
});

function show(reviewed: Partial<Reviewed> = {}, reviews: Review[] = []) {
  const onReview = vi.fn(async (_: ReviewRequest) => undefined);
  const onClose = vi.fn();
  const { baseElement } = render(
    <InForensics run={runWith()} turn={3}>
      <ReviewDialog
        reviewed={{ analysisId: "a1", turn: 2, by: "the model", ...reviewed }}
        reviews={reviews}
        openTurn={3}
        turns={4}
        onReview={onReview}
        onClose={onClose}
      />
    </InForensics>,
  );
  return { onReview, onClose, baseElement };
}

const save = () => screen.getByRole("button", { name: "Save" });
const give = (reason: string) => fireEvent.change(screen.getByLabelText("Reason"), { target: { value: reason } });

describe("a review", () => {
  it("confirms the turn of the verdict, with a reason and not without", async () => {
    const { onReview, onClose } = show();
    expect(save()).toHaveProperty("disabled", true);
    give("   ");
    expect(save()).toHaveProperty("disabled", true);
    give("So it is.");
    fireEvent.click(save());
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(onReview).toHaveBeenCalledExactlyOnceWith({
      analysisId: "a1",
      kind: "confirmed",
      turn: 2,
      reason: "So it is.",
    });
  });

  it("moves to the turn that is open, or to a number that there is", async () => {
    const { onReview } = show();
    fireEvent.click(screen.getByRole("button", { name: "Move" }));
    const turn = screen.getByLabelText("It went wrong for good at turn");
    expect(turn).toHaveProperty("value", "4");
    give("Later.");
    for (const wrong of ["0", "5", "1.5", "x", ""]) {
      fireEvent.change(turn, { target: { value: wrong } });
      expect(save()).toHaveProperty("disabled", true);
    }
    fireEvent.click(screen.getByRole("button", { name: "This turn, #4" }));
    fireEvent.click(save());
    await waitFor(() => expect(onReview).toHaveBeenCalled());
    expect(onReview.mock.calls[0]?.[0]).toMatchObject({ kind: "moved", turn: 3 });
  });

  it("rejects without a turn; a verdict that names none cannot be confirmed", async () => {
    const { onReview } = show({ turn: null });
    expect(screen.getByRole("button", { name: "Confirm" })).toHaveProperty("disabled", true);
    fireEvent.click(screen.getByRole("button", { name: "Reject" }));
    give("Not this.");
    fireEvent.click(save());
    await waitFor(() => expect(onReview).toHaveBeenCalled());
    expect(onReview.mock.calls[0]?.[0]).toMatchObject({ kind: "rejected", turn: null });
  });

  it("shows what was said before, by whom, when and why, as words", () => {
    const { baseElement } = show({}, [
      said({ id: "r2", kind: "confirmed", turn: 2, reason: HOSTILE, by: HOSTILE }),
      said({ isOfOlderImport: true }),
    ]);
    const words = baseElement.textContent ?? "";
    expect(words).toContain("Moved");
    expect(words).toContain("30 November 2026, 20:00 UTC");
    expect(words).toContain("It shows there.");
    expect(words).toContain("turns may be counted otherwise");
    expect(baseElement.querySelector("img")).toBeNull();
    expect(words).not.toContain("\u202e");
    // A turn of another reading of the upload leads nowhere.
    expect(screen.getAllByRole("link")).toHaveLength(1);
  });
});
