import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { InForensics, runWith } from "@/components/trajectory/forensics-fixture";
import type { TrailStep } from "@/lib/views/investigation";
import { diagnosisWith, investigationWith } from "./diagnosis-fixture";
import { spentSoFar, spentWords, stepLine } from "./diagnosis-words";
import { Trail } from "./trail";

afterEach(cleanup);

const HOSTILE = "<script>window.__pwned=1</script>\u202e";

const asked = (more: Partial<Extract<TrailStep, { kind: "asked" }>> = {}): TrailStep => ({
  ...{ kind: "asked", purpose: "investigation", judge: 0, call: 2, inputTokens: 1_000, cachedTokens: 100 },
  ...{ outputTokens: 50, costUsd: 0.01 },
  ...more,
});

const looked: TrailStep = {
  ...{ kind: "tool", tool: "view_observation", asked: "#2", why: "to see the log", turns: [1], chars: 900 },
  ...{ unfoldedChars: 700, refused: null },
};

const show = (trail: TrailStep[]) =>
  render(
    <InForensics run={runWith()}>
      <Trail investigation={investigationWith({ trail, diagnosis: diagnosisWith({ trail }) })} />
    </InForensics>,
  );

describe("the trail of an investigation", () => {
  it("says what was folded, each question with its tokens, each look-up with its reason and what it unfolded", () => {
    const { container } = show([asked(), looked]);
    const words = container.textContent ?? "";
    expect(words).toContain(
      "Of 12,000 characters 4,000 were shown at first; 3 results with 8,000 characters stood folded.",
    );
    expect(words).toContain("1,000 (100 cached) in, 50 out, $0.0100");
    expect(words).toContain("Opened a result #2");
    expect(words).toContain("Why, in its words: to see the log");
    expect(words).toContain("700 unfolded");
    expect(screen.getByRole("link", { name: "#2" })).toBeDefined();
    expect(screen.getByRole("button", { name: "What the judge saw" })).toBeDefined();
  });

  it("says what was refused, noted, folded again and voted, and that tokens were not counted", () => {
    const { container } = show([
      asked({ inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null }),
      { ...looked, refused: "There is no turn #99." },
      { kind: "refused", why: "committed holds no quotation" },
      { kind: "note", note: "The count is missing." },
      { kind: "refolded", reason: "the model takes less", chars: 5_000 },
      { kind: "vote", vote: 1, model: "judge-small" },
    ]);
    const words = container.textContent ?? "";
    for (const part of [
      "tokens not counted",
      "Refused: There is no turn #99.",
      "Refused: committed holds no quotation",
      "Noted: The count is missing.",
      "Folded more: the model takes less",
      "5,000 characters left",
      "Vote 2, judge-small",
    ]) {
      expect(words).toContain(part);
    }
  });

  it("says at a question how it had to be asked otherwise, and nothing where it was asked as meant", () => {
    const { container } = show([asked({ adjustments: ["no_temperature", "json_mode"] }), asked()]);
    const [first, second] = [...container.querySelectorAll("li")].map(({ textContent }) => textContent);
    expect(first).toContain(
      "Asked without a temperature: the model has only its own; asked for JSON: the endpoint offers no tool calls.",
    );
    expect(second).not.toContain("temperature");
  });

  it("says that a question got no answer and why, and lets what was asked be read", () => {
    const nothing = { inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null };
    const { container } = show([asked({ ...nothing, failed: "context_overflow" }), asked()]);
    expect(container.textContent).toContain("Asked what to look at, or for the verdict: too long for the model");
    expect(container.textContent).not.toContain("tokens not counted");
    expect(screen.getAllByRole("button", { name: "What the judge saw" })).toHaveLength(2);
    expect(spentWords(spentSoFar([asked({ ...nothing, failed: "timeout" }), asked()]))).toBe(
      "1 question, 1,050 tokens, $0.0100",
    );
    expect(stepLine(asked({ failed: "timeout" }))).toBe("Asked what to look at, or for the verdict: no answer in time");
  });

  it.each([
    [investigationWith({ status: "running", diagnosis: null }), "Nothing was asked yet."],
    [investigationWith({ status: "failed", diagnosis: null }), "No question was answered."],
  ])("says why it has no step", (investigation, words) => {
    render(
      <InForensics run={runWith()}>
        <Trail investigation={investigation} />
      </InForensics>,
    );
    expect(screen.getByText(words)).toBeDefined();
  });

  it("says what was asked for where that is no turn", () => {
    const { container } = show([{ ...looked, tool: "search", asked: "count", turns: [0, 1] }]);
    expect(container.textContent).toContain("Searched the run: count #1 #2");
  });

  it("counts turns that it does not list", () => {
    const turns = Array.from({ length: 15 }, (_, i) => i);
    const { container } = show([{ ...looked, turns }]);
    expect(container.textContent).toContain("and 3 more turns");
  });

  it("M6, X1: shows the model's words as words", () => {
    const { container } = show([
      { ...looked, asked: HOSTILE, why: HOSTILE, refused: HOSTILE },
      { kind: "note", note: HOSTILE },
      { kind: "refused", why: HOSTILE },
      { kind: "vote", vote: 0, model: HOSTILE },
      { kind: "refolded", reason: HOSTILE, chars: 1 },
    ]);
    expect(container.querySelector("script")).toBeNull();
    expect(container.textContent).not.toContain("\u202e");
    expect(container.textContent?.split("<script>").length).toBe(8);
  });

  it("ends with why it failed", () => {
    const error = { code: "refused", message: HOSTILE };
    const { container } = render(
      <InForensics run={runWith()}>
        <Trail investigation={investigationWith({ status: "failed", diagnosis: null, trail: [asked()], error })} />
      </InForensics>,
    );
    expect(container.textContent).toContain("Failed: <script>");
    expect(container.querySelector("script")).toBeNull();
  });

  it("adds up what was asked so far, and claims no cost where one is not known", () => {
    expect(spentWords(spentSoFar([asked(), looked, asked()]))).toBe("2 questions, 2,100 tokens, $0.0200");
    expect(spentWords(spentSoFar([asked(), asked({ costUsd: null })]))).toBe("2 questions, 2,100 tokens");
    expect(spentWords(spentSoFar([]))).toBe("0 questions, 0 tokens");
    expect(stepLine(looked)).toBe("Opened a result: #2");
  });
});
