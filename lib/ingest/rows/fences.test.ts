import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { fencedCommand } from "./fences";

describe("the command of a reply", () => {
  it.each([
    ["the only block", "Look.\n```\nls -a\n```", { command: "ls -a\n", words: "Look.\n" }],
    ["the last of several", "```\na\n```\nthen\n```\nb\n```\nend", { command: "b\n", words: "```\na\n```\nthen\nend" }],
    [
      "a block with a block of its own",
      "```\ncat\n```python\nx\n```\n```",
      { command: "cat\n```python\nx\n```\n", words: "" },
    ],
    ["lines that end in CR and LF", "a\r\n```\r\nls\r\n```\r\n", { command: "ls\r\n", words: "a\r\n" }],
    ["nothing inside", "```\n```", { command: "", words: "" }],
  ])("is %s", (_, text, found) => {
    expect(fencedCommand(text)).toEqual(found);
  });

  it.each(["no block", "```\nnot closed", "inside ```words``` only", ""])("is not in %j", (text) => {
    expect(fencedCommand(text)).toBeNull();
  });

  it("is found in time that grows with the text", () => {
    const text = "```x\n".repeat(200_000);
    expect(processorMs(() => fencedCommand(text))).toBeLessThan(2_000);
    const blocks = "```\na\n```\n".repeat(100_000);
    expect(processorMs(() => fencedCommand(blocks))).toBeLessThan(2_000);
  });
});
