import { describe, expect, it } from "vitest";
import { isDistinctive, knownMask } from "./known-secrets";
import { keyLike } from "./test-support";

describe("knownMask", () => {
  const [one, two] = [keyLike(12, 1), keyLike(20, 2)];
  const mask = knownMask(
    new Map([
      [one, "[one]"],
      [two, "[two]"],
      [`${one}tail9`, "[longer]"],
      [two.slice(4), "[shorter]"],
    ]),
  );

  it("masks whole secrets wherever they stand, the longest one that ends there", () => {
    expect(mask(`${one} a ${two}${two} b${one}`)).toBe("[one] a [two][two] b[one]");
    expect(mask(`x${two.slice(4)}`)).toBe("x[shorter]");
  });

  it("leaves nothing of the rest of a longer one that begins with a shorter one", () => {
    expect(mask(`a ${one}tail9 b`)).toBe("a [one] b");
  });

  it("leaves everything else as it is", () => {
    for (const text of ["", "short", one.slice(0, -1), one.slice(1), "a long text without any\n"]) {
      expect(mask(text)).toBe(text);
    }
    expect(knownMask(new Map())(one)).toBe(one);
  });

  it("is linear, also with very many secrets that begin alike", () => {
    const many = new Map(Array.from({ length: 20_000 }, (_, n) => [`sk-proj-${keyLike(20, n + 1)}`, "[x]"]));
    const text = "sk-proj-almost one of them ".repeat(40_000);
    const started = process.cpuUsage();
    expect(knownMask(many)(text)).toBe(text);
    expect(process.cpuUsage(started).user / 1_000).toBeLessThan(3_000);
  });
});

describe("isDistinctive", () => {
  it.each(["hunter2", "postgres", "12345678", "aaaaaaa1", "line1234\nline5678", "x1".repeat(400)])(
    "is false for %j",
    (secret) => {
      expect(isDistinctive(secret)).toBe(false);
    },
  );
  it.each(["hunter22x", "Tr0ub4dor&3", "abcdef0123456789"])("is true for %j", (secret) => {
    expect(isDistinctive(secret)).toBe(true);
  });
});
