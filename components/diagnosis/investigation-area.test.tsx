import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { Address } from "@/components/trajectory/address";
import { InForensics, runWith } from "@/components/trajectory/forensics-fixture";
import type { Investigations, ReviewRequest } from "@/lib/views/investigation";
import type { RunView } from "@/lib/views/run";
import { diagnosisWith, investigationsWith, investigationWith } from "./diagnosis-fixture";
import { InvestigationArea } from "./investigation-area";
import type { InvestigationsState } from "./use-investigations";

vi.mock("next/navigation", () => ({ useRouter: () => ({ refresh: vi.fn() }) }));

afterEach(cleanup);

const HOSTILE = "<img src=x>\u202e";
const RULE = runWith({ sentence: [{ kind: "text", text: "By the rule." }], verdictId: "rule" });

function show(
  all: Investigations,
  more: Partial<InvestigationsState> = {},
  address: Partial<Address> = {},
  rule: Partial<RunView> = {},
) {
  const run = { ...RULE, ...rule };
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
    <InForensics run={run} go={go} address={address}>
      <InvestigationArea
        rule={run}
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

  it.each([
    [{ ahead: 0, hasWorker: true }, "Waiting for a worker"],
    [{ ahead: 1, hasWorker: true }, "Waiting behind 1 other investigation"],
    [{ ahead: 12, hasWorker: true }, "Waiting behind 12 other investigations"],
    [{ ahead: 3, hasWorker: false }, "Waiting, and no worker is running: it begins when one is started"],
  ])("says why one that waits does not begin: %j", (more, words) => {
    const latest = investigationWith({ status: "queued", diagnosis: null, startedAt: null });
    show(investigationsWith(latest, { refusal: "An investigation is running.", ...more }));
    expect(screen.getByText(words)).toBeDefined();
    expect(screen.getByRole("button", { name: "Cancel" })).toBeDefined();
  });

  it("is refused for a run that is known to have succeeded, and leads to where a person can say otherwise", async () => {
    const refusal = "The run is known to have succeeded: there is no error to look for.";
    const { container } = show(
      investigationsWith(null, { refusal }),
      {},
      {},
      { row: { ...RULE.row, outcome: "resolved" } },
    );
    expect(container.textContent).toContain(refusal);
    expect(investigate()).toHaveProperty("disabled", true);
    expect(screen.queryByRole("link", { name: "Settings" })).toBeNull();
    fireEvent.click(screen.getByRole("button", { name: "How the run ended" }));
    expect(await screen.findByRole("dialog", { name: "How the run ended" })).toBeDefined();
  });

  it("shows how far several votes agree, and that no model was asked about a fault of the harness", () => {
    const vote = { model: "judge-large", turn: 2, phase: null, kind: null };
    const votes = [vote, { ...vote, model: "judge-small", turn: 0 }];
    const { container } = show(investigationsWith(investigationWith({ diagnosis: diagnosisWith({ votes }) })));
    expect(container.textContent).toContain("1 of 2 votes for this turn");
    cleanup();
    const harnessFault = { kind: "calls_never_ran" as const, reason: "None ran.", turns: [0], quotations: [] };
    const broken = diagnosisWith({ finding: null, harnessFault });
    const words = show(investigationsWith(investigationWith({ diagnosis: broken }))).container.textContent;
    expect(words).toContain("rule of investigator@1");
    expect(words).toContain("Told by a rule before a model is asked, and none was");
    expect(words).not.toContain("judge-large");
  });

  it("lets a person review the rule's verdict: confirm it, move it, or reject it, with a reason", async () => {
    const verdict = { ...diagnosisWith().verdict, engine: "structural", engineVersion: "structural@2" };
    const review = vi.fn(async (_: ReviewRequest) => undefined);
    const save = async (choice: string, reason: string) => {
      fireEvent.click(screen.getByRole("button", { name: "Review" }));
      const dialog = within(await screen.findByRole("dialog", { name: "Review the verdict" }));
      expect(dialog.getByText(/Of the structural rule\./)).toBeDefined();
      fireEvent.click(dialog.getByRole("button", { name: choice }));
      fireEvent.change(dialog.getByLabelText("Reason"), { target: { value: reason } });
      fireEvent.click(dialog.getByRole("button", { name: "Save" }));
      await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    };
    show(investigationsWith(null), { review }, {}, { verdict });
    await save("Confirm #3", "So it is.");
    await save("Move", "It was earlier.");
    await save("Reject", "Nothing is wrong.");
    expect(review.mock.calls.map(([given]) => given)).toEqual([
      { analysisId: "rule", kind: "confirmed", turn: 2, reason: "So it is." },
      { analysisId: "rule", kind: "moved", turn: 0, reason: "It was earlier." },
      { analysisId: "rule", kind: "rejected", turn: null, reason: "Nothing is wrong." },
    ]);
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
