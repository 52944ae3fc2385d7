import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { DEFAULT_SETTINGS, type InvestigationSettings, type Investigations } from "@/lib/views/investigation";
import { investigationsWith } from "./diagnosis-fixture";
import { InvestigateDialog } from "./investigate-dialog";
import { FIRST_DRAFT, settingsOf } from "./investigation-draft";

afterEach(cleanup);

function show(more: Partial<Investigations> = {}, onStart = vi.fn(async (_: InvestigationSettings) => undefined)) {
  const onClose = vi.fn();
  const all = investigationsWith(null, more);
  render(<InvestigateDialog all={all} onStart={onStart} onClose={onClose} onOpenFailure={vi.fn()} />);
  return { onStart, onClose };
}

describe("the form of an investigation", () => {
  it("starts with the standard settings when nothing is changed", async () => {
    const { onStart, onClose } = show();
    fireEvent.click(screen.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(onClose).toHaveBeenCalled());
    expect(onStart).toHaveBeenCalledExactlyOnceWith(DEFAULT_SETTINGS);
  });

  it("offers the reference patch and a second judge only where there is one, and sends what was chosen", async () => {
    show();
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
    cleanup();
    const { onStart } = show({ hasReference: true, model: { name: "large", second: "small" } });
    fireEvent.click(screen.getByLabelText("Show it the reference patch"));
    fireEvent.click(screen.getByLabelText("Ask small as a second judge"));
    fireEvent.change(screen.getByLabelText("Votes"), { target: { value: "3" } });
    fireEvent.change(screen.getByLabelText("Cost in $"), { target: { value: "0.5" } });
    fireEvent.change(screen.getByLabelText("One pass up to"), { target: { value: "0" } });
    fireEvent.click(screen.getByRole("button", { name: "Start" }));
    await waitFor(() => expect(onStart).toHaveBeenCalled());
    expect(onStart.mock.calls[0]?.[0]).toEqual({
      ...DEFAULT_SETTINGS,
      ...{ withReference: true, secondJudge: true, votes: 3, singlePassTurns: 0 },
      limits: { ...DEFAULT_SETTINGS.limits, costUsd: 0.5 },
    });
  });

  it("starts nothing while a number is missing or out of its range", () => {
    const { onStart } = show();
    fireEvent.change(screen.getByLabelText("Seconds"), { target: { value: "4000" } });
    expect(screen.getByLabelText("Seconds").getAttribute("aria-invalid")).toBe("true");
    expect(screen.getByRole("status").textContent).toContain("out of its range");
    fireEvent.submit(screen.getByRole("button", { name: "Start" }).closest("form") ?? document.body);
    expect(onStart).not.toHaveBeenCalled();
    for (const votes of ["", "0", "1.5", "ten", "10"]) {
      expect(settingsOf({ ...FIRST_DRAFT, votes }).wrong).toEqual(new Set(["votes"]));
    }
  });

  it("stays open and says why when it is refused", async () => {
    const { onClose } = show(
      {},
      vi.fn(async () => {
        throw new Error("The limit of 5 tokens a day is reached.");
      }),
    );
    fireEvent.click(screen.getByRole("button", { name: "Start" }));
    expect((await screen.findByRole("alert")).textContent).toContain("tokens a day");
    expect(onClose).not.toHaveBeenCalled();
  });
});
