import { describe, expect, it } from "vitest";
import { partMask } from "./secret-parts";

const maskParts = (text: string, known: ReadonlyMap<string, string>): string => partMask(known)(text);

const SECRET = ["gh", "p_", "Abcdefghij0123456789Abcdefghij012345"].join("");
const MASK = "[redacted:github-token#1f2e]";
const secrets = new Map([[SECRET, MASK]]);

describe("maskParts", () => {
  it("masks a secret that is there as a whole", () => {
    expect(maskParts(`a ${SECRET} b`, secrets)).toBe(`a ${MASK} b`);
  });

  it.each([
    ["its beginning at the end", `token is ${SECRET.slice(0, 9)}`, `token is ${MASK}`],
    ["its beginning before an ellipsis", `token is ${SECRET.slice(0, 9)}…`, `token is ${MASK}…`],
    ["its end at the beginning", `${SECRET.slice(-7)} was used`, `${MASK} was used`],
    ["its middle in the middle", `x ${SECRET.slice(8, 24)} y`, `x ${MASK} y`],
  ])("masks %s", (_what, text, masked) => {
    expect(maskParts(text, secrets)).toBe(masked);
  });

  it("leaves five characters alone", () => {
    expect(maskParts(`x ${SECRET.slice(0, 5)}`, secrets)).toBe(`x ${SECRET.slice(0, 5)}`);
  });

  it("knows a secret as JSON writes it, and the lines of one that has several", () => {
    const key = ["-----BEGIN ", "PRIVATE KEY-----", "\n", "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=", "\n"].join("");
    const known = new Map([[key, "[redacted:private-key#0a0a]"]]);
    expect(maskParts(JSON.stringify({ key }), known)).not.toContain("QUJDREVG");
    expect(maskParts("line 7: QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo=", known)).toBe(
      "line 7: [redacted:private-key#0a0a]",
    );
  });

  it("is quick on a long text without secrets and on one that is almost one", () => {
    const started = performance.now();
    maskParts("ghp_Abcdefg ".repeat(20_000), secrets);
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
