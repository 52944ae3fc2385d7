import { expect, test } from "vitest";
import { isArchiveName, suggestPath } from "./baseline-paths";

test.each([
  ["repo.zip", true],
  ["repo.tar.gz", true],
  ["repo.TGZ", true],
  ["archive.py", false],
  ["tar", false],
])("%s is an archive: %s", (name, expected) => {
  expect(isArchiveName(name)).toBe(expected);
});

const KNOWN = ["src/price.py", "src/tax.py", "tests/price.py", "setup.py", "lib/setup.py", "/elsewhere/x.py"];

test.each([
  ["tax.py", "src/tax.py", "the only file of that name"],
  ["price.py", "price.py", "two files have that name, so nothing is guessed"],
  ["src/price.py", "src/price.py", "the path itself"],
  ["checkout-1/src/price.py", "src/price.py", "a picked folder around the repository"],
  ["setup.py", "setup.py", "the path itself goes before a longer one"],
  ["unknown.py", "unknown.py", "not a file of the run"],
  ["ax.py", "ax.py", "only whole names count"],
])("%s goes to %s: %s", (name, expected) => {
  expect(suggestPath(name, KNOWN)).toBe(expected);
});
