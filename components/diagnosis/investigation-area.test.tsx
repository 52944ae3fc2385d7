import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Address } from "@/components/trajectory/address";
import { InForensics, runWith } from "@/components/trajectory/forensics-fixture";
import type { Investigations } from "@/lib/views/investigation";
import { investigationsWith, investigationWith } from "./diagnosis-fixture";
import { InvestigationArea } from "./investigation-area";
import type { InvestigationsState } from "./use-investigations";

afterEach(cleanup);

const HOSTILE = "<img src=x>\u202e";
const RULE = runWith({ sentence: [{ kind: "text", text: "By the rule." }], verdictId: "rule" });

function show(all: Investigations, more: Partial<InvestigationsState> = {}, address: Partial<Address> = {}) {
  const state: InvestigationsState = {
    all,
    shown: all.latest?.diagnosis ? all.latest : null,
    named: null,
    problem: null,
    start: vi.fn(),
    cancel: vi.fn(async () => undefined),
    review: vi.fn(),
    ...more,
  };
  const go = vi.fn();
  const { container } = render(
    <InForensics run={RULE} go={go} address={address}>
      <InvestigationArea
        rule={RULE}
        state={state}
        help={null}
        areCandidatesOpen={false}
        onCandidatesOpen={vi.fn()}
        onAsked={vi.fn()}
      />
    </InForensics>,
  );
  return { container, state, go };
}

const investigate = () => screen.getByRole("button", { name: /Investigate/ });

describe("the verdicts of a run", () => {
  it("can be investigated where nothing stands in the way", async () => {
    const { container } = show(investigationsWith(null));
    expect(container.textContent).toContain("No model has looked at this run yet");
    expect(investigate()).toHaveProperty("disabled", false);
    fireEvent.click(investigate());
    expect(await screen.findByRole("dialog", { name: "Investigate" })).toBeDefined();
  });

  it("says why it cannot be investigated, and leads to where that is changed", () => {
    const refusal = "No model is configured.";
    const { container } = show(investigationsWith(null, { refusal, model: null }));
    expect(container.textContent).toContain(refusal);
    expect(investigate()).toHaveProperty("disabled", true);
    expect(screen.getByRole("link", { name: "Settings" }).getAttribute("href")).toBe("/settings");
  });

  it("says why it cannot be investigated again rather than that the last one failed", () => {
    const failed = investigationWith({ status: "failed", diagnosis: null });
    const { container } = show(investigationsWith(failed, { refusal: "The limit is reached." }));
    expect(container.textContent).toContain("The limit is reached.");
    expect(screen.getByRole("button", { name: "Trail" })).toBeDefined();
  });

  it("shows how far one is that runs, and cancels it", async () => {
    const latest = investigationWith({
      ...{ id: "runs", status: "running", diagnosis: null },
      trail: [
        {
          ...{ kind: "asked", purpose: "requirements", judge: 0, call: 0, inputTokens: 900, cachedTokens: 0 },
          ...{ outputTokens: 100, costUsd: null },
        },
        { kind: "note", note: HOSTILE },
      ],
    });
    const { container, state } = show(investigationsWith(latest, { refusal: "An investigation is running." }));
    expect(container.textContent).toContain("By the rule.");
    expect(container.textContent).toContain("1 question, 1,000 tokens");
    expect(container.textContent).toContain("Noted: <img src=x>");
    expect(container.querySelector("img")).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "Cancel" }));
    await waitFor(() => expect(state.cancel).toHaveBeenCalledExactlyOnceWith("runs"));
  });

  it("says that one failed, which is no verdict, and can be started again", () => {
    const error = { code: "refused", message: HOSTILE };
    const { container } = show(investigationsWith(investigationWith({ status: "failed", diagnosis: null, error })));
    expect(container.textContent).toContain("The investigation failed, and says nothing about the run.");
    expect(container.textContent).toContain("By the rule.");
    expect(container.querySelector("img")).toBeNull();
    expect(container.textContent).not.toContain("\u202e");
    expect(investigate()).toHaveProperty("disabled", false);
  });

  it("shows the model's verdict with the rule's a click away, and its panels in the address", () => {
    const { container, go } = show(investigationsWith(investigationWith()));
    expect(container.textContent).toContain("By the model, the run went wrong for good at");
    expect(container.textContent).not.toContain("By the rule.");
    fireEvent.click(screen.getByRole("button", { name: "Rule" }));
    expect(go).toHaveBeenLastCalledWith(expect.objectContaining({ said: "rule" }));
    fireEvent.click(screen.getByRole("button", { name: "Trail" }));
    expect(go).toHaveBeenLastCalledWith(expect.objectContaining({ panel: "trail" }));
    cleanup();
    expect(show(investigationsWith(investigationWith()), {}, { said: "rule" }).container.textContent).toContain(
      "By the rule.",
    );
    cleanup();
    show(investigationsWith(investigationWith()), {}, { panel: "verdict" });
    expect(screen.getByRole("region", { name: "All of the verdict" })).toBeDefined();
  });

  it("shows what a person said last, as words", () => {
    const { container } = show(
      investigationsWith(investigationWith(), {
        reviews: [
          {
            ...{ id: "r", kind: "rejected", turn: null, reason: HOSTILE, by: HOSTILE, at: "2026-11-30T20:00:00Z" },
            ...{ analysisId: "a1", isOfOlderImport: false },
          },
        ],
      }),
    );
    expect(container.textContent).toContain("Rejected");
    expect(container.querySelector("img")).toBeNull();
    expect(container.textContent).not.toContain("\u202e");
    expect(screen.getByRole("button", { name: "Review again" })).toBeDefined();
  });

  it("lists earlier ones, and opens one", async () => {
    const latest = investigationWith();
    const ended = investigationWith({ id: "c0", status: "cancelled", diagnosis: null });
    const older = investigationWith({ id: "x", isOfOlderImport: true });
    const rows = [latest, investigationWith({ id: "a0" }), ended, older];
    const { go } = show(investigationsWith(latest, { rows }));
    fireEvent.click(screen.getByRole("button", { name: "4 investigations" }));
    fireEvent.click(await screen.findByRole("button", { name: "Show" }));
    expect(go).toHaveBeenLastCalledWith(expect.objectContaining({ investigation: "a0", said: null, panel: null }));
    fireEvent.click(screen.getByRole("button", { name: "4 investigations" }));
    const dialog = within(await screen.findByRole("dialog"));
    fireEvent.click(dialog.getByRole("button", { name: "Trail" }));
    expect(go).toHaveBeenLastCalledWith(expect.objectContaining({ investigation: "c0", panel: "trail" }));
    cleanup();
    const note = { kind: "note" as const, note: "as far as it came" };
    show(investigationsWith(latest, { rows }), { named: { ...ended, trail: [note] } }, { panel: "trail" });
    expect(screen.getByRole("region", { name: "Trail of the investigation" }).textContent).toContain(note.note);
  });
});
