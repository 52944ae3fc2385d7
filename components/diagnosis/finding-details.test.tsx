import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { InForensics, runWith } from "@/components/trajectory/forensics-fixture";
import type { Diagnosis } from "@/lib/views/investigation";
import { diagnosisWith, findingWith, investigationWith } from "./diagnosis-fixture";
import { FindingDetails } from "./finding-details";
import { ModelVerdict } from "./model-verdict";
import { EvidenceLine } from "./quotation-line";

afterEach(cleanup);

const HOSTILE = '<img src=x onerror="window.__pwned=1">\u202e';

function show(diagnosis: Diagnosis, go = vi.fn(), onOpenFailure = vi.fn()) {
  return render(
    <InForensics run={runWith({ verdict: diagnosis.verdict })} go={go}>
      <ModelVerdict diagnosis={diagnosis} onOpenFailure={onOpenFailure} />
      <FindingDetails
        investigation={investigationWith({ diagnosis })}
        diagnosis={diagnosis}
        onOpenFailure={onOpenFailure}
      />
    </InForensics>,
  );
}

describe("what a model found", () => {
  it("names turn, kind, phase, fate, the right step and the model's own word, and what was spent", () => {
    const { container } = show(diagnosisWith());
    const words = container.textContent ?? "";
    for (const part of [
      "By the model, the run went wrong for good at Decisive error#3",
      "semantic logic error, in code implementation. It writes the wrong value.",
      "Still there at the end",
      "Write the other value.",
      "medium in the model’s own word, no probability",
      "Agrees with the structural rule: Decisive error#3",
      "R1 The value is two.",
      "It had one.",
      "4 questions, 4,000 tokens in (400 cached), 200 out, $0.0125",
      "judge-large, investigator@1, read in one pass",
    ]) {
      expect(words).toContain(part);
    }
  });

  it("leads from both sides of the evidence to where the words stand", () => {
    const [go, onOpenFailure] = [vi.fn(), vi.fn()];
    show(diagnosisWith(), go, onOpenFailure);
    fireEvent.click(screen.getAllByRole("link", { name: /write one/ })[0] ?? document.body);
    expect(go).toHaveBeenLastCalledWith(expect.objectContaining({ turn: 2, item: "t2.1", at: 0 }));
    fireEvent.click(screen.getAllByRole("button", { name: /assert 1==2/ })[0] ?? document.body);
    expect(onOpenFailure).toHaveBeenCalledExactlyOnceWith({
      ...{ from: "error_report", start: 0, end: 11, text: "assert 1==2" },
    });
  });

  it("shows both turns where it disagrees with the rule, and that it had no failing report, and the limit", () => {
    const { container } = show(
      diagnosisWith({
        fusion: { structuralTurn: 0, agreement: "different", reason: "" },
        hadFailingReport: false,
        limitReached: "40 questions were asked.",
        usage: { calls: 40, inputTokens: 1, cachedTokens: 0, outputTokens: 1, costUsd: null },
      }),
    );
    const words = container.textContent ?? "";
    expect(words).toContain("Disagrees with the structural rule: #1, not Decisive error#3");
    expect(words).toContain("It had no error report and no failing test.");
    expect(words).toContain("40 questions were asked. What is said is the best so far.");
    expect(words).toContain("cost not known");
  });

  it("counts the votes that agree, and shows each with its judge", () => {
    const vote = { model: "judge-large", phase: null, kind: null };
    const votes = [
      { ...vote, turn: 2 },
      { ...vote, turn: 0 },
      { ...vote, model: "judge-small", turn: null },
    ];
    const words = show(diagnosisWith({ votes })).container.textContent;
    expect(words).toContain("1 of 3 votes for this turn");
    expect(words).toContain("#1, judge-large");
    expect(words).toContain("undetermined, judge-small");
    cleanup();
    const agreeing = votes.map((each) => ({ ...each, turn: 2 }));
    expect(show(diagnosisWith({ votes: agreeing })).container.textContent).toContain("All 3 votes for this turn");
  });

  it("says how the endpoint had to be asked otherwise, and how often, and nothing of it where it had not", () => {
    const asked = (adjustments: ("no_temperature" | "not_forced")[]) => ({
      ...{ kind: "asked" as const, purpose: "investigation" as const, judge: 0, call: 0, inputTokens: 1 },
      ...{ cachedTokens: 0, outputTokens: 1, costUsd: null, adjustments },
    });
    const trail = [asked(["no_temperature", "not_forced"]), asked(["no_temperature"])];
    const words = show(diagnosisWith({ trail })).container.textContent;
    expect(words).toContain("Asked without a temperature: the model has only its own. All 2 questions");
    expect(words).toContain("No tool could be forced: the words alone asked for it. 1 of 2 questions");
    cleanup();
    expect(show(diagnosisWith({ trail: [asked([])] })).container.textContent).not.toContain("Asked otherwise");
  });

  it("leads to the task in the trace, and to what a person gave where the task is theirs", () => {
    const contexts = [{ n: 4, beforeTurn: 0, contextKind: "task", sizeChars: 9, title: "" }];
    const [go, onOpenFailure] = [vi.fn(), vi.fn()];
    const words = { from: "task" as const, start: 3, end: 9, text: "be two" };
    const of = (taskSource: "trace" | "person") => (
      <InForensics run={runWith({ contexts, taskSource })} go={go}>
        <EvidenceLine evidence={words} onOpenFailure={onOpenFailure} />
      </InForensics>
    );
    const { rerender } = render(of("trace"));
    fireEvent.click(screen.getByRole("link", { name: /be two/ }));
    expect(go).toHaveBeenLastCalledWith(expect.objectContaining({ context: 4, item: "task", at: 3 }));
    expect(onOpenFailure).not.toHaveBeenCalled();
    rerender(of("person"));
    fireEvent.click(screen.getByRole("button", { name: /be two/ }));
    expect(onOpenFailure).toHaveBeenCalledExactlyOnceWith(words);
  });

  it("says that it is undetermined and why, and names no turn", () => {
    const verdict = {
      ...diagnosisWith().verdict,
      status: "undetermined" as const,
      undeterminedReason: "Two explain it.",
    };
    const { container } = show(
      diagnosisWith({
        verdict: { ...verdict, candidates: [] },
        finding: null,
        fusion: { structuralTurn: null, agreement: "none", reason: "" },
      }),
    );
    expect(container.textContent).toContain("Undetermined by the model. Two explain it.");
    expect(container.textContent).not.toContain("went wrong for good");
    expect(screen.queryByRole("link", { name: /#/ })).toBeNull();
  });

  it("says that the fault lies with the harness, and shows where", () => {
    const { container } = show(
      diagnosisWith({
        finding: null,
        harnessFault: {
          kind: "calls_never_ran",
          reason: "No call was answered.",
          turns: [1],
          quotations: [{ item: "t1.1", turn: 1, field: "text", start: 0, end: 4, text: "oops" }],
        },
      }),
    );
    expect(container.textContent).toContain("Not the agent’s fault.");
    expect(container.textContent).toContain("No call was answered.");
    expect(container.textContent).toContain(
      "A rule of investigator@1, before a model is asked: there was no question.",
    );
    expect(container.textContent).not.toContain("judge-large");
    expect(screen.getAllByRole("link", { name: /oops/ }).length).toBeGreaterThan(0);
  });

  it("M6, X1, X8: shows the model's words as words, and what they hide", () => {
    const quotation = { item: "t2.1", turn: 2, field: "text" as const, start: 0, end: 9, text: HOSTILE };
    const { container } = show(
      diagnosisWith({
        model: HOSTILE,
        limitReached: HOSTILE,
        finding: findingWith({
          justification: HOSTILE,
          correctStep: HOSTILE,
          committed: [{ from: "trace", quotation }],
          violated: [{ from: "task", start: 0, end: 9, text: HOSTILE }],
        }),
        alternative: { turn: 1, reason: HOSTILE, committed: [{ from: "trace", quotation }] },
        prior: { phase: "planning", kind: "superficial_fix", rationale: HOSTILE },
        requirements: [{ id: "R1", text: HOSTILE, evidence: { from: "task", start: 0, end: 9, text: HOSTILE } }],
        votes: [
          { model: HOSTILE, turn: 2, phase: null, kind: null },
          { model: HOSTILE, turn: 2, phase: null, kind: null },
        ],
      }),
    );
    expect(container.querySelector("img")).toBeNull();
    expect(container.textContent).not.toContain("\u202e");
    expect(container.textContent?.split("U+202E").length).toBeGreaterThan(12);
  });
});
