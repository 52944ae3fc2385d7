import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { replaceBlock } from "./aider-replacement";

const replaced = (text: string) => ({ kind: "replaced", text });

describe("where aider finds a block", () => {
  it.each([
    ["the first of several places", "a\nb\na\n", "a\n", "x\n", "x\nb\na\n"],
    ["whole lines only", "aa\na\n", "a\n", "x\n", "aa\nx\n"],
    ["a last line without its end", "a\nb", "b\n", "x\n", "a\nx\n"],
    ["other lines, whose end comes too", "a\nb", "a\n", "x\n", "x\nb\n"],
    [
      "lines that are indented more in the file",
      "if x:\n    a\n    b\n",
      "a\nb\n",
      "c\n\nd\n",
      "if x:\n    c\n\n    d\n",
    ],
    ["lines that are indented less in the file", "a\nb\n", "    a\n    b\n", "    c\n", "c\n"],
    ["an equal place before an indented one", "  a\na\n", "a\n", "x\n", "  a\nx\n"],
    ["no empty first line", "a\nb\n", "\na\nb\n", "x\n", "x\n"],
    ["pieces around three dots", "a\n1\n2\nb\n", "a\n...\nb\n", "A\n...\nB\n", "A\n1\n2\nB\n"],
    ["text with a sign of replacement patterns", "a\n", "a\n", "$& $1\n", "$& $1\n"],
  ])("%s", (_, text, before, after, result) => {
    expect(replaceBlock(text, before, after)).toEqual(replaced(result));
  });

  it.each([
    ["lines that are not there", "a\n", "b\n", "x\n"],
    ["indentation that differs from line to line", "  a\nb\n", "a\n  b\n", "x\n"],
    ["a piece around dots that stands twice", "a\na\n1\nb\n", "a\n...\nb\n", "A\n...\nB\n"],
    ["dots on one side only", "a\n1\nb\n", "a\n...\nb\n", "A\n"],
    ["what would leave the file empty", "a\n", "a\n", ""],
  ])("nowhere: %s", (_, text, before, after) => {
    expect(replaceBlock(text, before, after)).toEqual({ kind: "absent" });
  });

  it.each(["a\r\nb\n", "a\u2028b\n", "a\fb\n"])("cannot be told with other line ends: %j", (text) => {
    expect(replaceBlock(text, "b\n", "x\n").kind).toBe("unclear");
  });
});

/** Reproducible pseudo-random numbers from 0 to below 1 (Park and Miller's generator). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A file of lines that all differ, some of them indented, and a stretch of them. */
function generated(random: () => number): { lines: string[]; at: number; count: number } {
  const lines = Array.from({ length: 5 + Math.floor(random() * 40) }, (_, n) => {
    const indent = "    ".repeat(Math.floor(random() * 3));
    return `${indent}line ${n} ${Math.floor(random() * 1e6)}\n`;
  });
  const at = Math.floor(random() * lines.length);
  return { lines, at, count: 1 + Math.floor(random() * (lines.length - at)) };
}

describe("generated blocks", () => {
  it("replace the lines that they quote, and no other", () => {
    const random = randomOf(11);
    for (let n = 0; n < 500; n++) {
      const { lines, at, count } = generated(random);
      const fresh = Array.from({ length: 1 + Math.floor(random() * 5) }, (_, k) => `new ${n} ${k}\n`);
      const expected = [...lines.slice(0, at), ...fresh, ...lines.slice(at + count)].join("");
      const before = lines.slice(at, at + count).join("");
      expect(replaceBlock(lines.join(""), before, fresh.join(""))).toEqual(replaced(expected));
    }
  });

  it("keep the file's indentation when the block has lost some of it", () => {
    const random = randomOf(12);
    for (let n = 0; n < 500; n++) {
      const { lines, at, count } = generated(random);
      const deeper = lines.map((line) => `        ${line}`);
      const before = lines.slice(at, at + count).join("");
      const after = `new ${n}\n    deeper\n`;
      const fresh = after.split(/(?<=\n)/).map((line) => `        ${line}`);
      const expected = [...deeper.slice(0, at), ...fresh, ...deeper.slice(at + count)].join("");
      expect(replaceBlock(deeper.join(""), before, after)).toEqual(replaced(expected));
    }
  });

  it("can be taken back by the block the other way round", () => {
    const random = randomOf(13);
    for (let n = 0; n < 500; n++) {
      const { lines, at, count } = generated(random);
      const before = lines.slice(at, at + count).join("");
      const after = `new ${n}\n`;
      const there = replaceBlock(lines.join(""), before, after);
      expect(there.kind).toBe("replaced");
      const text = there.kind === "replaced" ? there.text : "";
      expect(replaceBlock(text, after, before)).toEqual(replaced(lines.join("")));
    }
  });

  it("find no place in a file that lacks one of their lines", () => {
    const random = randomOf(14);
    for (let n = 0; n < 500; n++) {
      const { lines, at, count } = generated(random);
      const before = lines.slice(at, at + count).join("");
      const without = [...lines.slice(0, at), ...lines.slice(at + 1)].join("");
      expect(replaceBlock(without, before, "x\n")).toEqual({ kind: "absent" });
    }
  });
});

describe("hostile blocks", () => {
  it.each([
    ["a file of equal lines", "a\n".repeat(50_000), `${"a\n".repeat(20_000)}b\n`],
    ["blank lines before dots", "a\n", `${"\n".repeat(50_000)}...\na\n`],
    ["one long line", `${"a".repeat(2_000_000)}\n`, `${"a".repeat(1_000_000)}\n`],
  ])("take bounded time: %s", (_, text, before) => {
    expect(processorMs(() => replaceBlock(text, before, "x\n"))).toBeLessThan(3_000);
  });
});
