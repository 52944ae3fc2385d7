import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { shellReads } from "./shell-reads";

const whole = { startLine: 1, whole: true };

describe("lines that a command shows", () => {
  it.each([
    ["cat a.py", "one\ntwo\n", { path: "a.py", text: "one\ntwo\n", totalLines: 2, ...whole }],
    ["cat a.py", "one\ntwo", { path: "a.py", text: "one\ntwo", totalLines: 2, ...whole }],
    ["cat 'a b.py'", "one\n", { path: "a b.py", text: "one\n", totalLines: 1, ...whole }],
    ["cat -n a.py", "     1\tone\n     2\t\n", { path: "a.py", text: "one\n\n", totalLines: 2, ...whole }],
    ["nl -ba a.py", "     1\tone\n", { path: "a.py", text: "one\n", totalLines: 1, ...whole }],
    ["nl -b a a.py", "     1\tone\n", { path: "a.py", text: "one\n", totalLines: 1, ...whole }],
    ["cd /repo/ && cat src/a.py", "one\n", { path: "/repo/src/a.py", text: "one\n", totalLines: 1, ...whole }],
    ["cd sub && cat ../a.py", "one\n", { path: "sub/../a.py", text: "one\n", totalLines: 1, ...whole }],
    ["cd sub && cat /a.py", "one\n", { path: "/a.py", text: "one\n", totalLines: 1, ...whole }],
    ["sed -n '3,4p' a.py", "c\nd\n", { path: "a.py", startLine: 3, text: "c\nd\n", totalLines: null, whole: false }],
    ["sed -n 3p a.py", "c\n", { path: "a.py", startLine: 3, text: "c\n", totalLines: null, whole: false }],
    ["sed -n '3,9p' a.py", "c\nd\n", { path: "a.py", startLine: 3, text: "c\nd\n", totalLines: 4, whole: false }],
    ["sed -n '3,4p' a.py", "c\nd", { path: "a.py", startLine: 3, text: "c\nd", totalLines: 4, whole: false }],
    ["sed -n '1,9p' a.py", "a\nb\n", { path: "a.py", text: "a\nb\n", totalLines: 2, ...whole }],
    ["sed -n '3,$p' a.py", "c\nd\n", { path: "a.py", startLine: 3, text: "c\nd\n", totalLines: 4, whole: false }],
    ["head -n 2 a.py", "a\nb\n", { path: "a.py", startLine: 1, text: "a\nb\n", totalLines: null, whole: false }],
    ["head -2 a.py", "a\n", { path: "a.py", text: "a\n", totalLines: 1, ...whole }],
    ["head a.py", "a\n", { path: "a.py", text: "a\n", totalLines: 1, ...whole }],
    ["tail -n +3 a.py", "c\n", { path: "a.py", startLine: 3, text: "c\n", totalLines: 3, whole: false }],
    [
      "head -n 2 a.py | sed -n '1,9p'",
      "a\nb\n",
      { path: "a.py", startLine: 1, text: "a\nb\n", totalLines: null, whole: false },
    ],
    ["cat a.py | head -n 1", "a\n", { path: "a.py", startLine: 1, text: "a\n", totalLines: null, whole: false }],
    [
      "cat -n a.py | sed -n '3,3p'",
      "     3\tc\n",
      { path: "a.py", startLine: 3, text: "c\n", totalLines: null, whole: false },
    ],
    [
      "sed -n '3,9p' a.py | head -n 2",
      "c\nd\n",
      { path: "a.py", startLine: 3, text: "c\nd\n", totalLines: null, whole: false },
    ],
    [
      "sed -n '3,4p' a.py | cat -n",
      "     1\tc\n     2\td\n",
      { path: "a.py", startLine: 3, text: "c\nd\n", totalLines: null, whole: false },
    ],
    ["tail -n +3 a.py | head -n 1", "c\n", { path: "a.py", startLine: 3, text: "c\n", totalLines: null, whole: false }],
  ])("%s", (command, output, read) => {
    expect(shellReads(command, output)).toEqual([read]);
  });

  it.each([
    ["cat a.py b.py", "one\n"],
    ["cat *.py", "one\n"],
    ["cat $FILE", "one\n"],
    ["cat a.py > b.py", "one\n"],
    ["cat a.py; ls", "one\n"],
    ["cat a.py && ls", "one\n"],
    ["cat a.py | grep x", "x\n"],
    ["cat a.py | head", "cat: a.py: No such file or directory\n"],
    ["cat -A a.py", "one$\n"],
    ["cat", "one\n"],
    ["cat -", "one\n"],
    ["cat -n a.py", "one\n"],
    ["cat -n a.py | cat -n", "     1\t     1\tone\n"],
    ["nl a.py", "     1\tone\n"],
    ["sed -n '/def/p' a.py", "def\n"],
    ["sed '1,2p' a.py", "one\none\n"],
    ["sed -n '4,3p' a.py", "d\n"],
    ["sed -n '0,3p' a.py", "d\n"],
    ["sed -n '1,2p' a.py", "more\nlines\nthan asked\n"],
    ["sed -i '1,2p' a.py", "x\n"],
    ["head -c 3 a.py", "abc"],
    ["tail a.py", "one\n"],
    ["grep x a.py", "x\n"],
    ["cat 'a.py", "one\n"],
    ["cat a.py", ""],
    ["cat <<'EOF'\nx\nEOF", "x\n"],
  ])("%s is not read", (command, output) => {
    expect(shellReads(command, output)).toEqual([]);
  });

  it("ends soon on what is hostile", () => {
    const tookMs = processorMs(() => {
      shellReads(`cat ${"'".repeat(1_000_000)}`, "x\n");
      shellReads(`cat ${"| cat -n ".repeat(100)}`, "x\n".repeat(100_000));
      shellReads("cat -n a.py", `${" ".repeat(100_000)}\n`.repeat(20));
    });
    expect(tookMs).toBeLessThan(1_000);
  });
});
