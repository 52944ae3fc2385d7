import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { codeTokens } from "./code-tokens";

describe("tokens of a line", () => {
  it("knows keywords, strings and comments", () => {
    expect(
      codeTokens('    if x is None: say("a # b")  # why', "python").map((token) => [token.kind, token.text]),
    ).toEqual([
      ["plain", "    "],
      ["keyword", "if"],
      ["plain", " x "],
      ["keyword", "is"],
      ["plain", " "],
      ["keyword", "None"],
      ["plain", ": say("],
      ["string", '"a # b"'],
      ["plain", ")  "],
      ["comment", "# why"],
    ]);
  });

  it("does not take a part of a word for a keyword", () => {
    expect(codeTokens("notify(inform)", "python")).toEqual([{ text: "notify(inform)", kind: "plain" }]);
  });

  it("loses nothing in any language", () => {
    const languages = fc.constantFrom("python", "typescript", "go", "shell", "ruby", "plaintext", "constructor");
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), languages, (line, language) => {
        expect(
          codeTokens(line, language)
            .map((token) => token.text)
            .join(""),
        ).toBe(line);
      }),
    );
  });
});
