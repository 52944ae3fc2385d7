import { describe, expect, it } from "vitest";
import { makeBudget, withBudget } from "./budget";
import type { JudgeRequest, JudgeUsage } from "./port";
import { callOf, PreparedJudge, replyWith } from "./test-support";

const request: JudgeRequest = {
  purpose: "investigation",
  messages: [{ role: "user", text: "x".repeat(400) }],
  tools: [],
  mustCall: null,
  temperature: 0,
  maxOutputTokens: 100,
};
const wide = { calls: 100, tokens: 100_000, seconds: 100, costUsd: null };
const used = (usage: Partial<JudgeUsage>) =>
  replyWith({ usage: { inputTokens: 100, cachedTokens: 40, outputTokens: 10, costUsd: 0.5, ...usage } });

describe("a budget", () => {
  it("counts what the endpoint says", async () => {
    let clock = 5_000;
    const budget = makeBudget(wide, () => clock);
    const judge = withBudget(new PreparedJudge([used({}), used({ costUsd: null, cachedTokens: null })]), budget);
    await judge.ask(request);
    clock += 2_500;
    await judge.ask(request);
    expect(budget.use()).toEqual({
      calls: 2,
      inputTokens: 200,
      cachedTokens: 40,
      outputTokens: 20,
      estimatedCalls: 0,
      seconds: 2.5,
      costUsd: 0.5,
      unpricedCalls: 1,
    });
    expect(budget.reached()).toBeNull();
  });

  it("estimates where the endpoint says nothing, and says so", async () => {
    const budget = makeBudget(wide, () => 0);
    const silent = { ...used({ inputTokens: null, outputTokens: null }), calls: [callOf("view", "y".repeat(36))] };
    await withBudget(new PreparedJudge([silent]), budget).ask(request);
    expect(budget.use()).toMatchObject({ inputTokens: 100, outputTokens: 10, estimatedCalls: 1 });
  });

  it.each([
    ["calls", { ...wide, calls: 2 }, 2],
    ["tokens", { ...wide, tokens: 220 }, 2],
    ["tokens that the next question alone would take", { ...wide, tokens: 300 }, 2],
    ["cost", { ...wide, costUsd: 0.75 }, 2],
    ["seconds", { ...wide, seconds: 20 }, 2],
  ])("ends at the limit of %s, before the next question is asked", async (_, limits, calls) => {
    let clock = 0;
    const budget = makeBudget(limits, () => clock);
    const asked = new PreparedJudge([used({}), used({}), used({})]);
    const judge = withBudget(asked, budget);
    for (let n = 0; n < calls; n += 1) {
      await judge.ask(request);
      clock += 10_000;
    }
    await expect(judge.ask(request)).rejects.toMatchObject({
      code: "budget",
      message: expect.stringMatching(/limit of/),
    });
    expect(asked.asked).toHaveLength(calls);
  });

  it("takes a limit of costs for reached when an answer has none", async () => {
    const budget = makeBudget({ ...wide, costUsd: 100 }, () => 0);
    const asked = new PreparedJudge([used({ costUsd: null }), used({})]);
    const judge = withBudget(asked, budget);
    await judge.ask(request);
    await expect(judge.ask(request)).rejects.toMatchObject({
      code: "budget",
      message: expect.stringMatching(/nobody states/),
    });
    expect(asked.asked).toHaveLength(1);
  });

  it("gives out an answer that went beyond a limit: it is paid", async () => {
    const budget = makeBudget({ ...wide, tokens: 150 }, () => 0);
    const judge = withBudget(new PreparedJudge([used({ outputTokens: 90_000 })]), budget);
    expect((await judge.ask(request)).usage.outputTokens).toBe(90_000);
    expect(budget.reached()).toBe("150 tokens");
  });
});
