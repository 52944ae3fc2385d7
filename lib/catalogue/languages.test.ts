import { describe, expect, it } from "vitest";
import { languageOf, PLAIN_TEXT } from "./languages";

describe("languageOf", () => {
  it.each([
    ["/testbed/src/a.py", "python"],
    ["SRC\\Main.JAVA", "java"],
    ["Dockerfile", "dockerfile"],
    ["docker/Dockerfile", "dockerfile"],
    [".gitconfig", "ini"],
    ["a.b.tsx", "typescript"],
  ])("%s is %s", (path, language) => {
    expect(languageOf(path)).toBe(language);
  });

  it.each(["__proto__", "a.__proto__", "x.constructor", "a", "", "py", "a.py/", "a.<img src=x onerror=1>"])(
    "%s is plain text",
    (path) => {
      expect(languageOf(path)).toBe(PLAIN_TEXT);
    },
  );
});
