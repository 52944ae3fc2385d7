import { describe, expect, it } from "vitest";
import { adviceWords, answerWords, differences, priceWords } from "./model-words";

describe("what was found of a model, in words", () => {
  it.each([
    ["forced", [], /also when one tool has to be called/],
    ["offered", ["not_forced"], /no tool can be forced/],
    ["none", ["json_mode"], /^JSON mode/],
    ["none", ["no_temperature", "text_mode"], /^A JSON block/],
  ] as const)("says how it answers: %s %j", (toolCalls, adjustments, words) => {
    expect(answerWords({ toolCalls, adjustments: [...adjustments] })).toMatch(words);
  });

  it("says what else is different, and nothing where nothing is", () => {
    expect(differences({ adjustments: [], countsTokens: true })).toEqual([]);
    expect(differences({ adjustments: ["no_temperature"], countsTokens: false })).toEqual([
      expect.stringContaining("temperature"),
      expect.stringContaining("estimated"),
    ]);
  });

  it.each([
    ["refused", "OPENAI_API_KEY"],
    ["unavailable", "OPENAI_BASE_URL"],
    ["timeout", "OPENAI_TIMEOUT_SECONDS"],
    ["rate_limited", "in a minute"],
    ["malformed", "another model"],
  ])("says what to do about %s", (code, words) => {
    expect(adviceWords(code)).toContain(words);
  });

  it.each([
    [{ input: 2.5, cached: 0.25, output: 10 }, "$2.50 in, $0.25 cached, $10 out"],
    [{ input: 0, cached: 0, output: 0.075 }, "$0 in, $0 cached, $0.075 out"],
  ])("writes prices: %j", (prices, words) => {
    expect(priceWords(prices)).toBe(words);
  });
});
