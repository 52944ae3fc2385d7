import { describe, expect, it } from "vitest";
import { JSON_MAX_DEPTH } from "@/lib/catalogue/limits";
import { processorMs } from "@/lib/test-support/processor-time";
import { isNoDeeperThan } from "./json-depth";
import { parseNestedJson } from "./safe-json";

const LONG = "x".repeat(40);

describe("how deep a JSON text is", () => {
  it.each([
    ["[[1]]", 2],
    ['{"a":[{}]}', 3],
    ["[[1],[2],[3]]", 2],
    ['["[[[[", "\\"[[[", "\\\\"]', 1],
    [`["${LONG}\\"[[[", "${LONG}\\\\", "${LONG}\\\\\\"[["]`, 1],
    [`["é${LONG}[[\\u2028${LONG}\\""]`, 1],
    ['["it ends inside a string [[[', 1],
    ['"[[["', 0],
  ])("%s has %i levels", (text, levels) => {
    expect(isNoDeeperThan(text, levels)).toBe(true);
    expect(levels === 0 || !isNoDeeperThan(text, levels - 1)).toBe(true);
  });

  it("counts brackets behind strings with escapes at their end", () => {
    expect(isNoDeeperThan('["\\\\",[[', 2)).toBe(false);
    expect(isNoDeeperThan(`["${LONG}\\\\",[[`, 2)).toBe(false);
    expect(isNoDeeperThan(`["${LONG}\\\\\\",[["`, 1)).toBe(true);
  });

  it("is asked of long texts before anything is built from them", () => {
    const long = "x".repeat(70_000);
    const nested = (levels: number): string => `["${long}",${"[".repeat(levels)}"]["${"]".repeat(levels)}]`;
    expect(parseNestedJson(nested(100))).toEqual(JSON.parse(nested(100)));
    expect(parseNestedJson(nested(JSON_MAX_DEPTH))).toBeUndefined();
  });

  it("is found in time that grows with the text", () => {
    const quotes = `["${'\\"'.repeat(2_000_000)}`;
    const backslashes = `["${`${"\\\\".repeat(1_000)}\\"`.repeat(1_000)}`;
    expect(processorMs(() => [isNoDeeperThan(quotes, 9), isNoDeeperThan(backslashes, 9)])).toBeLessThan(2_000);
  });
});
