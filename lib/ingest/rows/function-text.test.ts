import { describe, expect, it } from "vitest";
import { processorMs } from "@/lib/test-support/processor-time";
import { readWrittenCalls } from "./function-text";

const written = (...parameters: string[]): string => `<function=tool>\n${parameters.join("\n")}\n</function>`;
const argumentsIn = (text: string): unknown => readWrittenCalls(text).calls[0]?.arguments;

describe("W11: calls that a message writes as text", () => {
  it("takes words and calls apart", () => {
    const { words, calls } = readWrittenCalls(`Before.\n${written("<parameter=a>1</parameter>")}\nAfter.`);
    expect(words).toBe("Before.\n\nAfter.");
    expect(calls).toEqual([{ tool: "tool", arguments: { a: "1" }, text: written("<parameter=a>1</parameter>") }]);
  });

  it("takes the line break inside a parameter's marks as markup, and no other", () => {
    expect(argumentsIn(written("<parameter=text>\n\n  a\n\n</parameter>"))).toEqual({ text: "\n  a\n" });
    expect(argumentsIn(written("<parameter=text>\r\na\r\n</parameter>"))).toEqual({ text: "a" });
    expect(argumentsIn(written("<parameter=text></parameter>"))).toEqual({ text: "" });
  });

  it("keeps a value that holds the marks of its own end", () => {
    const text = "<p>a</parameter>b</p>";
    expect(argumentsIn(written(`<parameter=text>${text}</parameter>`, "<parameter=n>2</parameter>"))).toEqual({
      text,
      n: "2",
    });
  });

  it("reads a call without parameters, several calls, and one that a stop sequence cut behind its last parameter", () => {
    expect(argumentsIn("<function=submit>\n</function>")).toEqual({});
    expect(readWrittenCalls(`${written()}${written()}`).calls).toHaveLength(2);
    expect(argumentsIn("<function=bash>\n<parameter=command>ls</parameter>\n")).toEqual({ command: "ls" });
  });

  it("says of a call that breaks off, or is of another form, that it has no arguments", () => {
    expect(argumentsIn("<function=bash>\n<parameter=command>ls")).toBeNull();
    expect(argumentsIn("<function=bash>words</function>")).toBeNull();
  });

  it("leaves marks without a name in the words", () => {
    expect(readWrittenCalls("a <function=> b <function= c")).toEqual({
      words: "a <function=> b <function= c",
      calls: [],
    });
  });

  it("keeps a parameter called __proto__", () => {
    const found = argumentsIn(written("<parameter=__proto__>x</parameter>"));
    expect(JSON.stringify(found)).toBe('{"__proto__":"x"}');
  });

  it.each([
    "<function=",
    "<function=a>",
    "<function=a><parameter=b>",
    "</parameter>",
    "<function=a>\n<parameter=b>c</parameter>x",
  ])("takes time that grows with the text: many of %s", (piece) => {
    const text = `<function=a><parameter=b>${piece.repeat(50_000)}`;
    expect(processorMs(() => readWrittenCalls(text))).toBeLessThan(2_000);
    expect(processorMs(() => readWrittenCalls(piece.repeat(50_000)))).toBeLessThan(2_000);
  });
});
