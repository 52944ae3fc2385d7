import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { InForensics, runWith } from "@/components/trajectory/forensics-fixture";
import type { JudgeCallView } from "@/lib/views/investigation";
import { JudgeCallDialog } from "./judge-call-dialog";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const HOSTILE = "</pre><img src=x>\u202e";

const callWith = (more: Partial<JudgeCallView> = {}): JudgeCallView => ({
  ...{ judge: 0, position: 2, purpose: "investigation", model: "judge-large" },
  messages: [
    { role: "system", text: "You examine the run.", omittedChars: 0, calls: [] },
    { role: "user", text: HOSTILE, omittedChars: 1_200, calls: [] },
  ],
  tools: ["search", "submit_diagnosis"],
  temperature: 0,
  answer: { text: "", calls: [{ name: "search", arguments: HOSTILE }], finish: "calls" },
  failure: null,
  failedTries: [],
  adjustments: [],
  ...{ inputTokens: 900, cachedTokens: 100, outputTokens: 50, costUsd: 0.02 },
  ...{ startedAt: "2026-11-30T20:00:00.000Z", endedAt: "2026-11-30T20:00:04.000Z" },
  ...more,
});

async function show(view: JudgeCallView): Promise<string> {
  const ask = vi.fn(async (_url: string) => Response.json(view));
  vi.stubGlobal("fetch", ask);
  render(
    <InForensics run={runWith()}>
      <JudgeCallDialog analysis="a1" judge={0} call={2} onClose={vi.fn()} />
    </InForensics>,
  );
  await screen.findByText(/temperature/);
  expect(ask.mock.calls[0]?.[0]).toBe("/api/investigations/a1/calls/0/2");
  return screen.getByRole("dialog", { name: "What the judge saw" }).textContent ?? "";
}

describe("what the judge saw", () => {
  it("is every message and the answer, as words, with what is not shown counted", async () => {
    const words = await show(callWith());
    expect(words).toContain(
      "Question 3 to judge-large, temperature 0, 900 tokens in, 100 cached, 50 out, $0.0200, 4.0 s",
    );
    expect(words).toContain("4.0 s. Tools offered: search, submit_diagnosis");
    expect(words).toContain("You examine the run.");
    expect(words).toContain("1,200 more characters were sent and are not shown.");
    expect(words.split("</pre><img src=x>").length).toBe(3);
    expect(document.querySelector("img")).toBeNull();
    expect(words).not.toContain("\u202e");
  });

  it("claims no temperature that was not sent, and says how it was asked otherwise", async () => {
    const words = await show(callWith({ adjustments: ["no_temperature", "not_forced"] }));
    expect(words).toContain("to judge-large, no temperature, 900 tokens in");
    expect(words).toContain("Asked without a temperature: the model has only its own");
    expect(words).toContain("no tool could be forced: the words alone asked for it. Tools offered");
    expect(words).not.toContain("temperature 0");
  });

  it("says why there was no answer, and the tries that failed before", async () => {
    const words = await show(
      callWith({
        answer: null,
        failure: { code: "refused", message: HOSTILE },
        failedTries: ["429: slow down", HOSTILE],
        ...{ inputTokens: null, cachedTokens: null, outputTokens: null, costUsd: null },
      }),
    );
    expect(words).toContain("No answer: </pre><img src=x>");
    expect(words).toContain("2 tries that failed before");
    expect(words).toContain("429: slow down");
    expect(words).toContain("tokens not counted by the endpoint");
    expect(document.querySelector("img")).toBeNull();
  });
});
