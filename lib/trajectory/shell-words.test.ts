import { expect, test } from "vitest";
import { shellWords } from "./shell-words";

test.each([
  ["words and quotes", `a 'b c'"d\\"e"\\ f '' g`, ["a", 'b cd"e f', "", "g"]],
  ["what stays as it is in double quotes", `"\\n $x \\$x"`, ["\\n $x $x"]],
  ["lines that a backslash joins, in quotes and outside", `a\\\nb "c\\\nd"`, ["ab", "cd"]],
  ["a backslash at the very end", "a \\", ["a", "\\"]],
  ["nothing", "  \n", []],
  ["a quote that is not closed", "a 'b", null],
  ["a double quote that is not closed", 'a "b\\"', null],
])("%s", (_, line, words) => {
  expect(shellWords(line)).toEqual(words);
});
