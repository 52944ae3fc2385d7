import { describe, expect, it } from "vitest";
import { AppError } from "@/lib/errors";
import { ANSWER_MAX_BYTES, cutString, fitStrings, jsonBytes, mapStrings, takeWithin } from "./answer-size";

describe("sizes of answers", () => {
  it("counts bytes of JSON, not characters", () => {
    expect(jsonBytes("\u0001")).toBe(8);
    expect(jsonBytes("é")).toBe(4);
  });

  it("takes what fits and counts the rest", () => {
    const list = Array.from({ length: 100 }, (_, i) => `entry ${i}`);
    const { kept, omitted } = takeWithin(list, 300);
    expect(jsonBytes(kept)).toBeLessThanOrEqual(300);
    expect(kept.length + omitted).toBe(100);
    expect(kept.length).toBeGreaterThan(10);
  });

  it("cuts strings that nobody expects to be long, with a count", () => {
    const view = fitStrings({ tool: "\u0001".repeat(3_000_000), text: "short" });
    expect(jsonBytes(view)).toBeLessThanOrEqual(ANSWER_MAX_BYTES);
    expect(view.text).toBe("short");
    expect(view.tool).toMatch(/more characters\)$/);
  });

  it("leaves an answer that fits untouched", () => {
    const view = { text: "x".repeat(500_000) };
    expect(fitStrings(view)).toBe(view);
  });

  it("refuses what cannot be made to fit", () => {
    expect(() => fitStrings(Array.from({ length: 300_000 }, () => "abc"))).toThrow(AppError);
  });

  it("does not cut a surrogate pair", () => {
    expect(cutString("a\u{1f600}b", 2)).toBe("a… (3 more characters)");
  });

  it("maps strings at any depth and takes no prototype from a key", () => {
    const hostile: unknown = JSON.parse('{"__proto__":{"isAdmin":true},"a":["b",{"c":"d"}]}');
    const mapped = mapStrings(hostile, (text) => text.toUpperCase());
    expect(JSON.stringify(mapped)).toBe('{"__proto__":{"isAdmin":true},"a":["B",{"c":"D"}]}');
    expect(Object.hasOwn(Object.prototype, "isAdmin")).toBe(false);
  });
});
