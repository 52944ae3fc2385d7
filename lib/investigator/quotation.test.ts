import { describe, expect, it } from "vitest";
import type { CallItem } from "@/lib/trajectory/schema";
import { textOf } from "@/lib/trajectory/texts";
import { quoteOpening, quoteText } from "./quotation";
import { SampleRun } from "./test-support/sample-run";

function callWith(more: Partial<CallItem>): CallItem {
  const run = new SampleRun().turn();
  const call = run.call({ tool: "edit", callKind: "write", ...more });
  const item = run.at(0).items.find((each) => each.id === call.id);
  if (item?.kind !== "call") throw new Error("no call");
  return item;
}

const before = (item: CallItem, field: "text" | "arguments", start: number) => textOf(item, field)?.slice(0, start);

describe("a quotation of written words", () => {
  it("stands where the words stand by themselves, not inside a longer one", () => {
    const item = callWith({ text: "DATA = 10\nA = 1\nA = 10" });
    expect(quoteText(item, 0, "text", "A = 1")).toMatchObject({ start: 10, end: 15, text: "A = 1" });
  });

  it("knows the line breaks and tabs of JSON from words", () => {
    const item = callWith({ arguments: { content: "xvalue = 1\n\tvalue = 1\n" } });
    const found = quoteText(item, 0, "arguments", "value = 1");
    expect(before(item, "arguments", found?.start ?? 0)?.endsWith("xvalue = 1\\n\\t")).toBe(true);
    expect(found?.text).toBe("value = 1");
  });

  it("stands inside a longer word when it stands nowhere else, and nowhere when it is not there", () => {
    const item = callWith({ text: "METADATA = 10" });
    expect(quoteText(item, 0, "text", "DATA")).toMatchObject({ start: 4, end: 8 });
    expect(quoteText(item, 0, "text", "gone")).toBeNull();
  });
});

describe("an opening", () => {
  it("is the first line with a word in it", () => {
    expect(quoteOpening(callWith({ text: "\n```\n{\n  The cause is here.\nMore." }), 0)?.text).toBe(
      "The cause is here.",
    );
    expect(quoteOpening(callWith({ text: " ?\n" }), 0)?.text).toBe("?");
    expect(quoteOpening(callWith({ arguments: { command: "make" } }), 0)?.text).toBe('"command": "make"');
    expect(quoteOpening(callWith({ text: " \n" }), 0)).toBeNull();
  });
});
