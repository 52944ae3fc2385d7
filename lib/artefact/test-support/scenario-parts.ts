import fc from "fast-check";
import type { Scenario } from "./real-tools";

/** Generated scenarios for one family of tools. */
export interface Family {
  name: string;
  needs: string[];
  scenarios: fc.Arbitrary<Scenario>;
}

const WORDS = [
  "alpha",
  "beta",
  "a.b",
  "x*y",
  "  two",
  "",
  "\ttab",
  "f(x)",
  "a/b",
  "$var",
  "`x`",
  "back\\slash",
  "[1]",
  "&",
];
/** A line of a file. */
export const line = fc.constantFrom(...WORDS);
/** A whole file, empty or not, with an end of its last line or without. */
export const text = fc
  .tuple(fc.array(line, { maxLength: 6 }), fc.boolean())
  .map(([lines, isOpen]) => lines.join("\n") + (isOpen || lines.length === 0 ? "" : "\n"));
/** One of the given. */
export const one = <T>(...all: T[]): fc.Arbitrary<T> => fc.constantFrom(...all);
/** Texts put together. */
export const joined = (...parts: fc.Arbitrary<string>[]): fc.Arbitrary<string> =>
  fc.tuple(...parts).map((all) => all.join(""));
/** A word in single quotes, as a shell takes it. */
export const quoted = (script: string): string => `'${script.replaceAll("'", `'\\''`)}'`;
/** Lines over files that are in no repository. */
export const plain = (files: Record<string, string>, ...lines: string[]): Scenario => ({
  files,
  lines,
  isRepository: false,
});

/** Generated lines over a generated `a.txt` and two other files. */
export const around = (texts: fc.Arbitrary<string>, lines: fc.Arbitrary<string>): fc.Arbitrary<Scenario> =>
  fc.tuple(texts, lines).map(([held, given]) => plain({ "a.txt": held, "b.txt": "b\n", "sub/c.txt": "c\n" }, given));
